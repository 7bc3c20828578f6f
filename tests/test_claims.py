"""Claims: what holds, what doesn't, and what could never fail."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from generator.claims import WEAK_FACTOR, check_claim, check_condition
from generator.spots import Notation, Place
from generator.values import (
    Measure,
    Number,
    Refused,
    binary,
    percent,
    sci,
    si,
    sig,
    thousands,
    unit,
    write_value,
)
from generator.values.digits import parse_literal
from generator.values.plain import write_plain

NAN = math.nan
SPREADS = {"adam": 0.3, "sgd": 0.2, "lion": 0.5}


@pytest.mark.parametrize(
    ("value", "literal", "ok"),
    [
        (-0.0735, "-0.07", True),
        (-0.0735, "−0.07", True),
        (-0.0735, "-0.074", True),
        (-0.0735, "-0.073", True),  # a tie may go either way
        (-0.0735, "-0.0735", True),
        (-0.0735, "-0.07350", True),
        (-0.0735, "-0.08", False),
        (-0.0735, "0.07", False),
        (-0.0735, "-0.0736", False),
        (0.0749999, "0.07", True),
        (0.0750001, "0.07", False),
        (0.15, "0.1", True),
        (0.15, "0.2", True),
        (3.24e-7, "3.2e-7", True),
        (3.26e-7, "3.2e-7", False),
        (3.24e-7, "3.2\u00a0×\u00a010⁻⁷", True),
        (3.24e-7, r"3.2 \times 10^{-7}", True),
        (1.4e-11, "10^{-11}", True),
        (1.6e-11, "1e-11", False),
        (0.123, "12%", True),
        (0.123, "12.3%", True),
        (0.123, "12.4%", False),
        (1024, "1,024", True),
        (1024.4, "1,024", True),
        (1025, "1,024", False),
        (1234, "1200", False),
        (1234, "1.2e3", True),
        (64, "64", True),
        (0, "0", True),
        (-0.0, "0.00", True),
        (math.inf, "3", False),
        (NAN, "3", False),
        (np.float64(0.5), "0.5", True),
        (np.float32(0.1), "0.1", True),
        (np.array(0.5), "0.5", True),
        (sig(0.5, 2), "0.5", True),
        (Measure(0.0735, 0.002), "0.07", True),
        (Decimal("0.125"), "0.12", True),
        ([0.51, 0.49], "0.5", True),
        ([0.51, 0.41], "0.5", False),
        ([[0.51], [NAN]], "0.5", False),
        ("softmax", "softmax", True),
        ("softmax", "sigmoid", False),
        (True, "true", True),
    ],
)
def test_rounding_to_the_printed_precision(value: object, literal: str, ok: bool) -> None:
    assert check_claim(value, literal).ok is ok


@pytest.mark.parametrize(
    ("value", "literal", "bounds", "ok"),
    [
        (3e-13, "1e-11", {"below": True}, True),
        (1e-11, "1e-11", {"below": True}, False),
        (1e-11, "1e-11", {"at_most": True}, True),
        (NAN, "1e-11", {"below": True}, False),
        (-math.inf, "1", {"below": True}, True),
        (0.95, "0.9", {"above": True}, True),
        (0.9, "0.9", {"above": True}, False),
        (0.9, "0.9", {"at_least": True}, True),
        ([0.95, 0.8], "0.9", {"above": True}, False),
        (0.5, None, {"below": 0.6, "above": 0.4}, True),
        (0.5, None, {"below": 0.6, "above": 0.55}, False),
        (0.5, None, {"below": np.float64(0.6)}, True),
        (0.5, None, {"below": NAN}, False),
        (0.5, None, {"below": sig(0.6, 1)}, True),
        (0.15, None, {"between": ("0.1", "0.2")}, True),
        (0.1, None, {"between": ("0.1", "0.2")}, True),
        (0.25, None, {"between": ["0.1", 0.2]}, False),
        (NAN, None, {"between": ("0.1", "0.2")}, False),
        (0.1, None, {"between": (NAN, 0.2)}, False),
        (0.51, "0.5", {"near": True, "within": "0.02"}, True),
        (0.51, "0.5", {"within": "1%"}, False),
        (0.51, "0.5", {"within": "2%"}, True),
        (0.51, None, {"near": 0.5, "within": 0.01}, True),
        (-0.51, None, {"near": "-0.5", "within": "5%"}, True),
        (NAN, "0.5", {"within": "5%"}, False),
        (math.inf, "0.5", {"within": "5%"}, False),
        (0.5, None, {"near": NAN, "within": 1}, False),
        (3e-11, "1e-11", {"magnitude": True}, True),
        (4e-11, "1e-11", {"magnitude": True}, False),
        (-1e-11, "1e-11", {"magnitude": True}, False),
        (0.0, "1e-11", {"magnitude": True}, False),
        (NAN, "1e-11", {"magnitude": True}, False),
        ([1, 2, 3], None, {"increasing": True}, True),
        ([1, 2, 2], None, {"increasing": True}, False),
        ([1, 2, 2], None, {"increasing": "weakly"}, True),
        ([3, 2, 2], None, {"decreasing": "weakly"}, True),
        ([3, 2, 1], None, {"decreasing": True}, True),
        ([3, NAN, 1], None, {"decreasing": True}, False),
        ([NAN], None, {"decreasing": True}, False),
        (np.array([1.0, 2.0]), None, {"increasing": True}, True),
        (SPREADS, None, {"ordered": ["sgd", "adam", "lion"]}, True),
        (SPREADS, None, {"ordered": ["adam", "sgd"]}, False),
        (SPREADS, None, {"largest": "lion", "smallest": "sgd"}, True),
        (SPREADS, None, {"largest": "adam"}, False),
        ([5, 3, 4], None, {"smallest": 1, "ordered": [1, 2, 0]}, True),
        ([3, 3], None, {"largest": 0}, False),
        ({"a": NAN, "b": 1}, None, {"largest": "b"}, False),
    ],
)
def test_bounds_and_orders(
    value: object, literal: object, bounds: dict[str, Any], ok: bool
) -> None:
    verdict = check_claim(value, literal, **bounds)
    assert verdict.ok is ok
    assert verdict.expected and verdict.found


def test_a_verdict_is_in_words() -> None:
    verdict = check_claim(-0.0912345678, "-0.07")
    assert (verdict.expected, verdict.found) == ("rounds to −0.07", "−0.0912346")
    verdict = check_claim(NAN, "1e-11", below=True)
    assert (verdict.expected, verdict.found) == ("below 10⁻¹¹", "NaN")
    verdict = check_claim([0.95, 0.8], "0.9", above=True)
    assert (verdict.expected, verdict.found) == ("above 0.9", "0.8")
    verdict = check_claim(SPREADS, ordered=["adam", "sgd"])
    assert (verdict.expected, verdict.found) == ("adam < sgd", "sgd < adam < lion")
    verdict = check_claim([1, 3, 2], increasing=True)
    assert (verdict.expected, verdict.found) == ("increasing", "3 is followed by 2")
    verdict = check_claim(0.5, below=0.6, above=0.55)
    assert (verdict.expected, verdict.found) == ("below 0.6 and above 0.55", "0.5")


def test_the_literal_is_what_is_printed() -> None:
    shown = check_claim(-0.0735, "-0.07").shown
    assert write_value(shown, Place.PROSE, digits=4) == "−0.07"
    assert write_value(shown, Place.MATH_INLINE, digits=4) == "-0.07"
    assert write_value(check_claim(3.2e-7, "3.20e-7").shown, Place.PROSE, digits=4) == (
        "3.20\u00a0×\u00a010⁻⁷"
    )
    assert check_claim("softmax", "softmax").shown == "softmax"


def test_without_a_literal_the_value_is_printed_in_its_format() -> None:
    assert check_claim(sig(0.123456, 2), between=("0.1", "0.2")).shown == sig(0.123456, 2)
    assert check_claim(0.5, below="0.6").shown == 0.5


@pytest.mark.parametrize(
    ("value", "literal", "bounds"),
    [
        (1e-15, "1e-11", {"below": True}),
        (-1e-15, "1e-11", {"at_most": True}),
        (1001.0, "1", {"above": True}),
        (0.001, "-10", {"above": True}),
        (1e-9, None, {"between": ("-1", "1")}),
        (0.0001, None, {"near": "0", "within": "1"}),
        (1e-9, "0.00", {}),
        ([1.0], None, {"increasing": True}),
        ({"a": 1}, None, {"largest": "a"}),
        (SPREADS, None, {"ordered": ["sgd"]}),
    ],
)
def test_a_claim_that_nothing_could_break_is_weak(
    value: object, literal: object, bounds: dict[str, Any]
) -> None:
    verdict = check_claim(value, literal, **bounds)
    assert verdict.ok and verdict.weak


@pytest.mark.parametrize(
    ("value", "literal", "bounds"),
    [
        (3e-13, "1e-11", {"below": True}),
        (0.0, "1e-11", {"below": True}),
        (0.5, "0", {"above": True}),
        (0.5, None, {"below": "600", "above": "0.4"}),
        (0.0735, "0.07", {}),
        (0.0, "0", {}),
        ([1.0, 2.0], None, {"increasing": True}),
        (5.0, "1e-11", {"below": True}),
    ],
)
def test_a_claim_that_could_fail_is_not_weak(
    value: object, literal: object, bounds: dict[str, Any]
) -> None:
    assert not check_claim(value, literal, **bounds).weak


@pytest.mark.parametrize(
    ("value", "literal", "bounds", "says"),
    [
        (0.5, None, {}, "says nothing"),
        (0.5, None, {"below": True}, "bound is missing"),
        (0.5, "about half", {}, "is not a number"),
        (0.5, None, {"between": ("0.2", "0.1")}, "wrong way round"),
        (0.5, None, {"between": "0.2"}, "two bounds"),
        (0.5, "0.5", {"near": True}, "needs `within`"),
        (0.5, "0", {"magnitude": True}, "no order of magnitude"),
        (0.5, None, {"increasing": True}, "only a list"),
        (0.5, None, {"largest": "a"}, "only a list or a mapping"),
        (SPREADS, None, {"largest": "adamw"}, "no `adamw`"),
        (SPREADS, "0.5", {}, "a mapping is no number"),
        ([], "0.5", {}, "nothing in the list"),
        (None, "0.5", {}, "not a number"),
        (1j, "0.5", {}, "not a number"),
        ("0.5", None, {"below": "1"}, "not a number"),
    ],
)
def test_a_claim_without_sense_is_refused(
    value: object, literal: object, bounds: dict[str, Any], says: str
) -> None:
    with pytest.raises(Refused, match=says):
        check_claim(value, literal, **bounds)


def test_a_condition_binds_a_sentence() -> None:
    verdict = check_condition(True, "peak > 0.9", {"peak": 0.97})
    assert (verdict.ok, verdict.expected, verdict.found) == (True, "peak > 0.9", "peak is 0.97")
    verdict = check_condition(np.bool_(False), "a < b", {"a": 2, "b": 1.5})
    assert (verdict.ok, verdict.found) == (False, "a is 2, b is 1.5")
    assert check_condition(True, "1 < 2").weak
    assert not check_condition(True, "a != b", {"a": NAN, "b": 1}).ok
    with pytest.raises(Refused, match="neither true nor false"):
        check_condition([True], "flags", {"flags": [True]})


@settings(deadline=None)
@given(st.floats(-1e9, 1e9), st.integers(1, 6), st.floats(1.01, 50), st.booleans())
def test_a_change_beyond_the_printed_precision_breaks_a_claim(
    value: float, digits: int, factor: float, up: bool
) -> None:
    text = write_plain(sci(value, digits), Notation.CODE, digits)
    assert check_claim(value, text).ok
    step = float(parse_literal(text).unit) * factor
    moved = float(Decimal(text) + Decimal(step if up else -step) / 1)
    assume(abs(moved - float(text)) > float(parse_literal(text).unit) * 0.51)
    assert not check_claim(moved, text).ok


@settings(deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False))
def test_bounds_agree_with_python(value: float, bound: float) -> None:
    assert check_claim(value, below=bound).ok is (value < bound)
    assert check_claim(value, above=bound).ok is (value > bound)
    assert check_claim(value, at_most=bound).ok is (value <= bound)
    assert check_claim(value, at_least=bound).ok is (value >= bound)


@settings(deadline=None)
@given(st.lists(st.floats(allow_nan=True), min_size=2, max_size=6))
def test_monotonic_agrees_with_python(values: list[float]) -> None:
    pairs = list(pairwise(values))
    assert check_claim(values, increasing=True).ok is all(a < b for a, b in pairs)
    assert check_claim(values, decreasing="weakly").ok is all(a >= b for a, b in pairs)


def test_the_factor_is_the_stated_one() -> None:
    bound = Number("1", "literal")
    assert check_claim(1.01 / WEAK_FACTOR, bound, below=True).weak == ""
    assert check_claim(0.99 / WEAK_FACTOR, bound, below=True).weak


@pytest.mark.parametrize(
    ("value", "literal", "bounds", "expected", "found"),
    [
        (0.00747, "0.01%", {"below": True}, "below 0.01%", "0.747%"),
        (0.123, "12.4%", {}, "rounds to 12.4%", "12.3%"),
        (0.25, None, {"between": ("10%", "20%")}, "between 10% and 20%", "25%"),
        (0.25, None, {"between": (0.1, "20%")}, "between 10% and 20%", "25%"),
        (0.61, "50%", {"within": "5%"}, "within 5% of 50%", "61%"),
        (0.00032, "1e-11", {"below": True}, "below 10⁻¹¹", "3.2 × 10⁻⁴"),
        (0.5, "1e-3", {"magnitude": True}, "of the order of 10⁻³", "5 × 10⁻¹"),
        (1234567.25, "1,000,000", {"below": True}, "below 1,000,000", "1,234,567"),
        (1234567, "1200000", {"below": True}, "below 1200000", "1234567"),
        (0.000012, "0.00001", {"below": True}, "below 0.00001", "0.000012"),
        (0.0017, None, {"below": si(0.0015, "s")}, "below 1.5 ms", "1.7 ms"),
        (2048, None, {"below": binary(1024)}, "below 1 KiB", "2 KiB"),
        (si(0.0017, "s"), None, {"below": 0.0015}, "below 1.5 ms", "1.7 ms"),
        (percent(0.25, 0), None, {"below": 0.2}, "below 20%", "25%"),
        (thousands(20480), None, {"below": 10000}, "below 10,000", "20,480"),
        (unit(12.5, "ms"), None, {"below": 12}, "below 12 ms", "12.5 ms"),
        (sig(0.6789, 2), "0.5", {"below": True}, "below 0.5", "0.6789"),
        (percent(0.25, 0), "0.2", {"below": True}, "below 0.2", "0.25"),
        (math.inf, "1%", {"below": True}, "below 1%", "∞"),
        (NAN, "1%", {"below": True}, "below 1%", "NaN"),
        (1e-30, "1", {"above": True}, "above 1", "10⁻³⁰"),
    ],
)
def test_what_was_found_has_the_form_of_what_was_claimed(
    value: object, literal: object, bounds: dict[str, Any], expected: str, found: str
) -> None:
    verdict = check_claim(value, literal, **bounds)
    told = [re.sub("[\u00a0\u202f]", " ", text) for text in (verdict.expected, verdict.found)]
    assert not verdict.ok
    assert told == [expected, found]


@pytest.mark.parametrize(
    ("value", "literal", "bounds", "expected", "found"),
    [
        (0.10000000001, "0.1", {"below": True}, "below 0.1", "0.10000000001"),
        (0.1 + 0.2, "0.3", {"at_most": True}, "at most 0.3", "0.30000000000000004"),
        (0.735412391, None, {"below": 0.73541239}, "below 0.73541239", "0.735412391"),
        (1.0000005, "100%", {"at_most": True}, "at most 100%", "100.00005%"),
        (0.5000001, "5.0000000e-1", {}, "rounds to 5.0000000 × 10⁻¹", "5.000001 × 10⁻¹"),
    ],
)
def test_as_many_digits_are_told_as_show_why_it_fails(
    value: object, literal: object, bounds: dict[str, Any], expected: str, found: str
) -> None:
    verdict = check_claim(value, literal, **bounds)
    assert not verdict.ok
    assert (verdict.expected.replace("\u00a0", " "), verdict.found.replace("\u00a0", " ")) == (
        expected,
        found,
    )


def test_a_condition_tells_values_apart() -> None:
    verdict = check_condition(False, "a < b", {"a": 0.73541239, "b": 0.73541238})
    assert verdict.found == "a is 0.73541239, b is 0.73541238"
