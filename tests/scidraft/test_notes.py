"""Every note under the theme's scripts: alone, as a card of the feed, and as a card's preview."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.algorithms.readers import squeeze

from .conftest import Seen, Sight
from .sources import FIXTURES, OTHER, SHIPPED, read_note

Faults = list[str]

RAW_TEX = re.compile(r"\\[A-Za-z(\[)\]]+|\$\$|\{\{[<%]|`{3}|\|[ ]*:?-+:?[ ]*\||^\{\.", re.MULTILINE)
"""What a reader should never see outside code."""


def tell(sight: Sight, fault: str) -> str:
    return f"{sight.name} ({sight.region}): {fault}"


def test_no_page_fails_or_leaves_the_site(seen: Seen) -> None:
    faults = [
        f"{visit.address}: {what}"
        for visit in seen.visits.values()
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
    assert len([name for name in FIXTURES if "preview" in shown[name]]) > len(FIXTURES) - 5


def test_no_markup_is_left_in_the_text(seen: Seen) -> None:
    faults = [
        tell(sight, f"reads {found[0]!r} in …{sight.seen['words'][: found.end() + 20][-60:]!r}")
        for sight in seen.sights
        if (found := RAW_TEX.search(sight.seen["words"]))
    ]
    assert not faults, "\n".join(faults)


def test_every_formula_is_set_and_known_to_both_libraries(seen: Seen) -> None:
    faults, count = [], 0
    for sight in seen.sights:
        set_ = [(squeeze(tex), wrong) for tex, wrong in sight.seen["formulas"]]
        expected = [squeeze(tex) for tex in read_note(sight.source, sight.region).formulas]
        if [tex for tex, _ in set_] != expected:
            faults.append(tell(sight, f"sets {[tex for tex, _ in set_]}, not {expected}"))
        faults += [tell(sight, f"{tex}: {wrong}") for tex, wrong in set_ if wrong]
        for mark in ("empty", "marked"):
            if sight.seen[mark]:
                faults.append(tell(sight, f"{sight.seen[mark]} formulas are {mark}"))
        count += len(set_)
    assert not faults, "\n".join(faults)
    assert count > 500


def test_every_algorithm_is_drawn(seen: Seen) -> None:
    faults, count = [], 0
    for sight in seen.sights:
        found = sight.seen["algorithms"]
        expected = read_note(sight.source, sight.region).algorithms
        if len(found) != expected:
            faults.append(tell(sight, f"{len(found)} algorithms, not {expected}"))
        faults += [tell(sight, fault) for one in found for fault in judge_algorithm(one)]
        count += len(found)
    assert not faults, "\n".join(faults)
    assert count > 40


def judge_algorithm(one: dict[str, Any]) -> Faults:
    """What is wrong with a drawn algorithm."""
    faults = [f"{tex} in MathJax: {wrong}" for tex, wrong in one["formulas"] if wrong]
    if one["drawn"] != 1 or one["raw"]:
        faults.append(f"an algorithm is left as its source: {one['raw']}")
    if one["inked"]:
        faults.append("MathJax sets what pseudocode.js has drawn")
    numbers = [number for number, _ in one["lines"] if number]
    if numbers != list(range(1, len(numbers) + 1)) or not numbers:
        faults.append(f"the lines are numbered {numbers}")
    texts = [text for _, text in one["lines"]]
    faults += [
        f"the line {text!r} shows its markup" for text in texts if re.search(r"\\[A-Za-z]+",
        re.sub(r"\$[^$]*\$", "", text))
    ]
    return faults


def test_tables_have_their_columns_and_variant(seen: Seen) -> None:
    faults, variants = [], set()
    for sight in seen.sights:
        found = [(one["variant"], one["columns"]) for one in sight.seen["tables"]]
        expected = read_note(sight.source, sight.region).tables
        if [(variant, columns[0]) for variant, columns in found] != list(expected):
            faults.append(tell(sight, f"tables {found}, not {expected}"))
        faults += [
            tell(sight, f"a table with rows of {columns} cells")
            for _, columns in found
            if len(set(columns)) != 1
        ]
        variants |= {variant for variant, _ in found}
    assert not faults, "\n".join(faults)
    assert variants == {"", "table-academic", "table-striped"}


def test_images_load(seen: Seen) -> None:
    faults, count = [], 0
    for sight in seen.sights:
        faults += [tell(sight, f"{address} doesn't load") for address in sight.seen["broken"]]
        expected = read_note(sight.source, sight.region).images
        if sight.seen["images"] != expected:
            faults.append(tell(sight, f"{sight.seen['images']} images, not {expected}"))
        count += expected
    assert not faults, "\n".join(faults)
    assert count > 40


def test_citations_are_numbered_and_listed(seen: Seen) -> None:
    faults, count = [], 0
    for sight in seen.sights:
        expected = read_note(sight.source, sight.region).citations
        found = sight.seen["citations"]
        if len(found) != expected:
            faults.append(tell(sight, f"{len(found)} citations, not {expected}"))
        faults += [tell(sight, f"{text} leads nowhere") for text, leads in found if not leads]
        for entries in sight.seen["lists"]:
            if not entries or not all(re.search(r"\w+ \w.*\d{4}", entry) for entry in entries):
                faults.append(tell(sight, f"a list of references with {entries}"))
        count += len(found)
    assert not faults, "\n".join(faults)
    assert count >= 10


def test_a_second_list_of_references_starts_again(seen: Seen) -> None:
    for sight in seen.sights:
        if sight.name == "cite-two-lists":
            assert [text for text, _ in sight.seen["citations"]] == ["[1]", "[1]"]
            assert [len(entries) for entries in sight.seen["lists"]] == [1, 1]
        if sight.name == "cite-many":
            numbers = [text for text, _ in sight.seen["citations"]]
            assert numbers == ["[1]", "[2]", "[3]", "[1]"]


def test_diagrams_are_drawn(seen: Seen) -> None:
    faults, count = [], 0
    for sight in seen.sights:
        found = sight.seen["diagrams"]
        expected = read_note(sight.source, sight.region).diagrams
        if len(found) != expected:
            faults.append(tell(sight, f"{len(found)} diagrams, not {expected}"))
        for one in found:
            if one["failed"] or one["role"] in ("", "error") or min(one["size"]) < 20:
                faults.append(tell(sight, f"a diagram is not drawn: {one}"))
        count += expected
    assert not faults, "\n".join(faults)
    assert count >= 3


def test_text_is_readable_in_light_and_dark(seen: Seen) -> None:
    faults = [
        f"{visit.address} {mode}: {text!r} of {name} has a contrast of {contrast:.1f}"
        for visit in seen.visits.values()
        for mode, name, text, contrast in visit.faint
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_card_shows_what_the_note_shows(seen: Seen, name: str) -> None:
    """Numbers of algorithms aside, which count over the page."""
    parts = ("formulas", "tables", "items", "images")
    shown = {
        (sight.name, sight.region): [
            *(sight.seen[part] for part in parts),
            [one["lines"][1:] for one in sight.seen["algorithms"]],
        ]
        for sight in seen.sights
        if sight.name in (name, OTHER + name)
    }
    assert len(shown) == 3
    alone = shown[name, "note"]
    assert all(view == alone for view in shown.values())
