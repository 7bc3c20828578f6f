"""The verdict on a claim.

A claim is false for NaN, whatever it says. A claim is *weak* when no plausible change of its result
could break it: see `comparisons.WEAK_FACTOR`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generator.claims.comparisons import (
    Check,
    check_between,
    check_bound,
    check_literal,
    check_magnitude,
    check_near,
)
from generator.claims.quantities import (
    FOUND_DIGITS,
    MOST_FOUND_DIGITS,
    describe,
    has_nan,
    typed_literal,
    unwrap,
)
from generator.claims.rankings import check_monotonic, check_ranks
from generator.frozen import dataclass
from generator.values import Refused
from generator.values.plain import to_python


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one claim."""

    ok: bool
    """Whether it holds."""
    expected: str
    """What the sentence says, in words: `rounds to −0.07`."""
    found: str
    """What the results say: `−0.0912`."""
    shown: object
    """What the tag prints: the literal as a `Number`, failing that the value."""
    weak: str = ""
    """Why no change of the result could break it; empty when one could."""


def check_claim(
    value: object,
    literal: object = None,
    *,
    below: object = None,
    above: object = None,
    at_most: object = None,
    at_least: object = None,
    between: object = None,
    near: object = None,
    within: object = None,
    magnitude: object = None,
    increasing: bool | str = False,
    decreasing: bool | str = False,
    ordered: Sequence[object] | None = None,
    largest: object = None,
    smallest: object = None,
) -> Verdict:
    """Hold a value against what is said of it. Bounds are literals (`"1e-11"`), numbers, or other
    results; `True` stands for the literal given first. Without any bound, the value must round to
    the literal at its printed precision. For a list of numbers, each of them must.

    `between` takes two bounds (both included), `near` a target with `within` a distance (`"5%"`: of
    the target), `magnitude` a target met within half a power of ten. `increasing` and `decreasing`
    are strict unless "weakly". `ordered` lists a mapping's keys (a list's indices) from the
    smallest value to the largest; `largest` and `smallest` name one.

    Raises `Refused` for a claim that makes no sense.
    """
    shown: object = value if literal is None else typed_literal(literal)
    plain = unwrap(value)
    checks: list[Check] = []
    for relation, bound in zip(
        ("below", "above", "at most", "at least"), (below, above, at_most, at_least), strict=True
    ):
        if bound is not None and bound is not False:
            checks.append(check_bound(plain, relation, _bound(bound, literal), value))
    if between is not None:
        checks.append(check_between(plain, between, value))
    if near is not None or within is not None:
        target = _bound(True if near is None else near, literal)
        checks.append(check_near(plain, target, within, value))
    if magnitude is not None and magnitude is not False:
        checks.append(check_magnitude(plain, _bound(magnitude, literal), value))
    if increasing or decreasing:
        checks += check_monotonic(plain, increasing, decreasing)
    checks += check_ranks(plain, ordered, largest, smallest)
    if not checks:
        if literal is None:
            raise Refused("the claim says nothing", 'give a literal: `claim("0.07")`, or a bound')
        checks.append(check_literal(plain, literal))
    return _join(checks, shown)


def check_condition(
    holds: object, expression: str, operands: Mapping[str, object] | None = None
) -> Verdict:
    """The block form: a sentence bound to a condition. `operands` are the names that the condition
    reads, with their values; a condition that reads none is weak. Raises `Refused` for a condition
    that is neither true nor false.
    """
    holds = to_python(holds)
    if not isinstance(holds, bool):
        raise Refused(
            f"`{expression}` is neither true nor false",
            "compare results: `<% claim a < b %>`; for lists use `increasing=`, or compare items",
        )
    operands = operands or {}
    found = ", ".join(f"{name} is {text}" for name, text in _tell_apart(operands).items())
    if any(has_nan(value) for value in operands.values()):
        holds = False
    weak = "" if operands else "the condition reads no result"
    return Verdict(holds, expression, found or ("true" if holds else "false"), holds, weak)


def _tell_apart(operands: Mapping[str, object]) -> dict[str, str]:
    """The operands in words, with as many digits as tell numbers apart that are not equal."""
    told: dict[str, str] = {}
    exact = {describe(value, MOST_FOUND_DIGITS) for value in operands.values()}
    for digits in range(FOUND_DIGITS, MOST_FOUND_DIGITS + 1):
        told = {name: describe(value, digits) for name, value in operands.items()}
        if len(set(told.values())) == len(exact):
            break
    return told


def _join(checks: list[Check], shown: object) -> Verdict:
    """Several checks as one verdict; weak only when all of them are."""
    found = dict.fromkeys(check.found for check in checks if not check.ok) or dict.fromkeys(
        check.found for check in checks
    )
    weak = "; ".join(check.weak for check in checks)
    return Verdict(
        all(check.ok for check in checks),
        " and ".join(check.expected for check in checks),
        ", ".join(found),
        shown,
        weak if all(check.weak for check in checks) else "",
    )


def _bound(bound: object, literal: object) -> object:
    if bound is True:
        if literal is None:
            raise Refused("the bound is missing", 'give it: `claim("1e-11", below=True)`')
        return literal
    return bound
