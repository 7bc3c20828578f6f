"""A newcomer's first hour: the commands of the docs, one after the other."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.use.conftest import generate, write

REPOSITORY = Path(__file__).parent.parent.parent
FIRST_NOTE = REPOSITORY / "docs" / "first-note.md"
ALL_IN_ONE = """\
---
title: A note with everything
date: 2026-01-01T00:00:00Z
description: A figure, a table, an algorithm and a claim.
tags: [Trial]
math: true
showTitle: true
demo: trial
seed: 4
---
Step <%= halve.step("halve") %> leaves <%= left | claim("0.125") %> after three rounds.

<%= halve %>

<%= curve %>

<%= table %>
"""
TRIAL = '''\
import numpy as np

from generator import Figure, Table, algorithm, subplots


@algorithm("Halving")
def halve(x, n):
    r"""
    Require: A number \\(x \\in \\mathbb{R}\\), rounds \\(n \\in \\mathbb{N}\\)
    Ensure: \\(x / 2^n\\)
    """
    for i in range(n):
        # [halve] Halve it:
        x = x / 2
    return x


def run(rng):
    rounds = np.arange(4)
    values = 0.5**rounds
    fig, ax = subplots()
    ax.plot(rounds, values, marker="o")
    ax.set(xlabel="rounds", ylabel="what is left (share)")
    return {
        "halve": halve,
        "left": halve(1.0, 3),
        "curve": Figure(fig, alt="A curve that halves with each round.", caption="Halving."),
        "table": Table({"Rounds": rounds, "Left": values}, variant="academic"),
    }
'''


def commands(page: Path) -> list[str]:
    """The lines of the page's shell snippets, in order."""
    text = "".join(re.findall(r"^```bash\n(.*?)^```", page.read_text("utf-8"), re.M | re.S))
    return [line for line in text.splitlines() if line.strip()]


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """An empty folder but for this repository, as the clone that the page starts from."""
    (tmp_path / "scidraft-generator").symlink_to(REPOSITORY)
    return tmp_path


@pytest.fixture
def site(beside: Path, hugo: str) -> Path:
    """What `hugo new site` makes, beside the clone."""
    subprocess.run([hugo, "new", "site", "my-site"], cwd=beside, check=True, capture_output=True)
    return beside / "my-site"


def run_as_written(lines: list[str], folder: Path, hugo: str) -> subprocess.CompletedProcess[str]:
    """Run lines in one shell, in which `python` and `hugo` are those of the tests."""
    programs = f'PATH="{Path(sys.executable).parent}:{Path(hugo).parent}:$PATH"'
    script = "\n".join(["set -e", programs, f'export PYTHONPATH="{REPOSITORY}"', *lines])
    return subprocess.run(["sh", "-c", script], cwd=folder, capture_output=True, text=True)


def test_the_first_note_from_an_empty_folder_to_a_published_page(beside: Path, hugo: str) -> None:
    lines = commands(FIRST_NOTE)
    left_out = [line for line in lines if line.startswith(("python3 -m venv", "pip install"))]
    assert left_out == lines[:2]  # the tests' own environment stands in for it
    (serve,) = (line for line in lines if line.endswith("serve"))
    done = run_as_written([line for line in lines[2:] if line != serve], beside, hugo)
    assert done.returncode == 0, done.stdout + done.stderr
    site = beside / "my-site"
    shown, written = done.stdout.split("nothing was written")
    assert shown.count("would add") == written.count(": adding ") > 5
    page = (site / "public/notes/random-walk/index.html").read_text("utf-8")
    assert "<title>A Random Walk" in page
    assert "growth" in page
    config = (site / "hugo.toml").read_text("utf-8")
    assert tomllib.loads(config)["theme"] == "scidraft-static"
    kept = subprocess.run(["git", "ls-files"], cwd=site, capture_output=True, text=True).stdout
    tops = {path.split("/")[0] for path in kept.splitlines()}
    assert {"content", "data", "demos", "static", "templates", "tests"} <= tops
    stylesheet = "themes/scidraft-static/assets/katex/katex.min.css"
    fetched = (REPOSITORY / stylesheet).is_file()  # not where npm is missing
    assert (stylesheet in kept.splitlines()) == fetched
    assert not tops & {"public", "resources", ".generator", ".hugo_build.lock"}
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    assert subprocess.run(tests, cwd=site, capture_output=True).returncode == 0
    assert generate(site, "check").stderr == ""


def test_a_dry_run_of_init_only_shows(site: Path) -> None:
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    (site / "themes/own").mkdir()
    shown = generate(site, "init", "--dry-run")
    assert shown.returncode == 0
    assert {path: path.read_bytes() for path in site.rglob("*") if path.is_file()} == before
    assert not (site / "templates").exists() and not (site / "demos").exists()
    assert 'set `theme = "own"` above the first table' in shown.stdout
    done = generate(site, "init")
    said = shown.stdout.replace("would add", "adding").replace("would make", "made")
    assert said.splitlines()[:-1] == done.stdout.splitlines()[:-1]
    assert "nothing is missing" in generate(site, "init", "--dry-run").stdout


def test_a_site_without_a_theme_is_told(site: Path) -> None:
    assert "no theme is set" in generate(site, "init").stdout
    assert "no theme is set" in generate(site, "check").stderr
    config = site / "hugo.toml"
    write(config, 'theme = "missing"\n' + config.read_text("utf-8"))
    assert "the theme `missing` is not there" in generate(site, "check").stderr


def test_a_note_with_a_figure_a_table_an_algorithm_and_a_claim(site: Path, hugo: str) -> None:
    assert generate(site, "init").returncode == 0
    config = site / "hugo.toml"
    write(config, 'theme = "scidraft-static"\n' + config.read_text("utf-8"))
    (site / "themes/scidraft-static").symlink_to(REPOSITORY / "themes/scidraft-static")
    write(site / "demos/trial.py", TRIAL)
    write(site / "templates/notes/trial.md", ALL_IN_ONE)
    done = generate(site, "build")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    shown = subprocess.run([hugo, "--panicOnWarning"], cwd=site, capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
    page = (site / "public/notes/trial/index.html").read_text("utf-8")
    for text in ("Halve it", "curve.svg", "<table", "0.125"):
        assert text in page
