"""Tokens → sets: `\\mathbb{R}^{n \\times d}`, `\\{0, 1\\}`, `[0, 1)`."""

from __future__ import annotations

from generator.algorithms.cursor import Cursor
from generator.algorithms.expressions import read_items, read_power, read_sum
from generator.algorithms.nodes import Node, Sequence, Space
from generator.algorithms.tokens import UnreadableError

_FIELDS = {rf"\mathbb{{{letter}}}": letter for letter in "RNZCQ"}
_LIMITS = {r"\gt": ">", r"\ge": ">=", r"\lt": "<", r"\le": "<=", r"\neq": "!="}


def read_space(cursor: Cursor) -> Node:
    """A set, or an expression whose value has members."""
    for command, letter in _FIELDS.items():
        if cursor.accept(command):
            return _read_field(cursor, letter)
    if cursor.accept(r"\{"):
        items = read_items(cursor, r"\}")
        return _sized(cursor, Space("list", items.items, ellipsis=items.ellipsis))
    if cursor.at("[", "("):
        return _read_interval(cursor)
    return read_sum(cursor)


def _read_field(cursor: Cursor, letter: str) -> Node:
    signs, items = "", ()
    sizes: tuple[Node, ...] | None = None
    while cursor.at("_", "^"):
        if cursor.accept("^"):
            if cursor.accept("+"):
                signs = "+"
            else:
                sizes = _read_sizes(cursor)
            continue
        cursor.expect("_")
        braced = cursor.accept("{")
        if cursor.accept("+"):
            signs = "+"
            while cursor.accept("+"):
                signs = "++"
        else:
            sign = cursor.accept(*_LIMITS)
            if not sign:
                raise UnreadableError("the set's subscript is not read")
            signs, items = _LIMITS[sign], (read_sum(cursor),)  # type: ignore[assignment]
        if braced:
            cursor.expect("}")
    return Space(letter, items, signs, sizes=sizes)


def _read_interval(cursor: Cursor) -> Node:
    start = cursor.position
    left = cursor.accept("[", "(")
    low = read_sum(cursor)
    if not cursor.accept(","):
        cursor.position = start
        return read_sum(cursor)
    high = read_sum(cursor)
    right = cursor.accept("]", ")")
    if not right:
        cursor.position = start
        return read_sum(cursor)
    return _sized(cursor, Space("interval", (low, high), left + right))


def _sized(cursor: Cursor, space: Space) -> Space:
    if not cursor.accept("^"):
        return space
    return Space(space.name, space.items, space.signs, space.ellipsis, _read_sizes(cursor))


def _read_sizes(cursor: Cursor) -> tuple[Node, ...]:
    if not cursor.accept("{"):
        return (read_power(cursor),)
    sizes = [_read_size(cursor)]
    while cursor.accept(r"\times"):
        sizes.append(_read_size(cursor))
    cursor.expect("}")
    return tuple(sizes)


def _read_size(cursor: Cursor) -> Node:
    """A size; `\\times` separates sizes here and is no product."""
    from generator.algorithms.nodes import Binary

    left = read_power(cursor)
    while cursor.at("+", "-", "/") or _starts(cursor):
        operator = cursor.accept("+", "-", "/")
        left = Binary(operator, left, read_power(cursor))
    return left


def _starts(cursor: Cursor) -> bool:
    from generator.algorithms.expressions import starts_factor

    return starts_factor(cursor)


__all__ = ["Sequence", "read_space"]
