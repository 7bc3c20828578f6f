"""What claims say of the order of several values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any

from generator.claims.comparisons import Check
from generator.claims.quantities import describe, unwrap
from generator.values import Refused
from generator.values.digits import to_decimal


def check_monotonic(value: Any, increasing: bool | str, decreasing: bool | str) -> list[Check]:
    """A list that goes one way; "weakly" lets neighbours be equal."""
    if not isinstance(value, list | tuple):
        raise Refused("only a list can be increasing or decreasing")
    numbers = [to_decimal(unwrap(item)) for item in value]
    checks = []
    for word, wanted, is_step in (
        ("increasing", increasing, Decimal.__lt__),
        ("decreasing", decreasing, Decimal.__gt__),
    ):
        if not wanted:
            continue
        weakly = wanted == "weakly"
        steps = [
            (a, b)
            for a, b in pairwise(numbers)
            if a.is_nan() or b.is_nan() or not (is_step(a, b) or (weakly and a == b))
        ]
        found = f"{describe(steps[0][0])} is followed by {describe(steps[0][1])}" if steps else word
        weak = "the list has fewer than two items" if len(numbers) < 2 else ""
        expected = ("weakly " if weakly else "") + word
        known = not any(number.is_nan() for number in numbers)
        checks.append(Check(known and not steps, expected, found, weak))
    return checks


def check_ranks(
    value: Any, ordered: Sequence[object] | None, largest: object, smallest: object
) -> list[Check]:
    """A mapping's keys, or a list's indices, in the order of their values."""
    if ordered is None and largest is None and smallest is None:
        return []
    if isinstance(value, list | tuple):
        value = dict(enumerate(value))
    if not isinstance(value, Mapping):
        raise Refused("only a list or a mapping has an order")
    numbers = {key: to_decimal(unwrap(item)) for key, item in value.items()}
    for name in [*(ordered or ()), largest, smallest]:
        if name is not None and name not in numbers:
            raise Refused(f"there is no `{name}`", "there are " + ", ".join(map(str, numbers)))
    if any(number.is_nan() for number in numbers.values()):
        return [Check(False, "comparable", "NaN")]
    found = " < ".join(str(key) for key in sorted(numbers, key=lambda key: numbers[key]))
    weak = "there is nothing to compare with" if len(numbers) < 2 else ""
    checks = []
    if ordered is not None:
        chain = [numbers[name] for name in ordered]
        ok = all(a < b for a, b in pairwise(chain))
        few = "fewer than two names are in order" if len(chain) < 2 else weak
        checks.append(Check(ok, " < ".join(map(str, ordered)), found, few))
    for word, name, best in (("largest", largest, max), ("smallest", smallest, min)):
        if name is not None:
            ok = list(numbers.values()).count(numbers[name]) == 1
            ok = ok and numbers[name] == best(numbers.values())
            checks.append(Check(ok, f"`{name}` is the {word}", found, weak))
    return checks
