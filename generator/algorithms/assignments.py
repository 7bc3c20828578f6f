"""Assignments in formulas, against what a statement changed."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from generator.algorithms.checks import Check
from generator.algorithms.differences import (
    differ,
    differ_tuples,
    is_known,
    rounding_noise,
    say_difference,
)
from generator.algorithms.environment import Environment, symbols_in, walk
from generator.algorithms.evaluate import evaluate
from generator.algorithms.nodes import Assignment, Big, Index, Node, Number, Symbol
from generator.algorithms.tensors import ImpossibleError, describe
from generator.algorithms.tokens import UnreadableError

if TYPE_CHECKING:
    pass


_ELEMENTS = 200


def compare_assignment(
    check: Check, before: Environment, after: Environment, statement: ast.stmt
) -> str:
    """`x \\leftarrow …`: the right side from the values before, the left from those after."""
    formula = check.formula
    assert isinstance(formula, Assignment)
    targets = formula.targets
    if len(targets) == 1:
        return say_difference(
            check, _assign_one(targets[0], formula.value, before, after, statement)
        )
    values = evaluate(formula.value, before).data
    found = tuple(evaluate(target, after).data for target in targets)
    return say_difference(
        check, differ_tuples(values, found, rounding_noise(formula.value, before))
    )


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
            if isinstance(index, Symbol) and (whole or not is_known(index, before))
        ]
        if free:
            return _assign_elements(target, free, value, before, after)
        indices = {
            s.key: before.values[s.key] for s in symbols_in(target) if s.key in before.values
        }
        after = replace(after, values={**after.values, **_without(indices, target)})
    expected = evaluate(value, before).data
    return differ(expected, evaluate(target, after).data, rounding_noise(value, before))


def _without(indices: Mapping[str, Any], target: Index) -> dict[str, Any]:
    """The values of the indices, not of what is indexed."""
    root: Node = target
    while isinstance(root, Index):
        root = root.base
    key = root.key if isinstance(root, Symbol) else ""
    return {name: value for name, value in indices.items() if name != key}


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
    base, noise = _counts_from_one(value), rounding_noise(value, before)
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
