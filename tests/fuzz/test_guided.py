"""Guided trials of every parser: a few hundred here, the long form under `make soak`."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

from generator.algorithms.comments import read_source
from generator.blocks.sources import strip_source
from generator.notebook import scaffold_notebook
from generator.places import fill_places
from generator.sentences import sentence_at
from tests.fuzz.targets import ROOT, TARGETS, load_targets

load_targets()
SHORT = 150
HAS_WHEEL = (
    sys.platform == "linux" and platform.machine() == "x86_64" and sys.version_info < (3, 14)
)

FOUND = [
    ("places", "zxq7qxz zxq7qxz"),
    ("places", "zxq٣qxz zxq007qxz"),
    ("journals", "[" * 2000),
    ("notebooks", "x = " + "(" * 900),
    ("notebooks", "from a import (\n    b,\n)\nfrom c import (\n    d,\n)\n"),
    ("notebooks", "\x0cx"),
    ("notebooks", "x = 1\n\x00# T\x7f\u2028\u2028"),
    ("toml", "\r"),
    ("toml", "markup = 3"),
    ("toml", "languages = 3"),
    ("toml", "[module]\nmounts = [3]"),
    ("toml", "[module]\nmounts = [{source = 'x', target = 'y'}]"),
    ("toml", "[params.entrySets]\na = 3"),
    ("yaml", "?"),
    ("yaml", "8"),
    ("yaml", "1: 2\n2026-01-02: 3"),
    ("yaml", "a: &a [*a]"),
    ("yaml", "a: &a {b: *a}"),
    ("yaml", "[" * 1900),
    ("parameters", "2026-13-45"),
    ("parameters", "!!timestamp x"),
    ("numerals", "---\nparams: !!timestamp x\n---\n0.5"),
    ("numerals", "It is <%= n \n" + "it \"is\" a 'b' so. " * 40),
    ("linter", "+++\na = " + "[" * 1900 + "\n+++\n"),
    ("pseudocode", "{" * 1900),
    ("formulas", "x^{" * 600),
    ("programs", "def f(x):\n    y = x" + " + x" * 450 + "\n    return y\n"),
    ("programs", 'def f(x):\n    r"""Where: \\(x @ y\\) is x"""\n    return x\n'),
    ("formats", "unit"),
    ("formats", "sig(zz=1)"),
    ("comments", "\r*"),
    ("comments", "a\r,b\x00*\r,b"),
]
"""What was a fault once: the target, and the shortest text that showed it."""


@pytest.mark.parametrize(("name", "text"), FOUND)
def test_found(name: str, text: str) -> None:
    TARGETS[name].run(text)


@pytest.mark.parametrize("name", TARGETS)
def test_seeds(name: str) -> None:
    """What the trials start from is sound, where atheris is missing too."""
    for text in TARGETS[name].seeds:
        TARGETS[name].run(TARGETS[name].read(TARGETS[name].write(text)))


def test_a_stand_in_without_a_value_stays() -> None:
    text = "zxq1qxz zxq7qxz zxq7qxz zxq٣qxz"
    filled = fill_places(text, {1: "a", 3: "b"}, digits=4, block_markdown=str)
    assert filled == "a zxq7qxz zxq7qxz zxq٣qxz"


def test_lines_are_those_of_python() -> None:
    """Not those that a form feed or a line separator begins."""
    code = "a = '\u2028'\n\x0c\n# gone\nb = 1"
    assert strip_source(code) == "a = '\u2028'\n\x0c\nb = 1"
    assert read_source(code).lines[3] == "b = 1"
    text = "It is <%= n %>.\u2028Not <%= m %>.\n\nThere is <%= k %>."
    assert sentence_at(text, 3, "k") == "There is …."


def test_a_heading_with_a_tag_is_doubled_once() -> None:
    pytest.importorskip("nbformat")
    cell = '{"cell_type": "markdown", "metadata": {}, "source": "# A <% b"}'
    book = f'{{"nbformat": 4, "nbformat_minor": 4, "metadata": {{}}, "cells": [{cell}]}}'
    assert 'title: "A <%% b"' in scaffold_notebook(book, "n.ipynb", "a-b", "A b").template


def explore(*arguments: str) -> str:
    """Run the trials in a process of their own, where every branch is counted."""
    if not (HAS_WHEEL and os.environ.get("CI")):
        pytest.importorskip("atheris", reason="atheris is not there")
    command = [sys.executable, "-m", "tests.fuzz.guided", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    counts = re.findall(r"^(\w+) +([\d,]+) trials +([\d,]+) kept +(\d[\d,]*)", done.stdout, re.M)
    assert [name for name, *_ in counts] == [*TARGETS]
    assert all(int(edges.replace(",", "")) > 1 for *_, edges in counts)
    return done.stdout


def test_guided() -> None:
    explore("--runs", str(SHORT))


@pytest.mark.soak
def test_guided_at_length(capfd: pytest.CaptureFixture[str]) -> None:
    counts = explore("--seed", "2")
    with capfd.disabled():
        print("\n" + counts)


def test_faults_are_noticed(tmp_path: Path) -> None:
    """An exception, a write and two seconds of work each leave a note."""
    import time

    from tests.fuzz import guided
    from tests.fuzz.targets import Permit, Target

    def misbehave(text: str) -> None:
        if text == "write":
            (tmp_path / "written").write_text("x")
        if text == "slow":
            end = time.process_time() + 0.05
            while time.process_time() < end:
                pass
        if text == "raise":
            raise KeyError(text)

    sys.addaudithook(guided.watch_writes)
    judge = guided.Judge(Target("t", misbehave, (), (), 1), tmp_path, slow=0.04)
    for text in ("sound", "write", "slow", "raise"):
        judge.try_text(text)
        assert not Permit.is_watching
    notes = [path.read_text() for path in sorted(tmp_path.glob("*.fault"))]
    assert [note.split()[0] for note in notes] == ["KeyError", "took", "writes:"]
    assert [note.split()[-1] for note in notes] == ["'raise'", "'slow'", "'write'"]
