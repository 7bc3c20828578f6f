"""From a number to its decimal digits: rounding, and the choice between `0.0012` and `1.2e-3`."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_EVEN, Context, Decimal, InvalidOperation
from typing import Any

from generator.frozen import dataclass
from generator.values.kinds import Refused

LARGEST_POSITIONAL = 6
"""From 10⁶ on, and below 10⁻⁴, a rounded number is written with a power of ten."""
SMALLEST_POSITIONAL = -4

_WIDE = Context(prec=2000, rounding=ROUND_HALF_EVEN, Emax=10**6, Emin=-(10**6))
_SUPERSCRIPT = re.compile("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_LITERAL = re.compile(
    r"(?P<sign>[-+]?)(?:10\^\{?(?P<lone>-?\d+)\}?|"
    r"(?P<whole>\d{1,3}(?:,\d{3})+|\d*)(?P<fraction>\.\d*)?"
    r"(?:[eE](?P<exponent>[-+]?\d+)|\s*(?:×|x|\*|\\times|\\cdot)\s*10\^\{?(?P<power>-?\d+)\}?)?)"
    r"\s?\\?(?P<percent>%?)"
)


@dataclass(frozen=True, slots=True)
class Digits:
    """A number as it is to be printed, before any notation."""

    negative: bool
    """Whether a minus sign goes first."""
    mantissa: str
    """Digits with an optional point, such as `3.20`; or `inf` or `nan`."""
    exponent: int | None = None
    """The power of ten behind it, where there is one."""
    grouped: bool = False
    """Whether the whole part is grouped by thousands."""
    suffix: str = ""
    """A percent sign, or an SI or binary prefix with its unit."""
    is_rounded: bool = False
    """Whether the number is another one: then 1 × 10⁻⁶ is not a power of ten."""


def to_decimal(value: Any) -> Decimal:
    """The number as the decimal that Python prints for it; `Refused` if it is none."""
    if isinstance(value, bool | str | bytes):
        raise Refused(f"{value!r} is not a number")
    if isinstance(value, Decimal):
        return value
    if isinstance(value, int):
        return Decimal(value)
    if hasattr(value, "denominator"):
        return _WIDE.divide(Decimal(value.numerator), Decimal(value.denominator))
    try:
        return Decimal(repr(float(value)))
    except (TypeError, ValueError):
        raise Refused(f"a {type(value).__name__} is not a number") from None


def exponent_of(number: Decimal) -> int:
    """The power of ten of the first digit; 0 for zero."""
    return number.adjusted() if number else 0


def round_fixed(number: Decimal, places: int) -> Decimal:
    """The number rounded to so many digits after the point (half to even)."""
    try:
        return number.quantize(Decimal(1).scaleb(-places), context=_WIDE)
    except InvalidOperation:
        raise Refused("the number has too many digits to be printed", "use `sci`") from None


def round_significant(number: Decimal, count: int) -> Decimal:
    """The number rounded to so many significant digits."""
    if not number:
        return round_fixed(number, count - 1)
    rounded = round_fixed(number, count - 1 - number.adjusted())
    if rounded.adjusted() > number.adjusted():
        rounded = round_fixed(rounded, count - 1 - rounded.adjusted())
    return rounded


def special_digits(number: Decimal) -> Digits | None:
    """The digits of an infinity or a NaN; None for all other numbers."""
    if number.is_finite():
        return None
    return Digits(number.is_signed() and number.is_infinite(), "nan" if number.is_nan() else "inf")


def positional(number: Decimal, *, strip: bool = False, grouped: bool = False) -> Digits:
    """Digits without a power of ten. `strip` drops zeros at the end of the fraction."""
    text = f"{abs(number):f}"
    if strip and "." in text:
        text = text.rstrip("0").rstrip(".")
    return Digits(number < 0, text, grouped=grouped)


def scientific(number: Decimal, *, strip: bool = False, of: Decimal | None = None) -> Digits:
    """Digits with one digit before the point and a power of ten; `of` was rounded to `number`."""
    exponent = exponent_of(number)
    shifted = positional(number.scaleb(-exponent, context=_WIDE), strip=strip)
    is_rounded = of is not None and of != number
    return Digits(shifted.negative, shifted.mantissa, exponent, is_rounded=is_rounded)


def significant(number: Decimal, count: int, *, strip: bool = False) -> Digits:
    """Digits rounded to `count` significant ones, with a power of ten where zeros would pile up."""
    rounded = round_significant(number, count)
    exponent = exponent_of(rounded)
    if exponent < SMALLEST_POSITIONAL or exponent >= max(count, LARGEST_POSITIONAL):
        return scientific(rounded, strip=strip, of=number)
    return positional(rounded, strip=strip)


def general(number: Decimal, count: int) -> Digits:
    """How a bare float prints: at most `count` significant digits, no zeros at the end, and a whole
    part below a million is never rounded away (1234.5 at three digits is 1234)."""
    exponent = exponent_of(number)
    if count <= exponent + 1 <= LARGEST_POSITIONAL:
        return positional(round_fixed(number, 0))
    return significant(number, count, strip=True)


@dataclass(frozen=True, slots=True)
class Literal:
    """A number as its author typed it."""

    digits: Digits
    """The digits as typed."""
    value: Decimal
    """The number they stand for, percent sign included."""
    unit: Decimal
    """One unit of its last digit."""


def parse_literal(text: str) -> Literal:
    """Read `-0.07`, `3.2e-7`, `3.2 × 10⁻⁷`, `10^{-7}`, `12%` or `1,024`; raises `Refused` for all
    else. Every digit counts: 1200 is a number between 1199.5 and 1200.5."""
    plain = _SUPERSCRIPT.sub(lambda m: "^" + m[0].translate(_SUPERSCRIPTS), text.strip())
    match = _LITERAL.fullmatch(plain.replace("\u2212", "-"))
    whole = "1" if match and match["lone"] else (match["whole"] if match else "")
    fraction = (match["fraction"] or "").strip(".") if match else ""
    if match is None or not (whole or fraction):
        raise Refused(f"“{text}” is not a number", "write it as -0.07, 3.2e-7, 12% or 1,024")
    power = match["exponent"] or match["power"] or match["lone"]
    if power and len(power) > 5:
        raise Refused(f"“{text}” is too large or too small a number", "powers of ten go to 9999")
    exponent = int(power) if power else None
    mantissa = (whole.replace(",", "") or "0") + ("." + fraction if fraction else "")
    scale = (exponent or 0) - (2 if match["percent"] else 0)
    value = Decimal(match["sign"] + mantissa).scaleb(scale, context=_WIDE)
    unit = Decimal(1).scaleb(scale - len(fraction), context=_WIDE)
    digits = Digits(match["sign"] == "-", mantissa, exponent, "," in whole, match["percent"])
    return Literal(digits, value, unit)
