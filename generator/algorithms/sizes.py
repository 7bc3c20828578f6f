"""Sets in formulas, against the values that are said to lie in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from generator.algorithms.checks import Check
from generator.algorithms.differences import is_known
from generator.algorithms.environment import Environment, write_key
from generator.algorithms.evaluate import evaluate
from generator.algorithms.membership import is_member, why_outside
from generator.algorithms.nodes import Index, Membership, Node, Number, Space, Symbol
from generator.algorithms.tensors import describe

if TYPE_CHECKING:
    from generator.algorithms.watch import Watch


def find_outside(check: Check, member: Node, space: Node, watch: Watch, env: Environment) -> str:
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
    return isinstance(member, Symbol) and is_known(member, env)
