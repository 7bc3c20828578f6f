"""The numbers that a template can show, and the one that a numeral repeats."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from generator.frozen import dataclass
from generator.numerals.scanning import Numeral
from generator.places.matter import split_matter
from generator.values import Measure, Refused
from generator.values.digits import parse_literal, to_decimal

LARGEST_SMALL = 20
"""Integers up to this one are too common to mean a result."""
LONGEST_LIST = 20
"""Items of longer lists coincide with too much."""
_YEARS = range(1900, 2101)
ROUND = frozenset({"1", "2", "5", "25", "75"})
"""Digits of numbers such as 0.5 and 0.25, which mean themselves more often than a result."""


@dataclass(frozen=True, slots=True)
class Source:
    """A number that a template can show."""

    expression: str
    """How a tag names it: `fit.slope`."""
    value: Decimal
    """What it is."""
    kind: str
    """`result`, `item` (of a list) or `param`."""


def result_sources(results: Mapping[str, object]) -> Iterator[Source]:
    for name, value in results.items():
        yield from _walk(name, value, "result")


def param_sources(template: str, params: Mapping[str, object] | None) -> Iterator[Source]:
    for name, value in (_read_params(template) if params is None else params).items():
        yield from _walk(f"params.{name}", value, "param")


def _read_params(template: str) -> Mapping[str, object]:
    if "params:" not in template:
        return {}
    head = re.sub(r"<%.*?%>", "x", split_matter(template)[0], flags=re.DOTALL)
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        front = next(yaml.load_all(head, Loader=loader), None)  # a safe loader either way
    except Exception:  # YAML's own, and what the constructors of its tags and dates raise
        return {}
    params = front.get("params") if isinstance(front, dict) else None
    return params if isinstance(params, dict) else {}


def _walk(name: str, value: Any, kind: str) -> Iterator[Source]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            plain = isinstance(key, str) and key.isidentifier()
            yield from _walk(f"{name}.{key}" if plain else f"{name}[{key!r}]", item, kind)
    elif isinstance(value, list | tuple):
        if len(value) <= LONGEST_LIST:
            for index, item in enumerate(value):
                yield from _walk(f"{name}[{index}]", item, "item" if kind == "result" else kind)
    elif isinstance(value, Measure):
        yield from _walk(f"{name}.nominal", value.nominal, kind)
        yield from _walk(f"{name}.std", value.std, kind)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        number = to_decimal(value)
        if number.is_finite():
            yield Source(name, number, kind)


def match_source(numeral: Numeral, sources: list[Source]) -> Source | None:
    """The result, or failing that the parameter, that the numeral repeats."""
    try:
        typed = parse_literal(numeral.literal)
    except Refused:
        return None
    matching = (source for source in sources if _repeats(numeral, typed.value, typed.unit, source))
    ranks = {"result": 0, "item": 1, "param": 2}
    return min(matching, key=lambda source: ranks[source.kind], default=None)


def _repeats(numeral: Numeral, typed: Decimal, unit: Decimal, source: Source) -> bool:
    values = [source.value, abs(source.value)]
    if (
        typed == typed.to_integral_value()
        and "." not in numeral.literal
        and "%" not in numeral.literal
    ):
        if abs(typed) <= LARGEST_SMALL or (int(typed) in _YEARS and "," not in numeral.literal):
            return False
        if not any(c in numeral.literal for c in "eE"):
            return typed in values
    if "%" in numeral.literal:
        values += [source.value / 100, abs(source.value) / 100]
    digits = re.sub(r"[eE].*|[-.,%]", "", numeral.literal).lstrip("0")
    if (digits.rstrip("0") in ROUND and len(digits) <= 2) or (
        source.kind == "item" and len(digits) < 3
    ):
        return any(abs(value - typed) <= abs(typed) * Decimal("1e-9") for value in values)
    return any(abs(value - typed) * 2 <= unit for value in values)
