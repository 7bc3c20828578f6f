"""Running scripts: their output, their surroundings, their failures, and what they read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from generator.blocks.base import Where
from generator.blocks.listing import Listing
from generator.blocks.script import SCRIPT_HOOK, run_script, watching_scripts
from generator.errors import GeneratorError
from generator.observe import Seen
from generator.site import standing_in


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A demo's folder in a site, with a script's folder in it."""
    home = tmp_path / "site" / "demos" / "lab"
    home.mkdir(parents=True)
    with standing_in(tmp_path / "site", home.parent):
        yield home


def write(folder: Path, code: str, name: str = "go.py") -> str:
    (folder / name).write_text(code)
    return f"lab/{name}"


def test_output_arguments_and_input(folder: Path) -> None:
    path = write(folder, "import sys\nprint(sys.argv[1:], sys.stdin.read())\n")
    run = run_script(path, 3, "a b", input="in")
    assert (run.output, run.errors, run.returncode) == ("['3', 'a b'] in\n", "", 0)
    assert Listing(run).to_markdown(Where("n", "x", 4)) == "```text\n['3', 'a b'] in\n```"
    assert run_script(path).output == "[] \n"


def test_it_runs_in_its_own_folder_with_its_neighbours(folder: Path) -> None:
    write(folder, "NAME = 'beside'\n", "random.py")
    (folder / "data.txt").write_text("read")
    path = write(folder, "import random, pathlib\nprint(random.NAME, open('data.txt').read())\n")
    assert run_script(path).output == "beside read\n"
    assert sorted(p.name for p in folder.iterdir()) == ["data.txt", "go.py", "random.py"]


def test_the_environment_is_plain(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "x")
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    path = write(
        folder, "import os, sys\nprint(sorted(os.environ), hash('a'), sys.flags.no_user_site)\n"
    )
    first, second = run_script(path), run_script(path)
    assert first == second
    assert "SECRET" not in first.output and "PYTHONPATH" not in first.output


def test_machine_paths_are_not_in_the_output(folder: Path, tmp_path: Path) -> None:
    path = write(folder, "import os\nprint(__file__, os.path.abspath('../../x/y.txt'), 'ü')\n")
    assert run_script(path).output == "go.py x/y.txt ü\n"


def test_a_failure_shows_the_scripts_own_frames(folder: Path) -> None:
    write(folder, "def inner():\n    return 1 / 0\n", "part.py")
    path = write(folder, "import part\n\npart.inner()\n")
    with pytest.raises(GeneratorError) as caught:
        run_script(path)
    (problem,) = caught.value.problems
    assert problem.message == (
        "`lab/go.py` ended with exit code 1: ZeroDivisionError: division by zero"
    )
    assert problem.hint == "in go.py:3, part.py:2"
    assert str(folder) not in str(problem)


def test_a_failure_may_be_what_is_wanted(folder: Path) -> None:
    path = write(folder, "import sys\nsys.exit(3)\n")
    assert run_script(path, returncode=3).returncode == 3
    with pytest.raises(GeneratorError, match="exit code 3: it said nothing"):
        run_script(path)


def test_a_script_that_does_not_end(folder: Path) -> None:
    path = write(folder, "import time\ntime.sleep(60)\n")
    with pytest.raises(GeneratorError, match=r"did not end within 0\.3 seconds"):
        run_script(path, timeout=0.3)


@pytest.mark.parametrize("path", ["lab/none.py", "lab"])
def test_no_script(folder: Path, path: str) -> None:
    with pytest.raises(GeneratorError, match="`lab"):
        run_script(path)


def test_the_hook_may_change_command_and_environment(folder: Path) -> None:
    @contextmanager
    def hook(command: list[str], environment: dict[str, str]) -> Iterator[None]:
        environment["ADDED"] = "yes"
        command.append("more")
        yield

    path = write(folder, "import os, sys\nprint(os.environ['ADDED'], sys.argv[1:])\n")
    token = SCRIPT_HOOK.set(hook)
    try:
        assert run_script(path).output == "yes ['more']\n"
    finally:
        SCRIPT_HOOK.reset(token)


def test_what_a_watched_script_reads_is_seen(folder: Path) -> None:
    site = folder.parents[1]
    write(folder, "import json\nVALUE = 2\n", "part.py")
    (folder / "data.txt").write_text("x")
    code = (
        "import os, sys\nimport part\n"
        "print(__name__, sys.argv, sys.path[0] == os.getcwd(), open('data.txt').read())\n"
        "os.listdir('.')\nos.path.exists('missing.txt')\nopen('out.txt', 'w').write('x')\n"
    )
    path = write(folder, code)
    plain = run_script(path, 1)
    seen = Seen(str(site), str(site / "demos"))
    with watching_scripts(seen):
        watched = run_script(path, 1)
    assert watched == plain and watched.output == "__main__ ['go.py', '1'] True x\n"
    assert {os.path.relpath(file, folder) for file in seen.files} >= {
        "go.py", "part.py", "data.txt", "missing.txt",
    }  # fmt: skip
    assert not any("out.txt" in file for file in seen.files)
    assert (str(folder) in seen.folders, seen.processes) == (True, False)


def test_a_watched_script_fails_like_any_other(folder: Path) -> None:
    path = write(folder, "def f():\n    raise ValueError('no')\nf()\n")
    plain = run_script(path, returncode=1)
    seen = Seen(str(folder.parents[1]), str(folder.parent))
    with watching_scripts(seen):
        watched = run_script(path, returncode=1)
        with pytest.raises(GeneratorError, match="exit code 1: ValueError: no"):
            run_script(path)
    assert watched.errors == plain.errors
    assert str(folder / "go.py") in seen.files
