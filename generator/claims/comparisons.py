"""One comparison of a value with what a claim says of it."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from generator.claims.forms import form_of, round_found, rounded_bounds, write_bound, write_like
from generator.claims.quantities import (
    FOUND_DIGITS,
    MOST_FOUND_DIGITS,
    decimal_of,
    describe,
    numbers_in,
)
from generator.frozen import dataclass
from generator.values import Number, Refused
from generator.values.digits import parse_literal, to_decimal

WEAK_FACTOR = 1000
"""A bound that is out by more than this factor holds whatever happens to the result."""


@dataclass(frozen=True, slots=True)
class Check:
    """What came of one comparison."""

    ok: bool
    """Whether it holds."""
    expected: str
    """What was said, in words."""
    found: str
    """What the results say."""
    weak: str = ""
    """Why no change of the result could break it."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a claim says of a number, in words that hold its bounds."""

    words: str
    """The words, with `{}` where a bound stands."""
    bounds: tuple[object, ...]
    """The bounds, in the order of the words."""
    form: Number
    """The form in which numbers are told."""
    apart: bool = False
    """Whether a number that is not a bound must not look like it."""

    def in_words(self, digits: int) -> str:
        return self.words.format(*(write_bound(bound, self.form, digits) for bound in self.bounds))


def judge(
    value: Any,
    said: Said,
    holds: Callable[[Decimal], bool],
    is_slack: Callable[[Decimal], bool] = lambda number: False,
    why_weak: str = "",
) -> Check:
    """Hold every number in a value against a condition; NaN never meets it. The check is weak if
    all numbers meet it with slack."""
    items = numbers_in(value)
    numbers = [to_decimal(item) for item in items]
    failing = [
        item
        for item, number in zip(items, numbers, strict=True)
        if number.is_nan() or not holds(number)
    ]
    told = failing[0] if failing else items[0]
    digits = _digits_to_tell(to_decimal(told), said, holds)
    found = write_like(told, said.form, digits)
    if not failing and len(items) > 1:
        found = f"{len(items)} values, all of them so"
    slack = not failing and all(number.is_finite() and is_slack(number) for number in numbers)
    return Check(not failing, said.in_words(digits), found, why_weak if slack else "")


def _digits_to_tell(number: Decimal, said: Said, holds: Callable[[Decimal], bool]) -> int:
    """The digits that show why the number meets the condition or doesn't."""
    if not number.is_finite():
        return FOUND_DIGITS
    for digits in range(FOUND_DIGITS, MOST_FOUND_DIGITS):
        shown = round_found(number, digits)
        alike = said.apart and shown != number and shown in rounded_bounds(said.bounds, digits)
        if holds(shown) == holds(number) and not alike:
            return digits
    return MOST_FOUND_DIGITS


def _is_far_below(number: Decimal, limit: Decimal) -> bool:
    """Whether a number is so small that the limit says nothing of it. Zero is exact, not small."""
    return number != 0 and limit.is_finite() and WEAK_FACTOR * abs(number) < limit


def check_bound(value: Any, relation: str, bound: object, like: object = None) -> Check:
    """`relation` is below, above, at most or at least; `like` has the form of bare numbers."""
    limit = decimal_of(bound)
    holds: dict[str, Callable[[Decimal], bool]] = {
        "below": lambda number: number < limit,
        "above": lambda number: number > limit,
        "at most": lambda number: number <= limit,
        "at least": lambda number: number >= limit,
    }

    def is_slack(number: Decimal) -> bool:
        if relation in ("below", "at most"):
            return _is_far_below(number, limit)
        return _is_far_below(limit, number) or _is_far_below(number, -limit)

    return judge(
        value,
        Said(relation + " {}", (bound,), form_of(bound, like), apart=True),
        lambda number: not limit.is_nan() and holds[relation](number),
        is_slack,
        f"the bound is out by more than a factor of {WEAK_FACTOR}",
    )


def check_between(value: Any, between: object, like: object = None) -> Check:
    """`between` holds a lower and an upper bound, both included."""
    ends = list(between) if isinstance(between, list | tuple) else []
    if len(ends) != 2:
        raise Refused("`between` takes two bounds", 'write `between=("0.1", "0.2")`')
    low, high = decimal_of(ends[0]), decimal_of(ends[1])
    known = not (low.is_nan() or high.is_nan())
    if known and low > high:
        raise Refused("`between` has its bounds the wrong way round")
    return judge(
        value,
        Said("between {} and {}", (ends[0], ends[1]), form_of(*ends, like), apart=True),
        lambda number: known and low <= number <= high,
        lambda number: _is_far_below(number, high - low),
        f"the range is more than {WEAK_FACTOR} times as wide as the value is large",
    )


def check_near(value: Any, target: object, within: object, like: object = None) -> Check:
    """`within` is a distance, or a percentage of the target."""
    if within is None:
        hint = 'write `near="0.5", within="0.01"`, or `within="5%"`'
        raise Refused("`near` needs `within`", hint)
    goal, distance = decimal_of(target), decimal_of(within)
    is_share = isinstance(within, str) and within.rstrip().endswith("%")
    allowed = abs(goal) * distance if is_share and goal.is_finite() else distance
    return judge(
        value,
        Said("within {} of {}", (within, target), form_of(target, like)),
        lambda number: (
            number.is_finite()
            and goal.is_finite()
            and not allowed.is_nan()
            and abs(number - goal) <= allowed
        ),
        lambda number: _is_far_below(number, allowed),
        f"the distance is more than {WEAK_FACTOR} times the value",
    )


def check_magnitude(value: Any, target: object, like: object = None) -> Check:
    """Within half a power of ten of the target, on the same side of zero."""
    goal = decimal_of(target)
    if not goal:
        raise Refused("zero has no order of magnitude")

    def holds(number: Decimal) -> bool:
        if not (number.is_finite() and goal.is_finite()) or number * goal <= 0:
            return False
        return abs((number / goal).log10()) <= Decimal("0.5")

    return judge(value, Said("of the order of {}", (target,), form_of(target, like)), holds)


def check_literal(value: Any, literal: object) -> Check:
    """The value must round to the literal; a tie may go either way. Text must equal it."""
    if isinstance(value, str | bool):
        text = literal if isinstance(literal, str) else describe(literal)
        return Check(describe(value) == text, f"is {text}", describe(value))
    text = str(literal.value if isinstance(literal, Number) else literal)
    typed = parse_literal(text)
    return judge(
        value,
        Said("rounds to {}", (text,), form_of(text)),
        lambda number: rounds_to(number, text),
        lambda number: not typed.value and _is_far_below(number, typed.unit / 2),
        f"the result is more than {WEAK_FACTOR} times below the last printed digit",
    )


def rounds_to(value: object, literal: str) -> bool:
    """Whether a number rounds to the literal at the literal's precision."""
    number, typed = to_decimal(value), parse_literal(literal)
    return number.is_finite() and abs(number - typed.value) * 2 <= typed.unit
