"""Records: made for review, sealed, and read with suspicion."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.record import (
    Inputs,
    Record,
    dump_record,
    format_json,
    is_inside,
    is_sealed,
    load_record,
    split_conflict,
)

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
SAMPLE = Record(
    slug="n",
    template="templates/notes/n.md",
    demo="demos/d.py",
    params={"b": 1, "a": [1, 2]},
    seed=7,
    computed=Inputs({"demos/d.py": "12", "x": ""}, {"demos": "34"}, {"HOME": "56"}),
    results={"z": {"small": 1, "large": 2.5}, "a": "text"},
    claims=({"line": 3, "ok": True},),
    outputs={"content/notes/n.md": "78"},
)


def test_a_record_comes_back_as_it_was() -> None:
    text = dump_record(SAMPLE)
    assert load_record(text) == SAMPLE
    assert is_sealed(text)
    assert dump_record(SAMPLE) == text


@given(results=st.dictionaries(st.text(), PLAIN, max_size=4))
def test_any_results_come_back_in_their_order(results: dict[str, Any]) -> None:
    text = dump_record(Record("n", "t", results=results))
    found = load_record(text)
    assert found is not None
    assert json.dumps(found.results) == json.dumps(results)
    assert is_sealed(text)
    assert text.encode() and "\r" not in text


@given(at=st.integers(0), other=st.sampled_from("x0 \n}"))
def test_no_edit_of_a_record_goes_unnoticed(at: int, other: str) -> None:
    text = dump_record(SAMPLE)
    at %= len(text)
    edited = text[:at] + other + text[at + 1 :]
    assert edited == text or not is_sealed(edited)


def test_line_ends_of_other_systems_break_no_seal() -> None:
    assert is_sealed(dump_record(SAMPLE).replace("\n", "\r\n"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"version": 1}',
        '{"version": 2, "slug": "n", "template": "t"}',
        '{"version": 1, "slug": 3, "template": "t"}',
        '{"version": 1, "slug": "n", "template": "t", "more": 1}',
        '{"version": 1, "slug": "n", "template": "t", "outputs": []}',
        '{"version": 1, "slug": "n", "template": "t", "outputs": {"a": 1}}',
        '{"version": 1, "slug": "n", "template": "t", "outputs": {"../a": "1"}}',
        '{"version": 1, "slug": "n", "template": "t", "outputs": {"/a": "1"}}',
        '{"version": 1, "slug": "n", "template": "t", "claims": [1]}',
        '{"version": 1, "slug": "n", "template": "t", "computed": {"files": 1}}',
        '{"version": 1, "slug": "n", "template": "t", "computed": {"other": {}}}',
        '{"version": 1, "slug": "n", "template": "t", "seed": "x"}',
        "[" * 100_000,
    ],
)
def test_what_is_no_record_is_none(text: str) -> None:
    assert load_record(text) is None


def test_a_record_with_only_the_least_is_one() -> None:
    assert load_record('{"version": 1, "slug": "n", "template": "t"}') == Record("n", "t")


@pytest.mark.parametrize(
    ("path", "inside"),
    [("a/b", True), ("..a", True), ("", False), ("/a", False), ("a/../b", False), ("a\\b", False)],
)
def test_paths_of_records_stay_inside(path: str, inside: bool) -> None:
    assert is_inside(path) is inside


def test_both_sides_of_a_conflict_are_found() -> None:
    text = "a\n<<<<<<< ours\nb\n||||||| base\nc\n=======\nd\n>>>>>>> theirs\ne\n"
    assert split_conflict(text) == ("a\nb\ne\n", "a\nd\ne\n")


def test_json_for_review_keeps_short_lists_on_one_line() -> None:
    value = {"b": [1, 2, 3], "a": {"x": list(range(60))}, "c": [], "d": {}}
    text = format_json(value)
    assert json.loads(text) == value
    assert '"b": [1, 2, 3]' in text
    assert text.index('"a"') < text.index('"b"')
    assert max(map(len, text.splitlines())) <= 100
