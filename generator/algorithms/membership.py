"""Whether values lie in sets, and the sizes that sets bind."""

from __future__ import annotations

from typing import Any

import numpy as np

from generator.algorithms import nodes as n
from generator.algorithms.environment import Environment
from generator.algorithms.evaluate import evaluate, progression, same
from generator.algorithms.tensors import describe

_KINDS = {"R": "biuf", "Q": "biuf", "Z": "biu", "N": "biu", "C": "biufc"}
_FIELDS = {
    "R": "real",
    "Q": "rational",
    "Z": "a whole number",
    "N": "a whole number from 0",
    "C": "a number",
}


def is_member(value: Any, space: n.Node, env: Environment) -> bool:
    """Whether a value lies in a set, its shape included."""
    if isinstance(space, n.Space):
        sizes = space.sizes
        if sizes is not None:
            expected = tuple(int(evaluate(size, env).data) for size in sizes)
            if np.shape(value) != expected:
                return False
        return why_outside(value, space, env) == ""
    members = evaluate(space, env).data
    return any(np.all(same(value, member)) for member in members)


def why_outside(value: Any, space: n.Space, env: Environment) -> str:
    """What keeps the entries of a value out of a set, shape aside; empty when nothing does."""
    array = np.asarray(value)
    if array.dtype.kind not in "biufc":
        return f"it is {describe(value)}, not a number"
    if space.sizes is None and array.ndim:
        return f"it is {describe(value)}, not a number"
    if space.name in _KINDS:
        return _outside_field(array, space, env)
    if space.name == "interval":
        low, high = (evaluate(item, env).data for item in space.items)
        above = array >= low if space.signs[0] == "[" else array > low
        below = array <= high if space.signs[1] == "]" else array < high
        return _first(array, above & below)
    members = [evaluate(item, env).data for item in space.items]
    if space.ellipsis:
        members = progression(space.items, members)
    inside = np.zeros(array.shape, dtype=bool)
    for member in members:
        inside |= np.asarray(same(array, member))
    return _first(array, inside)


def _outside_field(array: Any, space: n.Space, env: Environment) -> str:
    if array.dtype.kind not in _KINDS[space.name]:
        if space.name in "ZN" and array.dtype.kind == "f" and np.all(array == np.round(array)):
            pass
        else:
            return f"its type is {array.dtype}, not {_FIELDS[space.name]}"
    inside = np.ones(array.shape, dtype=bool)
    if space.name == "N":
        inside &= array >= 0
    if space.signs:
        bound = evaluate(space.items[0], env).data if space.items else 0
        test = {
            "+": np.greater_equal,
            "++": np.greater,
            ">": np.greater,
            ">=": np.greater_equal,
            "<": np.less,
            "<=": np.less_equal,
            "!=": np.not_equal,
        }[space.signs]
        inside &= test(array, bound)
    return _first(array, inside)


def _first(array: Any, inside: Any) -> str:
    """Where the first entry outside stands."""
    inside = np.asarray(inside)
    if inside.all():
        return ""
    where = tuple(int(i) for i in np.argwhere(~inside)[0])
    entry = array[where] if where else array[()]
    at = f" at [{', '.join(map(str, where))}]" if where else ""
    return f"its value{at} is {describe(entry)}"
