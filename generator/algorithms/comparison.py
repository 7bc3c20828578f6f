"""Formulas against what a call computed; each comparison returns what is wrong, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from generator.algorithms.checks import Check
from generator.algorithms.differences import (
    describe_symbols,
    differ,
    rounding_noise,
    say_difference,
)
from generator.algorithms.environment import Environment
from generator.algorithms.evaluate import evaluate, truth
from generator.algorithms.membership import is_member
from generator.algorithms.nodes import (
    Assignment,
    Logic,
    Membership,
    Node,
    Progression,
    Relation,
    Symbol,
)
from generator.algorithms.sizes import find_outside
from generator.algorithms.tokens import UnreadableError

if TYPE_CHECKING:
    from generator.algorithms.watch import Watch


def is_relation(formula: object) -> bool:
    return isinstance(formula, (Relation, Logic))


def compare_value(check: Check, value: Any, env: Environment) -> str:
    """A formula without `\\leftarrow`, against a value."""
    return say_difference(
        check,
        differ(evaluate(as_node(check), env).data, value, rounding_noise(as_node(check), env)),
    )


def as_node(check: Check) -> Node:
    assert not isinstance(check.formula, (Assignment, Membership, Progression))
    return check.formula


def compare_condition(check: Check, value: Any, env: Environment, alone: bool) -> str:
    """The formula of an `if` or `while`, against whether the code goes in."""
    if isinstance(check.formula, (Assignment, Progression)):
        raise UnreadableError("a condition is no assignment")
    if isinstance(check.formula, Membership):
        members = [evaluate(m, env).data for m in check.formula.members]
        said = all(is_member(member, check.formula.space, env) for member in members)
    else:
        if not alone and not is_relation(check.formula):
            return ""
        said = truth(check.formula, env)
        if not alone and said:
            return ""  # one of several conditions
    if said == bool(value):
        return ""
    return (
        f"the condition \\({check.latex}\\) is not what the code tests: it is "
        f"{str(said).lower()} where the code finds {str(bool(value)).lower()}"
        + describe_symbols(check, env)
    )


def compare_claim(check: Check, watch: Watch, env: Environment) -> str:
    """A set or a relation that is said to hold."""
    formula = check.formula
    if isinstance(formula, Membership):
        for member in formula.members:
            message = find_outside(check, member, formula.space, watch, env)
            if message:
                return message
        return ""
    if not is_relation(formula):
        return ""
    if truth(formula, env):  # type: ignore[arg-type]
        return ""
    return f"\\({check.latex}\\) doesn't hold" + describe_symbols(check, env)


def name_results(
    watch: Watch, checks: Sequence[Check], value: Any, values: dict[str, Any]
) -> dict[str, Any]:
    """Local variables, with the names that `Ensure` gives to what is returned."""
    names: list[str] = []
    for check in checks:
        if isinstance(check.formula, Membership):
            for member in check.formula.members:
                if isinstance(member, Symbol) and member.key not in names:
                    names.append(member.key)
    if len(names) == 1:
        parts = () if isinstance(value, tuple) or value is None else (value,)
    else:
        parts = value if isinstance(value, tuple) else ()
    if len(parts) != len(names):
        return values
    named = dict(zip(names, parts, strict=True))
    for name, part in named.items():
        local = values.get(name, part)
        if local is not part and differ(local, part):
            line = watch.recorder.checks.ensure[0].line
            watch.recorder.complain(
                line,
                f"ensure {name}",
                f"`Ensure:` names `{name}`, but what is returned is another value",
                "return it, or name what is returned",
            )
    return {**values, **named}
