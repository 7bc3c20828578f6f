"""The hooks in a scratch repository, run by the real pre-commit and by prek."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from tests.programs import find_tool
from tests.use.conftest import DEMO, NOTE, generate, make_site, write

MANIFEST = Path(__file__).parent.parent.parent / ".pre-commit-hooks.yaml"
FIXERS = {
    "end-of-file-fixer": "end-of-file-fixer",
    "trailing-whitespace": "trailing-whitespace-fixer",
}
PAGE, RECORD = "content/notes/first.md", "data/notes/first.json"
TEMPLATE = "templates/notes/first.md"
FIGURE_DEMO = """\
from generator import Figure, Table, subplots

def run(rng):
    figure, axes = subplots()
    axes.plot([0, 1], [0, 2], label="line")
    axes.set(xlabel="x", ylabel="y")
    return {
        "line": Figure(figure, alt="A line.", caption="A line."),
        "cells": Table({"a": [1, 2], "b": [0.5, 0.25]}, variant="academic"),
    }
"""


@dataclass
class Repository:
    """A git repository that is a site, with both hooks installed."""

    root: Path
    runner: str

    def git(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["git", *words], cwd=self.root, capture_output=True, text=True, env=environment()
        )

    def commit(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.git("commit", "--message", "change", *words)

    def refuses(self, *said: str) -> None:
        done = self.commit()
        told = done.stdout + done.stderr
        assert done.returncode != 0, told
        for text in said:
            assert text in told, told

    def commits(self) -> None:
        done = self.commit()
        assert done.returncode == 0, done.stdout + done.stderr

    def committed(self, path: str) -> str:
        return self.git("show", f"HEAD:{path}").stdout

    def status(self) -> list[str]:
        return self.git("status", "--porcelain").stdout.splitlines()

    def build(self) -> subprocess.CompletedProcess[str]:
        return generate(self.root, "build")


def environment() -> dict[str, str]:
    """No settings of the user's; the venv's programs first, as in an activated one."""
    folder = str(Path(sys.executable).parent)
    who = {
        f"GIT_{role}_{what}": "a@b.c"
        for role in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    return {**kept, **who, **quiet, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def hook_settings() -> str:
    """The manifest's hooks beside the usual fixers, as one would write them for a local trial."""
    manifest = yaml.safe_load(MANIFEST.read_text("utf-8"))
    ours = [{**hook, "language": "system"} for hook in reversed(manifest)]
    fixers = [
        {"id": name, "name": name, "entry": entry, "language": "system", "types": ["text"]}
        for name, entry in FIXERS.items()
    ]
    return str(yaml.safe_dump({"repos": [{"repo": "local", "hooks": [*fixers, *ours]}]}))


@pytest.fixture(
    params=["pre-commit", pytest.param("prek", marks=pytest.mark.soak)], scope="session"
)
def template(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Repository:
    """A repository with everything built and committed, hooks installed."""
    return make_repository(tmp_path_factory.mktemp(request.param) / "site", request.param)


def make_repository(root: Path, name: str) -> Repository:
    runner = find_tool(name)
    for entry in FIXERS.values():
        find_tool(entry)
    make_site(root)
    write(root / ".pre-commit-config.yaml", hook_settings())
    write(root / ".gitignore", "/.generator/\n__pycache__/\n")
    write(root / "demos/drawn.py", FIGURE_DEMO)
    write(
        root / "templates/notes/drawn.md",
        NOTE.replace("demo: first", "demo: drawn").split("The answer")[0]
        + "<%= line %>\n\n<%= cells %>\n",
    )
    repository = Repository(root, runner)
    assert repository.git("init", "--quiet", "--initial-branch=main").returncode == 0
    assert repository.build().returncode == 0
    repository.git("add", "--all")
    subprocess.run(
        [runner, "install"], cwd=root, env=environment(), check=True, capture_output=True
    )
    repository.commits()  # all hooks agree with what was generated
    assert repository.status() == []
    return repository


@pytest.fixture
def repository(template: Repository, tmp_path: Path) -> Repository:
    """A copy of its own for each test."""
    shutil.copytree(template.root, tmp_path / "site", symlinks=True)
    return Repository(tmp_path / "site", template.runner)


def test_clean_commits(repository: Repository) -> None:
    write(repository.root / "README.md", "Unrelated.\n")
    repository.git("add", "README.md")
    repository.commits()
    assert repository.status() == []


def test_prek_refuses_and_commits_as_pre_commit_does(tmp_path: Path) -> None:
    repository = make_repository(tmp_path / "site", "prek")
    write(repository.root / "templates/notes/new.md", NOTE.replace("First", "New"))
    repository.git("add", "templates/notes/new.md")
    repository.refuses("git add -A --", "content/notes/new.md")
    repository.git("add", "--all")
    repository.commits()
    assert repository.committed("content/notes/new.md")


def test_stale_is_built_refused_once_and_then_committed(repository: Repository) -> None:
    write(repository.root / TEMPLATE, NOTE.replace("zero", "one"))
    repository.git("add", TEMPLATE)
    repository.refuses("git add -A --", PAGE, RECORD)
    repository.git("add", "-A", "--", PAGE, RECORD)
    repository.commits()
    assert "in words one" in repository.committed(PAGE)
    assert repository.status() == []


def test_a_new_note_is_refused_until_its_files_are_added(repository: Repository) -> None:
    write(repository.root / "templates/notes/new.md", NOTE.replace("First", "New"))
    repository.git("add", "templates/notes/new.md")
    new = ["content/notes/new.md", "data/notes/new.json"]
    repository.refuses("git add -A --", *new)
    repository.refuses("not there yet", *new)  # nothing was written now, and still it is refused
    repository.git("add", "-A", "--", *new)
    repository.commits()
    assert repository.committed(new[0])
    assert repository.status() == []


def test_a_note_that_is_not_in_git_holds_up_no_other_commit(repository: Repository) -> None:
    write(repository.root / "templates/notes/draft.md", NOTE)
    assert repository.build().returncode == 0
    write(repository.root / "README.md", "Unrelated.\n")
    repository.git("add", "README.md")
    repository.commits()


def test_a_deleted_note_takes_its_files_along(repository: Repository) -> None:
    repository.git("rm", "--quiet", TEMPLATE)
    repository.refuses("git add -A --", PAGE, RECORD)
    repository.git("add", "-A", "--", PAGE, RECORD)
    repository.commits()
    assert not repository.committed(PAGE)
    assert repository.status() == []


def test_a_hand_edited_page_is_refused_and_kept(repository: Repository) -> None:
    page = repository.root / PAGE
    write(page, page.read_text("utf-8").replace("words", "letters"))
    repository.git("add", PAGE)
    repository.refuses("was edited by hand", f"{TEMPLATE}:6")
    assert "letters" in page.read_text("utf-8")
    repository.git("restore", "--staged", "--worktree", PAGE)
    assert repository.status() == []


def test_a_failing_demo_is_refused_and_the_last_page_kept(repository: Repository) -> None:
    before = repository.committed(PAGE)
    write(repository.root / "demos/first.py", DEMO.replace('"answer": 42', '"answer": 1 / 0'))
    repository.git("add", "demos/first.py")
    repository.refuses("demos/first.py:4", "ZeroDivisionError")
    assert (repository.root / PAGE).read_text("utf-8") == before


@pytest.mark.soak
def test_a_false_claim_is_refused(repository: Repository) -> None:
    write(repository.root / "demos/first.py", DEMO.replace("42", "43"))
    repository.git("add", "demos/first.py")
    repository.refuses(f"{TEMPLATE}:6: false claim")


def test_partial_staging_commits_what_is_staged(repository: Repository) -> None:
    both = NOTE + "\nA second paragraph.\n"
    write(repository.root / TEMPLATE, both)
    repository.git("add", TEMPLATE)
    write(repository.root / TEMPLATE, both.replace("second", "half-done"))
    repository.refuses("git add -A --")
    assert "half-done" in (repository.root / TEMPLATE).read_text("utf-8")
    repository.git("add", "-A", "--", PAGE, RECORD)
    repository.commits()
    assert "second" in repository.committed(PAGE)
    assert "half-done" not in repository.committed(PAGE)
    assert "half-done" in (repository.root / TEMPLATE).read_text("utf-8")


def test_a_merge_with_conflicts_is_mended_by_a_build(repository: Repository) -> None:
    longer = NOTE + "\nMiddle.\n\nLast.\n"
    add_all_and_commit(repository, lambda: write(repository.root / TEMPLATE, longer))
    repository.git("switch", "--quiet", "--create", "side")
    side = longer.replace("zero", "side")
    add_all_and_commit(repository, lambda: write(repository.root / TEMPLATE, side))
    repository.git("switch", "--quiet", "main")
    main = longer.replace("Last", "Main's last")
    add_all_and_commit(repository, lambda: write(repository.root / TEMPLATE, main))
    merged = repository.git("merge", "side")
    assert merged.returncode != 0
    assert any(line.startswith(("UU", "AA")) for line in repository.status())
    done = repository.build()
    assert done.returncode == 0, done.stderr
    repository.git("add", "--all")
    repository.commits()
    page = repository.committed(PAGE)
    assert "words side" in page
    assert "Main's last." in page
    assert "<<<<" not in page + repository.committed(RECORD)
    assert repository.status() == []


def add_all_and_commit(repository: Repository, change: Callable[[], None]) -> None:
    change()
    assert repository.build().returncode == 0
    repository.git("add", "--all")
    repository.commits()


def test_a_site_below_the_repository_is_told_with_its_folder(tmp_path: Path) -> None:
    site = make_site(tmp_path / "my docs" / "site")
    repository = Repository(tmp_path, "")
    repository.git("init", "--quiet")
    repository.git("add", "--all")
    done = generate(site, "build", "--hook", env=environment())
    assert done.returncode == 1
    assert f"git add -A -- 'my docs/site/{PAGE}' 'my docs/site/{RECORD}'" in done.stdout


def test_outside_git_the_hook_only_tells_what_it_wrote(tmp_path: Path) -> None:
    site = make_site(tmp_path / "site")
    alone = {**environment(), "GIT_CEILING_DIRECTORIES": str(tmp_path)}
    assert generate(site, "build", "--hook", env=alone).returncode == 1
    assert generate(site, "build", "--hook", env=alone).returncode == 0


def test_the_manifest_is_valid() -> None:
    program = find_tool("pre-commit")
    done = subprocess.run([program, "validate-manifest", str(MANIFEST)], env=environment())
    assert done.returncode == 0
    for hook in yaml.safe_load(MANIFEST.read_text("utf-8")):
        assert hook["pass_filenames"] is False
        assert hook["require_serial"] is True


def test_the_check_needs_the_records_only(tmp_path: Path) -> None:
    """The isolated hook has the package, not what the demos import."""
    site = make_site(tmp_path / "site")
    assert generate(site, "build").returncode == 0
    shutil.rmtree(site / ".generator")
    code = (
        "import sys\n"
        "for name in ('numpy', 'matplotlib', 'pandas'): sys.modules[name] = None\n"
        "from generator.cli import main\n"
        "sys.exit(main(['check']))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=site, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
