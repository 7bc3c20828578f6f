"""One run of every shipped demo, shared by the tests that need its outcome."""

from __future__ import annotations

import pytest

from generator.compute import Outcome
from tests.demos.shipped import NOTES, run_tasks, task_of


@pytest.fixture(scope="session")
def outcomes() -> dict[str, Outcome]:
    """What each shipped note's demo gives, by slug."""
    slugs = sorted(NOTES)
    return {slugs[i]: outcome for i, outcome in run_tasks([task_of(NOTES[s]) for s in slugs])}
