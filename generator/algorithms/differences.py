"""Where a formula's value and the code's differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from generator.algorithms.checks import Check
from generator.algorithms.environment import Environment, symbols_in
from generator.algorithms.evaluate import Anything
from generator.algorithms.nodes import Node, Symbol
from generator.algorithms.tensors import as_array, describe
from generator.algorithms.tokens import UnreadableError

if TYPE_CHECKING:
    pass


def differ(expected: Any, actual: Any, noise: float = 0.0) -> str:
    """Where a formula's value and the code's first differ; empty when they agree.

    `noise` is a difference that rounding alone may make.
    """
    if isinstance(actual, tuple) or isinstance(expected, tuple):
        return differ_tuples(expected, actual, noise)
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


def differ_tuples(expected: Any, actual: Any, noise: float) -> str:
    try:
        pairs = list(zip(expected, actual, strict=True))
    except (TypeError, ValueError):
        return f"the formula gives {describe(expected)}, the code {describe(actual)}"
    for position, (a, b) in enumerate(pairs, start=1):
        message = differ(a, b, noise)
        if message:
            return f"for value {position} {message}"
    return ""


def rounding_noise(node: Node, env: Environment) -> float:
    """What rounding may add when values of the size of a formula's cancel each other."""
    largest = 0.0
    for symbol in symbols_in(node):
        if not is_known(symbol, env):
            continue
        array = np.asarray(as_array(env.find(symbol)))
        if array.dtype.kind in "fc":
            finite = np.abs(array[np.isfinite(array)])
            width = 1e-13 if array.dtype.itemsize >= 8 else 1e-5
            largest = max(largest, width * float(np.max(finite, initial=0.0)))
    return largest


def say_difference(check: Check, difference: str) -> str:
    if not difference:
        return ""
    return f"the formula \\({check.latex}\\) is not what the code does: {difference}"


def is_known(symbol: Symbol, env: Environment) -> bool:
    try:
        env.find(symbol)
    except UnreadableError:
        return False
    return True


def describe_symbols(check: Check, env: Environment) -> str:
    names = {s.latex: s for s in symbols_in(check.formula)}
    found = {}
    for latex, symbol in names.items():
        if is_known(symbol, env):
            found[f"\\({latex}\\)"] = env.find(symbol)
    return describe_values(found)


def describe_values(values: Mapping[str, Any]) -> str:
    shown = [f"{name} is {describe(value)}" for name, value in values.items()]
    return f" ({', '.join(shown[:4])})" if shown else ""
