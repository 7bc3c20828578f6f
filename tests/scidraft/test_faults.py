"""The tests of this folder can fail: what readers would meet of a fault is seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.lint_run import lint_paths
from tests.browser.sites import find_hugo

from .conftest import Seen
from .faults import FAULTS, UNTOLD
from .judging import JUDGES
from .sources import make_site, read_note


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_seen(seen: Seen, name: str) -> None:
    kind, _ = FAULTS[name]
    sight = next(sight for sight in seen.faulty if sight.name == name)
    found = {
        judge: faults
        for judge, look in JUDGES.items()
        if (faults := look(sight.seen, read_note(sight.source, "note")))
    }
    assert kind in found, found


def test_the_linter_tells_of_them_before_readers_meet_them(tmp_path: Path) -> None:
    find_hugo()
    site = make_site(tmp_path / "site")
    told = {
        Path(problem.path).stem
        for problem in lint_paths([site / "content/faults"], site=site).problems
    }
    assert set(FAULTS) - told <= set(UNTOLD)
