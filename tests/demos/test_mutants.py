"""Wrong demos must not publish: every mutant fails at a sentence, or at a line of the code."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.compute import Outcome, Task
from generator.errors import Problem
from tests.demos import mutants_1, mutants_2
from tests.demos.mutant import Mutant
from tests.demos.shipped import NOTES, ROOT, SETTINGS, render, results_of, run_tasks, task_of

MUTANTS = [*mutants_1.MUTANTS, *mutants_2.MUTANTS]
AT_A_LINE = ("claim", "algorithm", "demo")
"""Codes of problems told at a sentence, at an algorithm's line, or at the line that raised."""


def make_mutant(mutant: Mutant, root: Path) -> Task:
    """A copy of the demos with one change, and the run that the note asks for."""
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / SETTINGS.demos, root / SETTINGS.demos, ignore=ignore)
    target = root / mutant["file"]
    text = target.read_text("utf-8")
    assert text.count(mutant["old"]) == 1, (mutant["name"], text.count(mutant["old"]))
    target.write_text(text.replace(mutant["old"], mutant["new"]), "utf-8")
    return task_of(NOTES[mutant["note"]], root)


def find_errors(slug: str, outcome: Outcome) -> tuple[Problem, ...]:
    """The errors of a build with this outcome."""
    told = outcome.problems
    if not outcome.failed:
        told = render(slug, results_of(outcome)).problems
    return tuple(problem for problem in told if problem.is_error)


@pytest.fixture(scope="module")
def verdicts(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[int, tuple[Problem, ...]]:
    """Errors of the build of each mutant that is to be tested, by its place in the list."""
    items = [item for item in request.session.items if isinstance(item, pytest.Function)]
    chosen = [item.callspec.params["i"] for item in items if item.originalname == "test_mutant"]
    folder = tmp_path_factory.mktemp("mutants")
    tasks = [make_mutant(MUTANTS[i], folder / str(i)) for i in chosen]
    return {
        chosen[place]: find_errors(MUTANTS[chosen[place]]["note"], outcome)
        for place, outcome in run_tasks(tasks)
    }


def _cases() -> Iterator[object]:
    for i, mutant in enumerate(MUTANTS):
        yield pytest.param(i, id=f"{mutant['note']}: {mutant['name']}")


@pytest.mark.parametrize("i", list(_cases()))
def test_mutant(i: int, verdicts: dict[int, tuple[Problem, ...]]) -> None:
    mutant = MUTANTS[i]
    errors = verdicts[i]
    if mutant["expected"] == "equivalent":
        assert mutant["reason"]
        assert not errors, "not equivalent after all: " + "; ".join(map(str, errors))
        return
    assert errors, "nothing notices this mutant"
    assert any(problem.code in AT_A_LINE and problem.line for problem in errors), errors


@pytest.mark.parametrize("slug", sorted(NOTES))
def test_unchanged_demo_passes(slug: str, outcomes: dict[str, Outcome]) -> None:
    assert not find_errors(slug, outcomes[slug])


@pytest.mark.parametrize("slug", sorted(NOTES))
def test_at_least_ten_mutants_a_note(slug: str) -> None:
    failing = [m for m in MUTANTS if m["note"] == slug and m["expected"] == "fails"]
    assert len(failing) >= 10
    changes = [(m["file"], m["old"], m["new"]) for m in MUTANTS if m["note"] == slug]
    assert len(set(changes)) == len(changes)
