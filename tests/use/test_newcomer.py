"""A newcomer's first hour: the commands of the docs, one after the other."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
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


def commands(page: Path) -> list[list[str]]:
    """What the page's shell snippets run, in order."""
    text = "".join(re.findall(r"^```bash\n(.*?)^```", page.read_text("utf-8"), re.M | re.S))
    return [shlex.split(line, comments=True) for line in text.splitlines() if line.strip()]


@pytest.fixture
def site(tmp_path: Path, hugo: str) -> Path:
    """What `hugo new site` makes, with this repository as the clone beside it."""
    subprocess.run([hugo, "new", "site", "my-site"], cwd=tmp_path, check=True, capture_output=True)
    (tmp_path / "scidraft-generator").symlink_to(REPOSITORY)
    return tmp_path / "my-site"


def test_the_first_note_from_an_empty_site_to_a_published_page(site: Path, hugo: str) -> None:
    done = []
    for words in commands(FIRST_NOTE):
        if words[:3] == ["python", "-m", "generator"] and words[3] != "serve":
            result = generate(site, *words[3:])
        elif words[0] == "cp":
            result = subprocess.run(words, cwd=site, capture_output=True, text=True)
            config = site / "hugo.toml"
            write(config, 'theme = "scidraft-static"\n' + config.read_text("utf-8"))
        elif words[0] == "hugo":
            words = [hugo, "--panicOnWarning"]
            result = subprocess.run(words, cwd=site, capture_output=True, text=True)
        else:
            assert words[0] in ("python3", "pip") or words[3] == "serve", words
            continue
        assert result.returncode == 0, (words, result.stdout, result.stderr)
        done.append(words[-1])
    assert len(done) >= 5
    page = (site / "public/notes/random-walk/index.html").read_text("utf-8")
    assert "<title>A Random Walk" in page
    assert "growth" in page
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    assert subprocess.run(tests, cwd=site, capture_output=True).returncode == 0
    assert generate(site, "check").stderr == ""


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
