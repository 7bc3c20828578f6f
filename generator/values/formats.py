"""Ways to print a number: what `sig`, `fixed`, `percent`, … return, in templates and in tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

from generator.frozen import dataclass
from generator.values.digits import parse_literal, to_decimal
from generator.values.kinds import Measure, Refused, is_measure

Style = Literal[
    "general", "sig", "fixed", "sci", "percent", "si", "binary", "plus_minus", "short", "literal"
]

MOST_DIGITS = 300


@dataclass(frozen=True, slots=True)
class Number:
    """A value, or a list of values, with the way it is to be printed."""

    value: Any
    """The number as it was computed."""
    style: Style = "general"
    """The way to print it."""
    digits: int | None = None
    """Significant digits, or digits after the point (`fixed`, `percent`); None: the site's."""
    unit: str = ""
    """The unit behind it."""
    grouped: bool = False
    """Whether the whole part is grouped by thousands."""
    nan: bool = False
    """Whether NaN may be printed."""

    def __float__(self) -> float:
        return float(self.value)

    def __str__(self) -> str:
        from generator.spots import Place
        from generator.values.writing import write_value

        return write_value(self, Place.PROSE, digits=4)


def _number(value: Any) -> Number:
    """The value as a `Number`; raises `Refused` for what holds no number."""
    if isinstance(value, Number):
        return value
    if isinstance(value, bool | str | bytes) or value is None:
        raise Refused(f"{value!r} is not a number", "formats are for numbers and lists of numbers")
    return Number(value)


def _count(digits: Any, least: int) -> int | None:
    if digits is None:
        return None
    if isinstance(digits, bool) or not isinstance(digits, int):
        raise Refused(f"{digits!r} is not a number of digits")
    if not least <= digits <= MOST_DIGITS:
        raise Refused(f"{digits} digits can't be printed", f"{least} to {MOST_DIGITS} can")
    return digits


def _name_of(unit: Any) -> str:
    if not isinstance(unit, str):
        raise Refused(f"{unit!r} is not a unit's name", 'units are strings: "ms"')
    return unit


def sig(value: Any, digits: int | None = None) -> Number:
    """`digits` significant digits, zeros at the end kept: `sig(0.5, 3)` is 0.500."""
    return replace(_number(value), style="sig", digits=_count(digits, 1))


def fixed(value: Any, digits: int = 2) -> Number:
    """`digits` digits after the point: `fixed(0.5, 2)` is 0.50."""
    return replace(_number(value), style="fixed", digits=_count(digits, 0))


def sci(value: Any, digits: int | None = None) -> Number:
    """A power of ten with `digits` significant digits: `sci(0.00032, 2)` is 3.2 × 10⁻⁴."""
    return replace(_number(value), style="sci", digits=_count(digits, 1))


def percent(value: Any, digits: int | None = None) -> Number:
    """A share as a percentage, `digits` digits after the point: `percent(0.1234, 1)` is 12.3%."""
    return replace(_number(value), style="percent", digits=_count(digits, 0))


def si(value: Any, unit: str = "", digits: int | None = None) -> Number:
    """A quantity with an SI prefix: `si(1530, "m")` is 1.53 km."""
    return replace(_number(value), style="si", unit=_name_of(unit), digits=_count(digits, 1))


def binary(value: Any, unit: str = "B", digits: int | None = None) -> Number:
    """A quantity with a binary prefix: `binary(1536)` is 1.5 KiB."""
    return replace(_number(value), style="binary", unit=_name_of(unit), digits=_count(digits, 1))


def thousands(value: Any, digits: int | None = None) -> Number:
    """The whole part in groups of three: `thousands(1234567)` is 1,234,567."""
    number = replace(_number(value), grouped=True)
    if digits is not None or number.style == "general":
        number = replace(number, style="fixed", digits=_count(digits or 0, 0))
    return number


def unit(value: Any, name: str) -> Number:
    """The number with a unit behind it: `unit(12, "ms")` is 12 ms."""
    return replace(_number(value), unit=_name_of(name))


def plus_minus(value: Any, error: Any = None, digits: int | None = None) -> Number:
    """A value with its uncertainty, rounded to its `digits`: 0.0735 ± 0.0021."""
    return replace(_measured(value, error), style="plus_minus", digits=_count(digits, 1))


def short(value: Any, error: Any = None, digits: int | None = None) -> Number:
    """The same in short: 0.0735(21)."""
    return replace(_measured(value, error), style="short", digits=_count(digits, 1))


def _measured(value: Any, error: Any) -> Number:
    number = _number(value)
    if error is not None:
        error = error.value if isinstance(error, Number) else error
        measure = Measure(float(to_decimal(number.value)), float(to_decimal(error)))
        return replace(number, value=measure)
    if not isinstance(number.value, list | tuple) and not is_measure(number.value):
        raise Refused("the value has no uncertainty", "give it as the second argument")
    return number


def literal(text: Any) -> Number:
    """A number as typed, so that the check for numerals typed by hand leaves it alone."""
    parse_literal(str(text))
    return Number(str(text), "literal")


def allow_nan(value: Any) -> Number:
    """The value, which may be NaN."""
    return replace(_number(value), nan=True)


FORMATS: dict[str, Callable[..., Number]] = {
    form.__name__: form
    for form in (
        *(sig, fixed, sci, percent, si, binary, thousands, unit),
        *(plus_minus, short, literal, allow_nan),
    )
}
"""Every format by the name under which templates call it, as a filter or as a function."""


def parse_format(text: str) -> Callable[[object], Number]:
    """Read `fixed(3)`, `percent` or `sig(3) | thousands`; raises `Refused` when it is no format."""
    steps = [_parse_step(part) for part in text.split("|")]

    def apply(value: object) -> Number:
        for form, args, kwargs in steps:
            try:
                value = form(value, *args, **kwargs)
            except TypeError:  # `unit` without a name, or a name that there is not
                hint = "give the format its arguments: `unit('ms')`, `fixed(3)`"
                raise Refused(f"“{text.strip()}” is not a format", hint) from None
        return _number(value)

    return apply


def _parse_step(text: str) -> tuple[Callable[..., Number], list[Any], dict[str, Any]]:
    hint = "formats are " + ", ".join(f"`{name}`" for name in FORMATS)
    import ast

    try:
        node = ast.parse(text.strip(), mode="eval").body
        call = node if isinstance(node, ast.Call) else ast.Call(node, [], [])
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        args = [ast.literal_eval(arg) for arg in call.args]
        kwargs = {word.arg: ast.literal_eval(word.value) for word in call.keywords if word.arg}
    except (SyntaxError, ValueError):
        raise Refused(f"“{text.strip()}” is not a format", hint) from None
    if name not in FORMATS or name == "literal":
        raise Refused(f"“{text.strip()}” is not a format", hint)
    return FORMATS[name], args, kwargs
