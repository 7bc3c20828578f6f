"""Text and code that disagree are found, wherever they disagree."""

from __future__ import annotations

from pathlib import Path

import pytest

from .loading import load, observe
from .mutants import MUTANTS, SOURCES


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_no_fault_is_found_in_an_unchanged_source(name: str, tmp_path: Path) -> None:
    path, run = SOURCES[name]
    module = load(tmp_path, path.read_text("utf-8"), name)
    assert observe(tmp_path, module, run) == []


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("name", "old", "new"), MUTANTS)
def test_a_mutant_fails_with_file_and_line(name: str, old: str, new: str, tmp_path: Path) -> None:
    path, run = SOURCES[name]
    text = path.read_text("utf-8")
    assert old in text, "the source has changed: adapt the table"
    module = load(tmp_path, text.replace(old, new, 1), name)
    problems = observe(tmp_path, module, run)
    assert problems
    assert all(problem.line for problem in problems)


def test_there_are_enough_mutants_of_every_source() -> None:
    assert len(MUTANTS) >= 60
    assert {name for name, _, _ in MUTANTS} == set(SOURCES)
