"""LaTeX → a formula: an assignment, a membership, a loop's range, a relation or an expression."""

from __future__ import annotations

from generator.algorithms.cursor import Cursor
from generator.algorithms.expressions import read_logic, read_sum
from generator.algorithms.nodes import (
    Assignment,
    Formula,
    Membership,
    Node,
    Progression,
    Relation,
    Sequence,
    Symbol,
)
from generator.algorithms.spaces import read_space
from generator.algorithms.tokens import Token, UnreadableError, read_tokens
from generator.algorithms.vocabulary import Vocabulary

_OPEN = frozenset({"(", "[", "{", r"\{", r"\lvert", r"\lVert", r"\lfloor", r"\lceil"})
_CLOSE = frozenset({")", "]", "}", r"\}", r"\rvert", r"\rVert", r"\rfloor", r"\rceil"})


def read_formula(latex: str, vocabulary: Vocabulary) -> Formula:
    """Reads one formula. Raises UnreadableError."""
    try:
        return _read(read_tokens(latex), vocabulary)
    except RecursionError:
        raise UnreadableError("it is nested too deeply") from None


def _read(tokens: list[Token], vocabulary: Vocabulary) -> Formula:
    while tokens and tokens[-1].text in {".", ",", ";", ":"}:
        tokens.pop()
    if not tokens:
        raise UnreadableError("it is empty")
    arrow = _find(tokens, r"\leftarrow")
    if arrow is not None:
        return _read_assignment(tokens, arrow, vocabulary)
    if _find(tokens, r"\ldots") is not None and _find(tokens, "=") is not None:
        return _read_progression(tokens, vocabulary)
    member = _find(tokens, r"\in")
    if member is not None and _find(tokens, r"\land") is None:
        targets = _read_targets(tokens[:member], vocabulary)
        cursor = Cursor(tokens[member + 1 :], vocabulary)
        space = read_space(cursor)
        cursor.expect_end()
        return Membership(targets, space)
    cursor = Cursor(tokens, vocabulary)
    node = read_logic(cursor)
    if cursor.at(","):
        raise UnreadableError(r"a comma joins two formulas: put each in its own `\(…\)`")
    cursor.expect_end()
    return node


def _find(tokens: list[Token], text: str) -> int | None:
    """Position of a command outside all brackets."""
    depth = 0
    for position, token in enumerate(tokens):
        depth += (token.text in _OPEN) - (token.text in _CLOSE)
        if depth == 0 and token.text == text:
            return position
    return None


def _read_assignment(tokens: list[Token], arrow: int, vocabulary: Vocabulary) -> Formula:
    rest = tokens[arrow + 1 :]
    if _find(rest, r"\leftarrow") is not None:
        raise UnreadableError(r"two assignments in one formula: put each in its own `\(…\)`")
    cursor = Cursor(rest, vocabulary)
    value = read_logic(cursor)
    if cursor.at(","):
        raise UnreadableError(r"a comma joins two formulas: put each in its own `\(…\)`")
    cursor.expect_end()
    if isinstance(value, Relation) and value.operators == (r"\in",):
        raise UnreadableError(r"the set belongs in a formula of its own: `\(x \in …\)`")
    return Assignment(_read_targets(tokens[:arrow], vocabulary), value)


def _read_targets(tokens: list[Token], vocabulary: Vocabulary) -> tuple[Node, ...]:
    cursor = Cursor(tokens, vocabulary)
    items = [read_sum(cursor)]
    while cursor.accept(","):
        items.append(read_sum(cursor))
    cursor.expect_end()
    if len(items) == 1 and isinstance(items[0], Sequence):
        return items[0].items
    return tuple(items)


def _read_progression(tokens: list[Token], vocabulary: Vocabulary) -> Formula:
    cursor = Cursor(tokens, vocabulary)
    variable = read_sum(cursor)
    cursor.expect("=")
    if not isinstance(variable, Symbol):
        raise UnreadableError("a range is given to a variable")
    items: list[Node] = []
    ellipsis = False
    while True:
        if cursor.accept(r"\ldots"):
            ellipsis = True
        else:
            items.append(read_sum(cursor))
        if not cursor.accept(","):
            break
    cursor.expect_end()
    if not ellipsis or not 2 <= len(items) <= 3:
        raise UnreadableError(r"a range reads `i = a, \ldots, b`")
    return Progression(variable, Sequence(tuple(items), ellipsis=True))
