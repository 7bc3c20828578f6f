"""The tests of this folder can fail: what readers would meet of a fault is seen."""

from __future__ import annotations

import pytest

from .conftest import Seen
from .faults import FAULTS
from .judging import JUDGES
from .sources import read_note


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
