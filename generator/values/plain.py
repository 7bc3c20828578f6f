"""A value in one notation, before it is escaped for its place."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from generator.spots import Notation
from generator.values.digits import Digits
from generator.values.escape import check_text, escape_tex
from generator.values.formats import Number
from generator.values.kinds import Md, Measure, Refused, Tex, is_measure
from generator.values.notation import write_digits
from generator.values.styles import digits_of
from generator.values.uncertain import to_measure, write_measure

LONGEST_LIST = 10
"""Longer lists are printed as their first and last items with an ellipsis between."""
SHOWN_AT_ENDS = 3


def write_plain(value: object, notation: Notation, digits: int) -> str:
    """A value in one notation, not yet escaped for its place."""
    value = to_python(value)
    if isinstance(value, Number):
        return _write_number(value, notation, digits)
    if isinstance(value, bool):
        return _write_word("true" if value else "false", notation)
    if isinstance(value, int | float | Decimal | complex) or hasattr(value, "denominator"):
        return _write_number(Number(value), notation, digits)
    if is_measure(value):
        return write_measure(to_measure(value), notation, brief=False, digits=None)
    if isinstance(value, dt.date | dt.time):
        text = value.isoformat(" ") if isinstance(value, dt.datetime) else value.isoformat()
        return _write_word(text, notation)
    if isinstance(value, Mapping):
        return _write_mapping(value, notation, digits)
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, str | bytes):
        items = sorted(value, key=repr) if isinstance(value, set | frozenset) else list(value)
        return _write_list(items, notation, digits, Number(0))
    if isinstance(value, str):
        return escape_tex(check_text(value)) if notation is Notation.MATH else check_text(value)
    if isinstance(value, Tex | Md):
        return value.source
    if value is None:
        raise Refused("there is no value (None)", "return a value, or leave the tag out with `if`")
    raise Refused(
        f"a {type(value).__name__} can't be printed",
        "return a number, text, date, list, mapping or block",
    )


def to_python(value: Any) -> Any:
    """numpy scalars and arrays as Python's own numbers and lists, without importing numpy."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return value
    if isinstance(value, numpy.datetime64):
        return value.item() if not numpy.isnat(value) else None
    if isinstance(value, numpy.longdouble):
        return float(value)
    if isinstance(value, numpy.generic | numpy.ndarray):
        return value.tolist()
    return value


def _write_number(number: Number, notation: Notation, digits: int) -> str:
    value = to_python(number.value)
    if isinstance(value, list | tuple):
        return _write_list(list(value), notation, digits, number)
    if isinstance(value, complex):
        return _write_complex(replace(number, value=value), notation, digits)
    if is_measure(value):
        return _write_measured(replace(number, value=value), notation)
    return write_digits(digits_of(replace(number, value=value), digits), notation, number.unit)


def _write_measured(number: Number, notation: Notation) -> str:
    if number.style not in ("general", "plus_minus", "short"):
        raise Refused(
            f"the value has an uncertainty, which `{number.style}` would drop",
            "print it with `plus_minus` or `short`, or format its `.nominal`",
        )
    brief, measure = number.style == "short", to_measure(number.value)
    return write_measure(measure, notation, brief=brief, digits=number.digits, unit=number.unit)


def _write_complex(number: Number, notation: Notation, digits: int) -> str:
    real = digits_of(replace(number, value=number.value.real), digits)
    imag = digits_of(replace(number, value=number.value.imag), digits)
    size = write_digits(Digits(False, imag.mantissa, imag.exponent, imag.grouped), notation)
    first = write_digits(real, notation)
    if notation is Notation.CODE:
        return f"({first}{'-' if imag.negative else '+'}{size}j)"
    minus = "\u2212" if notation is Notation.PROSE else "-"
    gap = "" if imag.exponent is None else (" " if notation is Notation.PROSE else r"\,")
    return f"{first} {minus if imag.negative else '+'} {size}{gap}i"


def _write_word(text: str, notation: Notation) -> str:
    return rf"\text{{{text}}}" if notation is Notation.MATH else text


def _write_list(items: list[Any], notation: Notation, digits: int, like: Number) -> str:
    """Items with commas, long lists elided; lists inside lists get brackets."""
    items = [to_python(item) for item in items]
    shown: list[Any] = items
    if len(items) > LONGEST_LIST:
        shown = [*items[:SHOWN_AT_ENDS], ..., *items[-SHOWN_AT_ENDS:]]
    dots = {Notation.PROSE: "…", Notation.MATH: r"\ldots", Notation.CODE: "..."}[notation]
    parts = [dots if x is ... else _write_item(x, notation, digits, like) for x in shown]
    text = ", ".join(parts)
    return f"[{text}]" if notation is Notation.CODE else text


def _write_item(item: Any, notation: Notation, digits: int, like: Number) -> str:
    if isinstance(item, list | tuple):
        inner = _write_list(list(item), notation, digits, like)
        return inner if notation is Notation.CODE else f"[{inner}]"
    if isinstance(item, str) and notation is Notation.CODE:
        return repr(check_text(item))
    if isinstance(item, int | float | complex | Measure) and not isinstance(item, bool):
        return _write_number(replace(like, value=item), notation, digits)
    return write_plain(item, notation, digits)


def _write_mapping(value: Mapping[Any, Any], notation: Notation, digits: int) -> str:
    if notation is Notation.MATH:
        raise Refused("a mapping can't be written in math", "write its values one by one")
    plain = Number(0)
    pairs = (
        f"{_write_item(key, notation, digits, plain)}: {_write_item(item, notation, digits, plain)}"
        for key, item in value.items()
    )
    text = ", ".join(pairs)
    return "{" + text + "}" if notation is Notation.CODE else text


def is_single_number(value: object) -> bool:
    """Whether the value prints as one number."""
    value = to_python(value)
    if isinstance(value, Number):
        return not isinstance(to_python(value.value), list | tuple)
    return isinstance(value, int | float | complex | Decimal) or is_measure(value)
