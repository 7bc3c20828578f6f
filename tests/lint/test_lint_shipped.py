"""The notes and the site that ship with the project are clean."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from generator.lint_run import lint_paths

ROOT = Path(__file__).parents[2]


def test_the_shipped_site_has_no_problem() -> None:
    outcome = lint_paths([], site=ROOT, now=datetime.now(UTC))
    assert outcome.notes >= 8
    assert [str(problem) for problem in outcome.problems] == []


def test_its_documentation_renders_as_it_should() -> None:
    """Files for a code host: Hugo's shortcodes mean nothing there, nor do a site's links."""
    paths = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    outcome = lint_paths(paths, site=ROOT, formulas=False)
    broken = ("fence-unclosed", "table-width", "table-delimiter", "table-pipe", "heading-skip")
    assert [str(found) for found in outcome.problems if found.code in broken] == []
