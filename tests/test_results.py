"""Results as plain data, and back."""

from __future__ import annotations

import datetime as dt
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.results import NotPlain, blocks_in, decode, encode, is_same
from generator.values import Md, Measure, Tex

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers()
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.dates()
    | st.datetimes()
    | st.builds(Tex, st.text(st.characters(exclude_categories=["Cs"])))
)
KEYS = st.text(st.characters(exclude_categories=["Cs"])).filter(lambda key: not key.startswith("$"))
VALUES = st.recursive(
    SCALARS, lambda v: st.lists(v, max_size=3) | st.dictionaries(KEYS, v, max_size=3), max_leaves=8
)


@given(VALUES)
def test_plain_values_come_back_through_json(value: object) -> None:
    text = json.dumps(encode(value), allow_nan=False)
    back = decode(json.loads(text))
    assert repr(back) == repr(value) or json.dumps(encode(back)) == text


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.float64(0.5), 0.5),
        (np.float32(0.1), float(np.float32(0.1))),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (np.array(2.5), 2.5),
        ({"a": [np.float64(1), (np.int8(2),)]}, {"a": [1.0, [2]]}),
        (np.nan, {"$float": "nan"}),
        (np.array([math.inf]), [{"$float": "inf"}]),
        (np.complex128(1 + 2j), {"$complex": [1.0, 2.0]}),
        (np.datetime64("2026-01-02"), {"$date": "2026-01-02T00:00:00"}),
        (np.str_("a"), "a"),
        (dt.date(2026, 1, 2), {"$date": "2026-01-02"}),
        (Measure(1.0, 0.1), {"$measure": [1.0, 0.1]}),
        (Md("*a*"), {"$md": "*a*"}),
        ({1: "a", 2.5: "b"}, {"1": "a", "2.5": "b"}),
    ],
)
def test_what_becomes_of_numpy_and_the_like(value: object, plain: object) -> None:
    assert is_same(encode(value), plain)
    assert type(encode(value)) is type(plain)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"fit": {"rows": [1, object()]}}, r"`result\.fit\.rows\[1\]` is a object"),
        ({"$x": 1}, "keys are strings"),
        ({(1, 2): 1}, "keys are strings"),
        ("\ud800", "UTF-8 can't hold"),
        (b"bytes", "is a bytes"),
        (np.ma.masked_array([1, 2], [True, False]), "masked array"),
    ],
)
def test_what_no_record_holds_is_named(value: object, said: str) -> None:
    with pytest.raises(NotPlain, match=said):
        encode(value)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (1, 1, True), (1, 1.0, False), (1, True, False), (0.0, -0.0, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, False), ([1.5], [1.5], True),
    ],
)  # fmt: skip
def test_sameness_is_that_of_what_is_printed(one: object, other: object, same: bool) -> None:
    assert is_same(one, other) is same


def test_blocks_are_found_at_any_depth_with_the_names_of_their_files() -> None:
    from generator.blocks.listing import Listing

    a, b = Listing("a", language="text"), Listing("b", language="text")
    found = list(blocks_in({"one": a, "many": [1, {"deep": b}]}))
    assert found == [("one", a), ("many-2-deep", b)]
