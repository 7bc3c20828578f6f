"""The decimal digits of a number in the style that its format asks for."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from generator.values.digits import (
    Digits,
    exponent_of,
    general,
    parse_literal,
    positional,
    round_fixed,
    round_significant,
    scientific,
    significant,
    special_digits,
    to_decimal,
)
from generator.values.formats import Number
from generator.values.kinds import Refused

SI_PREFIXES = {-24: "y", -21: "z", -18: "a", -15: "f", -12: "p", -9: "n", -6: "µ", -3: "m", 0: ""}
SI_PREFIXES |= {3: "k", 6: "M", 9: "G", 12: "T", 15: "P", 18: "E", 21: "Z", 24: "Y"}
BINARY_PREFIXES = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")


def digits_of(number: Number, digits: int) -> Digits:
    """The decimal digits of one number in its style; `digits` is the site's number of them."""
    if number.style == "literal":
        return parse_literal(number.value).digits
    is_whole = isinstance(number.value, int) and not isinstance(number.value, bool)
    if is_whole and number.style == "general":
        return positional(Decimal(number.value), grouped=number.grouped)
    value = to_decimal(number.value)
    if special := special_digits(value):
        if value.is_nan() and not number.nan:
            raise Refused("the value is NaN", "mend the computation, or say `| allow_nan`")
        return special
    made = _finite_digits(number, value, digits)
    return replace(made, grouped=number.grouped) if number.grouped else made


def _finite_digits(number: Number, value: Decimal, digits: int) -> Digits:
    count = number.digits
    match number.style:
        case "sig":
            return significant(value, count or digits)
        case "fixed":
            return positional(round_fixed(value, 2 if count is None else count))
        case "sci":
            rounded = round_significant(value, count or digits)
            return scientific(rounded, strip=count is None, of=value)
        case "percent":
            share = value.scaleb(2)
            made = (
                general(share, digits) if count is None else positional(round_fixed(share, count))
            )
            return replace(made, suffix="%")
        case "si":
            return _prefixed(value, count, digits)
        case "binary":
            return _binary(value, count, digits)
    return general(value, digits)


def _rounded(value: Decimal, count: int | None, digits: int) -> Digits:
    """A prefixed quantity's digits: between 1 and 1000, so never with a power of ten of its own."""
    if count is None:
        return general(value, digits)
    return positional(round_significant(value, count))


def _prefixed(value: Decimal, count: int | None, digits: int) -> Digits:
    rounded = round_significant(value, count or digits)
    power = max(-24, min(24, exponent_of(rounded) // 3 * 3))
    return replace(_rounded(value.scaleb(-power), count, digits), suffix=SI_PREFIXES[power])


def _binary(value: Decimal, count: int | None, digits: int) -> Digits:
    index = 0
    while (
        index < len(BINARY_PREFIXES) - 1 and abs(round_significant(value, count or digits)) >= 1024
    ):
        value /= 1024
        index += 1
    return replace(_rounded(value, count, digits), suffix=BINARY_PREFIXES[index])
