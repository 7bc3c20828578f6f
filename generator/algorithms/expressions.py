"""Tokens → expressions: a recursive descent over binding strengths."""

from __future__ import annotations

from generator.algorithms.cursor import Cursor
from generator.algorithms.nodes import (
    Binary,
    Index,
    Logic,
    Negative,
    Node,
    Number,
    Power,
    Relation,
    Sequence,
    Slice,
    Symbol,
    Transpose,
)
from generator.algorithms.tokens import UnreadableError
from generator.algorithms.words import words

RELATIONS = ("=", r"\neq", r"\lt", r"\le", r"\gt", r"\ge", r"\in", r"\notin")
_PRODUCTS = (
    r"\cdot",
    r"\times",
    "*",
    "/",
    r"\odot",
    r"\oslash",
    r"\otimes",
    r"\circ",
    r"\bmod",
    r"\div",
)
_CLOSING = frozenset(
    words(
        r"""
    \rvert \rVert \rfloor \rceil \rangle \} \\ \ldots \leftarrow \land \lor \lnot \sim
    \approx \equiv \propto \mid \top \to \mapsto \subseteq \cup \cap \setminus \rightarrow
    \Rightarrow \forall \exists \And \pm \mp \gg \ll
    """
    )
) | {*RELATIONS, *_PRODUCTS}


def read_logic(cursor: Cursor) -> Node:
    """`a \\lor b`; the loosest of all."""
    parts = [_read_and(cursor)]
    while cursor.accept(r"\lor"):
        parts.append(_read_and(cursor))
    return parts[0] if len(parts) == 1 else Logic(r"\lor", tuple(parts))


def _read_and(cursor: Cursor) -> Node:
    parts = [_read_not(cursor)]
    while cursor.accept(r"\land"):
        parts.append(_read_not(cursor))
    return parts[0] if len(parts) == 1 else Logic(r"\land", tuple(parts))


def _read_not(cursor: Cursor) -> Node:
    if cursor.accept(r"\lnot"):
        return Logic(r"\lnot", (_read_not(cursor),))
    return read_relation(cursor)


def read_relation(cursor: Cursor) -> Node:
    """`a < b \\le c`."""
    operands = [read_sum(cursor)]
    operators = []
    while cursor.at(*RELATIONS):
        operator = cursor.accept(*RELATIONS)
        operators.append(operator)
        if operator in {r"\in", r"\notin"}:
            from generator.algorithms.spaces import read_space

            operands.append(read_space(cursor))
        else:
            operands.append(read_sum(cursor))
    return Relation(tuple(operators), tuple(operands)) if operators else operands[0]


def read_sum(cursor: Cursor) -> Node:
    """`a + b - c`."""
    if cursor.accept("-"):
        left: Node = Negative(read_product(cursor))
    else:
        cursor.accept("+")
        left = read_product(cursor)
    while cursor.at("+", "-"):
        operator = cursor.accept("+", "-")
        left = Binary(operator, left, read_product(cursor))
    return left


def read_product(cursor: Cursor) -> Node:
    """Explicit operators, from left to right, between what stands side by side."""
    left, _ = _read_side_by_side(cursor)
    while True:
        operator = cursor.accept(*_PRODUCTS)
        if not operator:
            return left
        if cursor.at("-"):
            raise UnreadableError(f"a minus follows `{operator}`: put it in brackets")
        right, factors = _read_side_by_side(cursor)
        if operator == "/" and factors > 1:
            raise UnreadableError(
                r"a product after `/` can be read in two ways: use `\frac` or brackets"
            )
        left = Binary(operator, left, right)


def _read_side_by_side(cursor: Cursor) -> tuple[Node, int]:
    r"""`Q K^{\top}`, and how many factors it has."""
    node, count = read_power(cursor), 1
    while starts_factor(cursor):
        node, count = Binary("", node, read_power(cursor)), count + 1
    return node, count


def starts_factor(cursor: Cursor) -> bool:
    """Whether what follows can be multiplied by standing there."""
    token = cursor.peek()
    if token is None or token.kind == "text":
        return False
    if token.kind == "command":
        return token.text not in _CLOSING and not token.text.startswith(r"\end{")
    if token.kind == "sign":
        return token.text in {"(", "[", "{"} or (token.text == "|" and cursor.bars == 0)
    return True


def read_power(cursor: Cursor) -> Node:
    """A primary with its indices and powers."""
    from generator.algorithms.primaries import read_primary

    node = read_primary(cursor)
    while True:
        if cursor.accept("_"):
            node = Index(node, read_indices(cursor))
        elif cursor.accept("^"):
            node = _read_superscript(cursor, node)
        elif cursor.at("'"):
            raise UnreadableError(
                "a prime on a symbol that nothing names: introduce it with `Where:`"
            )
        else:
            return node


def _read_superscript(cursor: Cursor, base: Node) -> Node:
    if cursor.accept(r"\top"):
        return Transpose(base)
    token = cursor.peek()
    known = cursor.vocabulary.match(cursor.tokens, cursor.position)
    if token and token.key == ("letter", "T") and known is None:
        cursor.position += 1
        return Transpose(base)
    if not cursor.accept("{"):
        return Power(base, read_argument(cursor))
    if cursor.at("(", "*") and not cursor.at("(", "*", ahead=1):
        closing = cursor.peek(2)
        if cursor.at("*") or (closing is not None and closing.text == ")"):
            raise UnreadableError(
                "a superscript that is no power: introduce the symbol with `Where:`"
            )
    if cursor.accept("-") and cursor.accept(r"\top"):
        cursor.expect("}")
        return Transpose(Power(base, Negative(Number("1"))))
    if cursor.tokens[cursor.position - 1].text == "-":
        cursor.position -= 1
    circ = bool(cursor.accept(r"\circ"))
    exponent = read_sum(cursor)
    cursor.expect("}")
    return Power(base, exponent, circ)


def read_argument(cursor: Cursor) -> Node:
    """What a command or `^` takes: a group, or a single token."""
    if cursor.accept("{"):
        node = read_logic(cursor)
        cursor.expect("}")
        return node
    token = cursor.take()
    if token.kind == "number" and not token.grouped and len(token.text) > 1:
        raise UnreadableError(f"`{token.text}` after a command or `^` needs braces")
    cursor.position -= 1
    from generator.algorithms.primaries import read_primary

    return read_primary(cursor)


def read_indices(cursor: Cursor) -> tuple[Node, ...]:
    """`_{ij}`, `_{i,j}`, `_{i,:}`, `_i`."""
    if not cursor.accept("{"):
        if cursor.accept(":") or cursor.accept(r"\cdot"):
            return (Slice(None, None),)
        return (read_argument(cursor),)
    items = [_read_index(cursor)]
    while cursor.accept(","):
        items.append(_read_index(cursor))
    cursor.expect("}")
    if len(items) == 1:
        chain = _split_chain(items[0])
        if chain and not isinstance(chain[0], Number):
            return tuple(chain)
    return tuple(items)


def _read_index(cursor: Cursor) -> Node:
    if cursor.at(r"\cdot") and cursor.at(",", "}", ahead=1):
        cursor.position += 1
        return Slice(None, None)
    start = None if cursor.at(":") else read_logic(cursor)
    if not cursor.accept(":"):
        assert start is not None
        return start
    stop = None if cursor.at(",", "}") else read_sum(cursor)
    return Slice(start, stop)


def _split_chain(node: Node) -> list[Node]:
    """The letters of `ij`, which stand side by side; nothing for anything else."""
    if isinstance(node, (Symbol, Number)):
        return [node]
    if isinstance(node, Binary) and node.operator == "":
        left, right = _split_chain(node.left), _split_chain(node.right)
        return left + right if left and right else []
    return []


def read_items(cursor: Cursor, closing: str) -> Sequence:
    """Comma-separated items up to a closing bracket, which is passed."""
    items: list[Node] = []
    ellipsis = False
    while not cursor.accept(closing):
        if items or ellipsis:
            cursor.expect(",")
        if cursor.accept(r"\ldots"):
            ellipsis = True
        else:
            items.append(read_logic(cursor))
    return Sequence(tuple(items), ellipsis)
