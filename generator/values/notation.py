"""From digits to characters: the prose, math and code notations of one number."""

from __future__ import annotations

import re

from generator.spots import Notation
from generator.values.digits import Digits
from generator.values.kinds import Refused

MINUS = "\u2212"
THIN_SPACE = "\u202f"
"""Narrow and no-break: a number and its unit never part at a line's end."""
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_UNIT = re.compile(r"[A-Za-zµμΩ°%/·*^0-9 ²³⁻¹.()-]*")
_SPECIAL = {
    ("inf", Notation.PROSE): "∞",
    ("inf", Notation.MATH): r"\infty",
    ("nan", Notation.PROSE): "NaN",
    ("nan", Notation.MATH): r"\mathrm{NaN}",
}


def write_digits(digits: Digits, notation: Notation, unit: str = "") -> str:
    """The number in one notation, with its unit. A lone 1 before a power of ten is left out,
    unless it came from rounding."""
    minus = MINUS if notation is Notation.PROSE else "-"
    body = _SPECIAL.get((digits.mantissa, notation), digits.mantissa)
    if digits.grouped:
        body = group_thousands(body, "{,}" if notation is Notation.MATH else ",")
    power = write_power(digits.exponent, notation)
    if power and body == "1" and not digits.is_rounded and notation is not Notation.CODE:
        sign = "×\u00a0" if notation is Notation.PROSE else r"\times "
        body, power = "", power.partition(sign)[2]
    text = (minus if digits.negative else "") + body + power
    if digits.suffix == "%":
        return text + (r"\%" if notation is Notation.MATH else "%")
    return text + write_unit(digits.suffix + unit, notation)


def write_power(exponent: int | None, notation: Notation) -> str:
    """The power of ten behind a mantissa; empty where there is none."""
    if exponent is None:
        return ""
    if notation is Notation.CODE:
        return f"e{exponent:+03d}"
    if notation is Notation.MATH:
        return rf" \times 10^{{{exponent}}}"
    return "\u00a0×\u00a010" + str(exponent).translate(_SUPERSCRIPTS)


def group_thousands(text: str, separator: str) -> str:
    """The whole part's digits in groups of three."""
    whole, point, fraction = text.partition(".")
    if not whole.isdigit():
        return text
    return f"{int(whole):,}".replace(",", separator) + point + fraction


def write_unit(unit: str, notation: Notation) -> str:
    """A unit with the space before it; empty when there is none."""
    if not unit:
        return ""
    if not _UNIT.fullmatch(unit):
        raise Refused(f"“{unit}” is not a unit", "units are letters, digits and / · * ^ ² ³ °")
    if notation is Notation.PROSE:
        return (THIN_SPACE + unit) if unit != "°" else unit
    if notation is Notation.CODE:
        return " " + unit.replace("µ", "u").replace("μ", "u")
    return r"\," + _math_unit(unit)


def _math_unit(unit: str) -> str:
    unit = unit.replace("²", "^{2}").replace("³", "^{3}").replace("⁻¹", "^{-1}")
    unit = re.sub(r"\^(-?\d+)", r"^{\1}", unit)
    for sign, tex in (("%", r"\%"), ("·", r"\cdot "), ("*", r"\cdot "), ("°", r"^{\circ}")):
        unit = unit.replace(sign, tex)
    unit = unit.replace("Ω", r"\Omega ").replace("μ", "µ")
    return "".join(
        r"\mu " if part == "µ" else rf"\mathrm{{{part}}}" for part in re.split("(µ)", unit) if part
    )
