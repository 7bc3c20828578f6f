"""The form of a claimed number, so that what was found reads like it: `0.747%` beside `0.01%`."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from generator.claims.quantities import decimal_of, describe, typed_literal, unwrap
from generator.spots import Notation
from generator.values import Number, Refused
from generator.values.digits import (
    Digits,
    exponent_of,
    parse_literal,
    positional,
    round_fixed,
    scientific,
    to_decimal,
)
from generator.values.notation import write_digits

_SMALLEST_POSITIONAL, _LARGEST_POSITIONAL = -7, 14
"""Powers of ten of the first digit beyond which zeros would have to be counted."""
_PREFIXED = ("sci", "si", "binary")


def form_of(*candidates: object) -> Number:
    """The form of the first candidate that has one: a literal as typed, or a formatted number."""
    for candidate in candidates:
        if isinstance(candidate, Number) and candidate.style != "literal":
            return candidate
        if isinstance(candidate, str | Number):
            try:
                return _form_of_literal(parse_literal(str(unwrap(candidate))).digits)
            except Refused:
                continue
    return Number(0)


def _form_of_literal(digits: Digits) -> Number:
    if digits.suffix == "%":
        return Number(0, "percent")
    return Number(0, "general" if digits.exponent is None else "sci", grouped=digits.grouped)


def write_like(value: object, form: Number, digits: int) -> str:
    """A number in that form, with at least `digits` significant digits, zeros at the end dropped.

    The whole part is never rounded away.
    """
    try:
        number = to_decimal(value)
    except Refused:
        return describe(value)
    if not number.is_finite():
        return describe(value)
    if form.style in _PREFIXED:
        return describe(replace(form, value=value, digits=None), digits)
    if form.style == "percent":
        number = number.scaleb(2)
    made = _plain_digits(number, digits, grouped=form.grouped)
    if form.style == "percent":
        made = replace(made, suffix="%")
    return write_digits(made, Notation.PROSE, form.unit)


def _plain_digits(number: Decimal, digits: int, *, grouped: bool) -> Digits:
    exponent = exponent_of(number)
    rounded = round_found(number, digits)
    if _SMALLEST_POSITIONAL <= exponent <= _LARGEST_POSITIONAL:
        return positional(rounded, strip=True, grouped=grouped)
    return scientific(rounded, strip=True)


def write_bound(bound: object, form: Number, digits: int) -> str:
    """A bound as the sentence shows it: a literal as typed, a number in the form."""
    shown = typed_literal(bound)
    if isinstance(shown, Number):
        return describe(shown, digits)
    return write_like(unwrap(bound), form, digits)


def rounded_bounds(bounds: tuple[object, ...], digits: int) -> list[Decimal]:
    """The bounds as they are printed: literals in full, numbers with so many digits."""
    numbers = [(bound, decimal_of(bound)) for bound in bounds]
    return [
        number if _is_literal(bound) else round_found(number, digits)
        for bound, number in numbers
        if number.is_finite()
    ]


def _is_literal(bound: object) -> bool:
    return isinstance(bound, str) or (isinstance(bound, Number) and bound.style == "literal")


def round_found(number: Decimal, digits: int) -> Decimal:
    """A number as `write_like` rounds it."""
    return round_fixed(number, max(digits - 1 - exponent_of(number), 0))
