"""What the symbols of a formula stand for at one moment of a run."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, fields, is_dataclass, replace
from functools import lru_cache
from typing import Any, NoReturn

import numpy as np

from generator.algorithms import nodes as n
from generator.algorithms.tokens import UnreadableError
from generator.errors import near_names
from generator.frozen import dataclass

_CONSTANTS: Mapping[str, Any] = {
    r"\pi": math.pi,
    r"\infty": math.inf,
    "e": math.e,
    "true": True,
    "false": False,
}


@dataclass(frozen=True, slots=True)
class Environment:
    """Values by name. Frozen: sums bind their indices in a copy."""

    values: Mapping[str, Any] = field(default_factory=dict)
    """Local variables, by Python name."""
    module: Mapping[str, Any] = field(default_factory=dict)
    """Global variables of the function's module."""
    sizes: Mapping[str, int] = field(default_factory=dict)
    """Sizes that sets have bound, by LaTeX."""
    where: Mapping[str, Any] = field(default_factory=dict)
    """Compiled `Where:` expressions, by text."""
    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    """Registered functions."""
    bound: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Index variables: value, and whether they count from 0 or 1."""

    def bind(self, values: Mapping[str, int], base: int) -> Environment:
        """With indices bound, counted from `base`."""
        added = {name: (value, base) for name, value in values.items()}
        return replace(self, bound={**self.bound, **added})

    def find(self, symbol: n.Symbol) -> Any:
        """A symbol's value. Raises UnreadableError for one that nothing gives a meaning."""
        key = symbol.key
        if key in self.bound:
            return self.bound[key][0]
        for source in (self.values, self.sizes):
            if key in source:
                return source[key]
        if key in self.where:
            return self._compute(key)
        if key in self.module and _is_plain(self.module[key]):
            return self.module[key]
        if key in _CONSTANTS:
            return _CONSTANTS[key]
        return self.unknown(symbol)

    def unknown(self, node: n.Symbol | n.Index) -> NoReturn:
        latex = write_key(node)
        near = near_names(latex, [*self.values, *self.sizes])
        raise UnreadableError(f"`{latex}` has no value here" + (f" ({near})" if near else ""))

    def _compute(self, expression: str) -> Any:
        try:
            return eval(self.where[expression], {**self.module, **self.values})
        except Exception as error:
            raise UnreadableError(f"`{expression}` has no value here: {error}") from error

    def find_size(self, node: n.Index) -> int | None:
        """The size that `d_k` or `d_{in}` names, if a set has bound it."""
        key = write_key(node)
        return self.sizes.get(key)

    def find_function(self, name: str) -> Callable[..., Any] | None:
        for source in (self.values, self.functions, self.module):
            found = source.get(name)
            if callable(found):
                return found
        return None

    def base_of(self, node: n.Node) -> int:
        """Whether an index counts from 1: it does when a variable in it does."""
        return max(
            (self.bound[s.key][1] for s in symbols_in(node) if s.key in self.bound), default=0
        )

    def axis_length(self, name: str, body: n.Node) -> int:
        """How far an index without bounds runs: along the axis that it stands at."""
        from generator.algorithms.evaluate import evaluate

        for part in walk(body):
            if not isinstance(part, n.Index):
                continue
            for position, index in enumerate(part.indices):
                if isinstance(index, n.Symbol) and index.key == name:
                    shape = np.shape(evaluate(part.base, self).data)
                    if position < len(shape):
                        return int(shape[position])
        raise UnreadableError(f"`{name}` runs over nothing that has an axis")


def _is_plain(value: Any) -> bool:
    return isinstance(value, (bool, int, float, complex, np.ndarray, np.generic, list, tuple))


def walk(node: Any) -> Iterator[Any]:
    """A node and all nodes in it."""
    if is_dataclass(node):
        yield node
        for item in fields(node):
            yield from walk(getattr(node, item.name))
    elif isinstance(node, tuple):
        for part in node:
            yield from walk(part)


@lru_cache(maxsize=4096)
def symbols_in(node: object) -> tuple[n.Symbol, ...]:
    """All symbols in a formula or an expression."""
    return tuple(part for part in walk(node) if isinstance(part, n.Symbol))


def write_key(node: n.Node) -> str:
    """LaTeX for a symbol with its indices, as sizes are named: `d_k`, `d_{in}`."""
    if isinstance(node, n.Symbol):
        return node.latex
    if isinstance(node, n.Number):
        return node.text
    if isinstance(node, n.Index):
        inner = "".join(write_key(index) for index in node.indices)
        return f"{write_key(node.base)}_{inner if len(inner) == 1 else '{' + inner + '}'}"
    if isinstance(node, n.Binary):
        return f"{write_key(node.left)} {node.operator} {write_key(node.right)}".replace("  ", " ")
    return "?"
