"""Prose costs no computation: neither the demo nor numpy, on a fresh clone too."""

from __future__ import annotations

import shutil

import pytest

from tests.conftest import Site

HEAVY = ("numpy", "matplotlib", "scipy", "pandas", "generator.workers")
SPY = """\
import sys, atexit
@atexit.register
def tell():
    with open("modules", "w") as file:
        file.write("\\n".join(sys.modules))
"""


def imported(site: Site, *arguments: str, code: int = 0) -> set[str]:
    """The modules that a command imported."""
    site.write("spy/sitecustomize.py", SPY)
    from tests.conftest import REPOSITORY

    env = {"PYTHONPATH": f"{site.root}/spy:{REPOSITORY}"}
    done = site.run(*arguments, env=env)
    assert done.returncode == code, done.stderr
    return set(site.read("modules").split("\n"))


@pytest.mark.parametrize("fresh_clone", [False, True])
def test_a_prose_edit_imports_no_numpy(small_site: Site, fresh_clone: bool) -> None:
    small_site.build()
    before = small_site.files()
    if fresh_clone:
        shutil.rmtree(small_site.root / ".generator")
    text = small_site.read("templates/notes/drawn.md").replace("The end", "Its end")
    small_site.write("templates/notes/drawn.md", text)
    modules = imported(small_site, "build")
    assert not modules.intersection(HEAVY)
    assert "Its end is 2" in small_site.read("content/notes/drawn.md")
    after = small_site.files()
    changed = {path for path in after if after[path] != before[path]}
    assert changed == {"content/notes/drawn.md", "data/notes/drawn.json"}


def test_a_second_prose_edit_reads_no_yaml(small_site: Site) -> None:
    """Its front matter was read before."""
    for words in ("\n\nOne.", " Two."):
        small_site.write(
            "templates/notes/drawn.md", small_site.read("templates/notes/drawn.md") + words
        )
        modules = imported(small_site, "build")
    assert not modules.intersection({"yaml", "argparse"})
    assert "One. Two." in small_site.read("content/notes/drawn.md")


@pytest.mark.parametrize("command", ["check", "list", "explain drawn", "explain drawn end"])
def test_answers_from_the_records_import_no_numpy(small_site: Site, command: str) -> None:
    small_site.build()
    modules = imported(small_site, *command.split(), code=0)
    assert not modules.intersection((*HEAVY, "jinja2"))


def test_a_warm_build_with_nothing_to_do_imports_two_modules(small_site: Site) -> None:
    small_site.run("build")
    modules = imported(small_site, "build")
    own = {name for name in modules if name.partition(".")[0] == "generator"}
    assert own == {"generator", "generator.quick"}
    assert not modules.intersection({"json", "argparse", "pathlib", "re", "typing", "dataclasses"})
