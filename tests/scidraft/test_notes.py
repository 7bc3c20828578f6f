"""Every note under the theme's scripts: alone, as a card of the feed, and as a card's preview."""

from __future__ import annotations

import pytest

from .conftest import Seen
from .judging import JUDGES
from .sources import FIXTURES, OTHER, SHIPPED, read_note

AT_LEAST = {
    "formulas": 500,
    "algorithms": 40,
    "tables": 40,
    "images": 36,
    "citations": 10,
    "diagrams": 3,
}
"""How many of each kind are seen at least, so that no judge is without work."""


def test_no_page_fails_or_leaves_the_site(seen: Seen) -> None:
    faults = [
        f"{visit.address}: {what}"
        for visit in seen.visits
        for what in (*visit.errors, *(f"asks for {address}" for address in visit.strangers))
    ]
    assert not faults, "\n".join(faults)


def test_every_note_is_seen_alone_and_on_cards(seen: Seen) -> None:
    shown: dict[str, set[str]] = {}
    for sight in seen.sights:
        shown.setdefault(sight.name.removeprefix(OTHER), set()).add(sight.region)
    for name in SHIPPED:
        assert shown[name] == {"note", "card", "preview"}, name
    for name in FIXTURES:
        assert shown[name] >= {"note", "card"}, name
    assert sum("preview" in shown[name] for name in FIXTURES) > len(FIXTURES) - 6


@pytest.mark.parametrize("kind", JUDGES)
def test_everything_is_rendered(seen: Seen, kind: str) -> None:
    faults = [
        f"{sight.name} ({sight.region}): {fault}"
        for sight in seen.sights
        for fault in JUDGES[kind](sight.seen, read_note(sight.source, sight.region))
    ]
    assert not faults, "\n".join(faults)
    count = sum(len(sight.seen[kind]) for sight in seen.sights if kind not in ("text", "images"))
    if kind == "images":
        count = sum(sight.seen["images"] for sight in seen.sights)
    assert count >= AT_LEAST.get(kind, 0)


def test_tables_come_in_every_variant(seen: Seen) -> None:
    variants = {one["variant"] for sight in seen.sights for one in sight.seen["tables"]}
    assert variants == {"", "table-academic", "table-striped"}


def test_citations_are_numbered_by_list(seen: Seen) -> None:
    sights = [sight for sight in seen.sights if sight.name.startswith("cite-")]
    numbers = {"cite-one": "1", "cite-many": "1231", "cite-two-lists": "11"}
    entries = {"cite-one": [1], "cite-many": [3], "cite-two-lists": [1, 1]}
    assert len(sights) == 2 * len(numbers)
    for sight in sights:
        texts = [text.strip("[]") for text, _ in sight.seen["citations"]]
        assert "".join(texts) == numbers[sight.name]
        assert [len(items) for items in sight.seen["lists"]] == entries[sight.name]


def test_text_is_readable_in_light_and_dark(seen: Seen) -> None:
    faults = [
        f"{visit.address} {mode}: {text!r} of {name} has a contrast of {contrast:.1f}"
        for visit in seen.visits
        for mode, name, text, contrast in visit.faint
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_card_shows_what_the_note_shows(seen: Seen, name: str) -> None:
    """But for the numbers in the captions of algorithms, which count over the page.

    One of the cards has preview markers, and shows the beginning; the other one shows it all.
    """
    parts = ("formulas", "tables", "outlines")
    shown = {
        (sight.name, sight.region): [
            *(sight.seen[part] for part in parts),
            [one["lines"][1:] for one in sight.seen["algorithms"]],
        ]
        for sight in seen.sights
        if sight.name in (name, OTHER + name)
    }
    whole = shown.pop((name, "note"))
    assert len(shown) == 2
    assert whole in shown.values()
    for view in shown.values():
        for part, full in zip(view, whole, strict=True):
            assert part == full[: len(part)]
