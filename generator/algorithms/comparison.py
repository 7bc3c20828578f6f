"""Formulas against what a call computed; each comparison returns what is wrong, or nothing."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from generator.algorithms.checks import Check
from generator.algorithms.environment import Environment, symbols_in, walk, write_key
from generator.algorithms.evaluate import Anything, evaluate, progression, truth
from generator.algorithms.membership import is_member, why_outside
from generator.algorithms.nodes import (
    Assignment,
    Big,
    Index,
    Logic,
    Membership,
    Node,
    Number,
    Progression,
    Relation,
    Space,
    Symbol,
)
from generator.algorithms.tensors import ImpossibleError, as_array, describe
from generator.algorithms.tokens import UnreadableError

if TYPE_CHECKING:
    from generator.algorithms.watch import Watch

_ELEMENTS = 200
"""Elements of an array that a formula with free indices is evaluated for."""


def is_relation(formula: object) -> bool:
    return isinstance(formula, (Relation, Logic))


def differ(expected: Any, actual: Any, noise: float = 0.0) -> str:
    """Where a formula's value and the code's first differ; empty when they agree.

    `noise` is a difference that rounding alone may make.
    """
    if isinstance(actual, tuple) or isinstance(expected, tuple):
        return _differ_tuples(expected, actual, noise)
    if isinstance(expected, Anything):
        expected = np.full(np.shape(actual), float(expected))
    expected, actual = as_array(expected), as_array(actual)
    if np.shape(expected) != np.shape(actual):
        return f"the formula gives {describe(expected)}, the code {describe(actual)}"
    a, b = np.asarray(expected), np.asarray(actual)
    if a.dtype.kind not in "biufc" or b.dtype.kind not in "biufc":
        same = bool(np.all(a == b))
        return "" if same else f"the formula gives {expected!r}, the code {actual!r}"
    close = _close(a, b, noise)
    if close.all():
        return ""
    where = tuple(int(i) for i in np.argwhere(~close)[0])
    at = f" at [{', '.join(map(str, where))}]" if where else ""
    return f"the formula gives {describe(a[where])}{at}, the code {describe(b[where])}"


def _close(a: Any, b: Any, noise: float) -> Any:
    if a.dtype.kind in "biu" and b.dtype.kind in "biu":
        return np.equal(a, b)
    width = max((x.dtype.itemsize for x in (a, b) if x.dtype.kind in "fc"), default=8)
    least = min((x.dtype.itemsize for x in (a, b) if x.dtype.kind in "fc"), default=width)
    rtol = {2: 1e-2, 4: 1e-4}.get(least, 1e-8)
    finite = np.abs(b[np.isfinite(b)]) if b.ndim else np.abs(b)
    scale = float(np.max(finite, initial=0.0))
    return np.isclose(a, b, rtol=rtol, atol=rtol * 1e-2 * scale + noise, equal_nan=True)


def _differ_tuples(expected: Any, actual: Any, noise: float) -> str:
    try:
        pairs = list(zip(expected, actual, strict=True))
    except (TypeError, ValueError):
        return f"the formula gives {describe(expected)}, the code {describe(actual)}"
    for position, (a, b) in enumerate(pairs, start=1):
        message = differ(a, b, noise)
        if message:
            return f"for value {position} {message}"
    return ""


def _noise(node: Node, env: Environment) -> float:
    """What rounding may add when values of the size of a formula's cancel each other."""
    largest = 0.0
    for symbol in symbols_in(node):
        if not _known(symbol, env):
            continue
        array = np.asarray(as_array(env.find(symbol)))
        if array.dtype.kind in "fc":
            finite = np.abs(array[np.isfinite(array)])
            width = 1e-13 if array.dtype.itemsize >= 8 else 1e-5
            largest = max(largest, width * float(np.max(finite, initial=0.0)))
    return largest


def _say(check: Check, difference: str) -> str:
    if not difference:
        return ""
    return f"the formula \\({check.latex}\\) is not what the code does: {difference}"


def compare_value(check: Check, value: Any, env: Environment) -> str:
    """A formula without `\\leftarrow`, against a value."""
    return _say(check, differ(evaluate(_node(check), env).data, value, _noise(_node(check), env)))


def _node(check: Check) -> Node:
    assert not isinstance(check.formula, (Assignment, Membership, Progression))
    return check.formula


def compare_assignment(
    check: Check, before: Environment, after: Environment, statement: ast.stmt
) -> str:
    """`x \\leftarrow …`: the right side from the values before, the left from those after."""
    formula = check.formula
    assert isinstance(formula, Assignment)
    targets = formula.targets
    if len(targets) == 1:
        return _say(check, _assign_one(targets[0], formula.value, before, after, statement))
    values = evaluate(formula.value, before).data
    found = tuple(evaluate(target, after).data for target in targets)
    return _say(check, _differ_tuples(values, found, _noise(formula.value, before)))


def _assign_one(
    target: Node, value: Node, before: Environment, after: Environment, statement: ast.stmt
) -> str:
    if isinstance(target, Index) and before.find_size(target) is None:
        whole = isinstance(getattr(statement, "target", None), ast.Name) or (
            isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
        )
        free = [
            index
            for index in target.indices
            if isinstance(index, Symbol) and (whole or not _known(index, before))
        ]
        if free:
            return _assign_elements(target, free, value, before, after)
        indices = {
            s.key: before.values[s.key] for s in symbols_in(target) if s.key in before.values
        }
        after = replace(after, values={**after.values, **_without(indices, target)})
    expected = evaluate(value, before).data
    return differ(expected, evaluate(target, after).data, _noise(value, before))


def _without(indices: Mapping[str, Any], target: Index) -> dict[str, Any]:
    """The values of the indices, not of what is indexed."""
    root: Node = target
    while isinstance(root, Index):
        root = root.base
    key = root.key if isinstance(root, Symbol) else ""
    return {name: value for name, value in indices.items() if name != key}


def _known(symbol: Symbol, env: Environment) -> bool:
    try:
        env.find(symbol)
    except UnreadableError:
        return False
    return True


def _assign_elements(
    target: Index, free: Sequence[Symbol], value: Node, before: Environment, after: Environment
) -> str:
    """`A_{ij} \\leftarrow …` for every element, or for some spread over a large array."""
    array = evaluate(target.base, after).data
    if np.ndim(array) != len(target.indices):
        raise ImpossibleError(f"{describe(array)} has not {len(target.indices)} indices")
    positions = {
        index.key: place
        for place, index in enumerate(target.indices)
        if isinstance(index, Symbol) and index in free
    }
    if len(positions) != len(free):
        raise UnreadableError("an index occurs twice on the left side")
    base, noise = _counts_from_one(value), _noise(value, before)
    shape = tuple(np.shape(array)[place] for place in positions.values())
    total = int(np.prod(shape))
    chosen = np.unique(np.linspace(0, total - 1, min(total, _ELEMENTS)).astype(int))
    for number in chosen if total else ():
        at = np.unravel_index(int(number), shape)
        bound = {name: int(i) + base for name, i in zip(positions, at, strict=True)}
        hidden = {k: v for k, v in before.values.items() if k not in bound}
        inner = replace(before, values=hidden).bind(bound, base)
        outer = replace(after, values={k: v for k, v in after.values.items() if k not in bound})
        element = evaluate(target, outer.bind(bound, base)).data
        difference = differ(evaluate(value, inner).data, element, noise)
        if difference:
            place = ", ".join(f"{name}={i}" for name, i in bound.items())
            return f"for {place} {difference}"
    return ""


def _counts_from_one(node: Node) -> int:
    """Whether sums in a formula start at 1, and its free indices with them."""
    starts = [part.first for part in walk(node) if isinstance(part, Big)]
    return int(Number("1") in starts and Number("0") not in starts)


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


def describe_symbols(check: Check, env: Environment) -> str:
    names = {s.latex: s for s in symbols_in(check.formula)}
    found = {}
    for latex, symbol in names.items():
        if _known(symbol, env):
            found[f"\\({latex}\\)"] = env.find(symbol)
    return describe_values(found)


def describe_values(values: Mapping[str, Any]) -> str:
    shown = [f"{name} is {describe(value)}" for name, value in values.items()]
    return f" ({', '.join(shown[:4])})" if shown else ""


def compare_claim(check: Check, watch: Watch, env: Environment) -> str:
    """A set or a relation that is said to hold."""
    formula = check.formula
    if isinstance(formula, Membership):
        for member in formula.members:
            message = _outside(check, member, formula.space, watch, env)
            if message:
                return message
        return ""
    if not is_relation(formula):
        return ""
    if truth(formula, env):  # type: ignore[arg-type]
        return ""
    return f"\\({check.latex}\\) doesn't hold" + describe_symbols(check, env)


def _outside(check: Check, member: Node, space: Node, watch: Watch, env: Environment) -> str:
    value = evaluate(member, env).data
    name = write_key(member)
    if not isinstance(space, Space):
        found = is_member(value, space, env)
        return "" if found else f"\\({check.latex}\\) doesn't hold"
    if space.sizes is not None:
        message = _shape(name, value, space.sizes, watch, env)
        if message:
            return f"\\({check.latex}\\) doesn't hold: {message}"
    reason = why_outside(value, space, env)
    return f"\\({check.latex}\\) doesn't hold for `{name}`: {reason}" if reason else ""


def _shape(name: str, value: Any, sizes: Sequence[Node], watch: Watch, env: Environment) -> str:
    shape = np.shape(value)
    if len(shape) != len(sizes):
        return f"`{name}` has {len(shape)} axes, the set {len(sizes)}"
    for axis, (node, length) in enumerate(zip(sizes, shape, strict=True)):
        key = write_key(node)
        if isinstance(node, (Symbol, Index)) and not _has_value(node, watch, env):
            watch.sizes[key] = watch.shaped[key] = length
            continue
        expected = evaluate(node, replace(env, sizes=watch.sizes)).data
        if isinstance(node, (Symbol, Index)):
            watch.shaped.setdefault(key, length)
        if expected != length:
            shown = f" = {expected}" if not isinstance(node, Number) else ""
            return f"`{name}` is {describe(value)}, and axis {axis} should be \\({key}\\){shown}"
    return ""


def _has_value(node: Symbol | Index, watch: Watch, env: Environment) -> bool:
    key = node.key if isinstance(node, Symbol) else write_key(node)
    if key in watch.sizes or write_key(node) in watch.sizes:
        return True
    if isinstance(node, Index):
        return False
    local = env.values.get(key)
    return isinstance(local, (int, np.integer)) or key in env.where


def bind_sizes(watch: Watch, checks: Sequence[Check], env: Environment) -> None:
    """Binds the sizes that stand alone, before any that are computed from them."""
    for check in checks:
        formula = check.formula
        if not (isinstance(formula, Membership) and isinstance(formula.space, Space)):
            continue
        for member in formula.members:
            if not _known_member(member, env):
                continue
            shape = np.shape(evaluate(member, env).data)
            sizes = formula.space.sizes or ()
            if len(shape) != len(sizes):
                continue
            for node, length in zip(sizes, shape, strict=True):
                if isinstance(node, (Symbol, Index)) and not _has_value(node, watch, env):
                    watch.sizes[write_key(node)] = watch.shaped[write_key(node)] = length


def _known_member(member: Node, env: Environment) -> bool:
    return isinstance(member, Symbol) and _known(member, env)


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


class Loop:
    """The values that a loop's variables take, against the range that is printed."""

    def __init__(self, watch: Watch, checks: Sequence[Check], env: Environment) -> None:
        self.watch = watch
        self.number = 0
        self._expected: list[tuple[Check, Symbol | None, list[Any]]] = []
        self._each: list[Check] = []
        for check in checks:
            try:
                self._prepare(check, env)
            except (UnreadableError, ImpossibleError) as error:
                self._complain(check, f"the range \\({check.latex}\\) can't be checked: {error}")

    def _prepare(self, check: Check, env: Environment) -> None:
        formula = check.formula
        if isinstance(formula, Progression):
            items = formula.values.items
            values = progression(items, [evaluate(item, env).data for item in items])
            self._expected.append((check, formula.variable, values))
        elif isinstance(formula, Membership) and isinstance(formula.members[0], Symbol):
            values = list(_members(formula.space, env))
            self._expected.append((check, formula.members[0], values))
        elif is_relation(formula):
            self._each.append(check)
        elif not self._expected:
            count = evaluate(_node(check), env).data
            if np.ndim(count) == 0 and not isinstance(count, (bool, np.bool_)):
                self._expected.append((check, None, [None] * int(count)))

    def compare_pass(self, env: Environment) -> None:
        for check, variable, values in self._expected:
            if variable is None:
                continue
            actual = env.values.get(variable.key)
            if variable.key not in env.values:
                self._complain(check, f"the loop has no variable `{variable.latex}`")
            elif self.number >= len(values):
                self._complain(
                    check,
                    f"the loop goes on after \\({check.latex}\\): "
                    f"`{variable.latex}` became {describe(actual)}",
                )
            elif differ(values[self.number], actual):
                self._complain(
                    check,
                    f"the range \\({check.latex}\\) is not what the loop runs over: in pass "
                    f"{self.number + 1} it says {describe(values[self.number])}, "
                    f"the code {describe(actual)}",
                )
        for check in self._each:
            self.watch._hold(check, env)
        self.number += 1

    def finish(self) -> None:
        for check, _, values in self._expected:
            if len(values) != self.number:
                self._complain(
                    check,
                    f"the range \\({check.latex}\\) has {len(values)} passes, "
                    f"the loop {self.number}",
                )

    def _complain(self, check: Check, message: str) -> None:
        self.watch.recorder.complain(
            check.line,
            check.latex,
            f"{message}, {self.watch.when()}",
            "the code or the range is wrong",
        )


def _members(space: Node, env: Environment) -> Sequence[Any]:
    if isinstance(space, Space):
        if space.name != "list":
            raise UnreadableError("the members of this set can't be listed")
        items = [evaluate(item, env).data for item in space.items]
        return progression(space.items, items) if space.ellipsis else items
    value = evaluate(space, env).data
    if np.ndim(value) == 0 and not isinstance(value, (list, tuple, set, frozenset, dict)):
        raise ImpossibleError(f"{describe(value)} has no members")
    return list(value)
