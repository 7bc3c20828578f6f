"""What claims compare: results, literals and bounds as numbers, and in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from generator.spots import Notation
from generator.values import Number, Refused
from generator.values.digits import parse_literal, to_decimal
from generator.values.kinds import is_measure
from generator.values.plain import to_python, write_plain
from generator.values.uncertain import to_measure

FOUND_DIGITS = 6
"""Significant digits of what was found, unless it takes more to see why a claim fails."""
MOST_FOUND_DIGITS = 17
"""Digits that tell any two floats apart."""


def describe(value: object, digits: int = FOUND_DIGITS) -> str:
    """A value in words, for messages."""
    try:
        return write_plain(value, Notation.PROSE, digits)
    except Refused:
        return "NaN" if has_nan(value) else repr(value)


def typed_literal(literal: object) -> object:
    """A literal as a number that prints as typed; anything else as it is."""
    if isinstance(literal, Number) or not isinstance(literal, str):
        return literal
    try:
        parse_literal(literal)
    except Refused:
        return literal
    return Number(literal, "literal")


def unwrap(value: object) -> Any:
    """The plain value in a formatted number, a measure or a numpy scalar."""
    value = value.value if isinstance(value, Number) else value
    value = to_python(value)
    if is_measure(value):
        return to_measure(value).nominal
    return value


def decimal_of(value: object) -> Decimal:
    """A number, or a literal's number."""
    value = unwrap(value)
    return parse_literal(value).value if isinstance(value, str) else to_decimal(value)


def numbers_in(value: Any) -> list[Any]:
    """The numbers in a value: itself, or those of a list at any depth."""
    if isinstance(value, list | tuple):
        items = [item for part in value for item in numbers_in(to_python(part))]
        if not items:
            raise Refused("there is nothing in the list to make a claim about")
        return items
    if isinstance(value, Mapping):
        raise Refused("a mapping is no number", "claim something of one of its values")
    return [unwrap(value)]


def has_nan(value: object) -> bool:
    """Whether the value is a NaN or a list that holds one."""
    value = unwrap(value)
    if isinstance(value, list | tuple):
        return any(has_nan(item) for item in value)
    return isinstance(value, float | Decimal) and math.isnan(value)
