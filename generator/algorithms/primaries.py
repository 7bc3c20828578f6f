"""Tokens → the smallest expressions: symbols, brackets, fractions, functions, big operators."""

from __future__ import annotations

from collections.abc import Callable

from generator.algorithms.cursor import Cursor
from generator.algorithms.expressions import (
    read_argument,
    read_indices,
    read_items,
    read_logic,
    read_power,
    read_product,
    read_sum,
)
from generator.algorithms.nodes import (
    Big,
    Binary,
    Call,
    Cases,
    Fence,
    Filled,
    Matrix,
    Node,
    Number,
    Power,
    Relation,
    Symbol,
)
from generator.algorithms.tokens import Token, UnreadableError
from generator.algorithms.vocabulary import join_tokens
from generator.algorithms.words import words

_FUNCTIONS = frozenset(
    words(
        """
    exp log sin cos tan sinh cosh tanh arcsin arccos arctan det sgn cot sec csc
    """
    )
)
_BIG = frozenset({"sum", "prod", "max", "min", "mean", "std", "var", "argmax", "argmin"})
_VALUELESS = {
    r"\partial": "a derivative has no value of its own",
    r"\nabla": "a gradient has no value of its own",
    r"\int": "integrals are not read",
    r"\mathbb{E}": "expectations are not read",
    r"\pm": "`\\pm` has two values",
}


def read_primary(cursor: Cursor) -> Node:
    """One factor, without its indices and powers."""
    found = cursor.vocabulary.match(cursor.tokens, cursor.position)
    if found is not None:
        key, length = found
        piece = cursor.tokens[cursor.position : cursor.position + length]
        cursor.position += length
        if key in cursor.vocabulary.functions and cursor.accept("("):
            return Call(key, read_items(cursor, ")").items)
        return Symbol(key, join_tokens(piece))
    token = cursor.take()
    if token.kind == "number":
        return Number(token.text)
    if token.kind in {"letter", "name"}:
        return _read_word(cursor, token)
    if token.kind == "text":
        raise UnreadableError(f"`{token.text}` is words, not a formula")
    if token.text in _VALUELESS:
        raise UnreadableError(f"{_VALUELESS[token.text]}: name the whole symbol with `Where:`")
    reader = _READERS.get(token.text)
    if reader is not None:
        return reader(cursor, token)
    if token.kind == "command":
        name = token.text[1:]
        if name in _FUNCTIONS:
            return _read_function(cursor, name)
        if name in _BIG:
            return _read_big(cursor, name)
        if name in cursor.vocabulary.functions and cursor.accept("("):
            return Call(name, read_items(cursor, ")").items)
        return Symbol(token.text, token.text)
    raise UnreadableError(f"`{token.text}` is not read here")


def _read_word(cursor: Cursor, token: Token) -> Node:
    name = token.text
    if name in _BIG and cursor.at("_"):
        return _read_big(cursor, name)
    if cursor.at("(") and (name in cursor.vocabulary.functions or token.kind == "name"):
        cursor.expect("(")
        return Call(name, read_items(cursor, ")").items)
    if name == "I" and not cursor.at("_"):
        return Filled("I", ())
    if name == "I":
        cursor.expect("_")
        return Filled("I", read_indices(cursor))
    return Symbol(name, join_tokens([token]))


def _read_function(cursor: Cursor, name: str) -> Node:
    r"""`\log_2 x`, `\sin^2 x`, `\exp(x)`."""
    base = read_argument(cursor) if cursor.accept("_") else None
    exponent = read_argument(cursor) if cursor.accept("^") else None
    bracketed = cursor.accept("(")
    arguments = read_items(cursor, ")").items if bracketed else (read_power(cursor),)
    if base is not None:
        name, arguments = "log_base", (base, *arguments)
    call: Node = Call(name, arguments)
    return call if exponent is None else Power(call, exponent)


def _read_big(cursor: Cursor, name: str) -> Node:
    if name in {"max", "min"} and not cursor.at("_"):
        closing = {"(": ")", r"\{": r"\}"}.get(cursor.accept("(", r"\{"))
        items = read_items(cursor, closing).items if closing else (read_power(cursor),)
        return Call(name, items)
    variables: tuple[Symbol, ...] = ()
    first = last = None
    while cursor.at("_", "^"):
        if cursor.accept("_"):
            variables, first, upper = _read_bounds(cursor)
            last = last or upper
        else:
            cursor.expect("^")
            last = read_argument(cursor)
    if not variables:
        raise UnreadableError(f"`\\{name}` says not what it runs over")
    if (first is None) != (last is None):
        raise UnreadableError(f"`\\{name}` has one bound only")
    return Big(name, variables, first, last, read_product(cursor))


def _read_bounds(cursor: Cursor) -> tuple[tuple[Symbol, ...], Node | None, Node | None]:
    """`i`, `i, j`, `i=1`, `1 \\le i \\le n`."""
    if not cursor.accept("{"):
        return (_as_variable(read_primary(cursor)),), None, None
    items = [read_logic(cursor)]
    while cursor.accept(","):
        items.append(read_logic(cursor))
    cursor.expect("}")
    match items:
        case [Relation(operators=("=",), operands=(variable, first))]:
            return (_as_variable(variable),), first, None
        case [Relation(operators=(r"\le", r"\le"), operands=(first, variable, last))]:
            return (_as_variable(variable),), first, last
    return tuple(_as_variable(item) for item in items), None, None


def _as_variable(node: Node) -> Symbol:
    if not isinstance(node, Symbol):
        raise UnreadableError("a sum or maximum runs over `i=1` to `n`, or over `i` alone")
    return node


def _read_group(cursor: Cursor, token: Token) -> Node:
    items = read_items(cursor, {"(": ")", "[": "]"}[token.text])
    if items.ellipsis or len(items.items) != 1:
        return items
    return items.items[0]


def _read_bar(cursor: Cursor, token: Token) -> Node:
    closing = {"|": "|", r"\lvert": r"\rvert", r"\|": r"\|", r"\lVert": r"\rVert"}[token.text]
    single = token.text == closing
    cursor.bars += single
    inner = read_sum(cursor)
    cursor.bars -= single
    cursor.expect(closing)
    if token.text in {"|", r"\lvert"}:
        return Fence("abs", inner)
    subscript = ""
    if cursor.at("_"):
        cursor.expect("_")
        subscript = cursor.take().text
    return Fence("norm", inner, subscript)


def _read_rounded(cursor: Cursor, token: Token) -> Node:
    name = {r"\lfloor": "floor", r"\lceil": "ceil"}[token.text]
    inner = read_sum(cursor)
    cursor.expect({"floor": r"\rfloor", "ceil": r"\rceil"}[name])
    return Fence(name, inner)


def _read_frac(cursor: Cursor, token: Token) -> Node:
    numerator = read_argument(cursor)
    return Binary(r"\frac", numerator, read_argument(cursor))


def _read_sqrt(cursor: Cursor, token: Token) -> Node:
    if not cursor.accept("["):
        return Call("sqrt", (read_argument(cursor),))
    degree = read_sum(cursor)
    cursor.expect("]")
    return Power(read_argument(cursor), Binary(r"\frac", Number("1"), degree))


def _read_arg(cursor: Cursor, token: Token) -> Node:
    name = cursor.take().text
    if name not in {r"\max", r"\min"}:
        raise UnreadableError(r"`\arg` stands before `\max` or `\min`")
    return _read_big(cursor, "arg" + name[1:])


def _read_filled(cursor: Cursor, token: Token) -> Node:
    if cursor.accept("["):
        condition = read_logic(cursor)
        cursor.expect("]")
        return Call("indicator", (condition,))
    name = token.text[-2]
    if not cursor.accept("_"):
        return Filled(name, ())
    if not cursor.accept("{"):
        return Filled(name, (read_argument(cursor),))
    sizes = [read_power(cursor)]
    while not cursor.accept("}"):
        if not cursor.accept(r"\times"):
            cursor.position = cursor.position  # a sum such as `n + 1` is one size
            return _read_filled_sum(cursor, name, sizes)
        sizes.append(read_power(cursor))
    return Filled(name, tuple(sizes))


def _read_filled_sum(cursor: Cursor, name: str, sizes: list[Node]) -> Node:
    left = sizes.pop()
    while cursor.at("+", "-"):
        left = Binary(cursor.accept("+", "-"), left, read_power(cursor))
    cursor.expect("}")
    return Filled(name, (*sizes, left))


def _read_cases(cursor: Cursor, token: Token) -> Node:
    rows: list[tuple[Node, Node | None]] = []
    while not cursor.accept(r"\end{cases}"):
        value = read_sum(cursor)
        cursor.accept(",")
        cursor.expect("&")
        condition = None
        word = cursor.peek()
        if word and word.kind == "text":
            cursor.position += 1
        if not (word and word.kind == "text" and word.text in {"otherwise", "else"}):
            condition = read_logic(cursor)
        cursor.accept(",")
        cursor.accept(".")
        rows.append((value, condition))
        if not cursor.at(r"\end{cases}"):
            cursor.expect(r"\\")
    return Cases(tuple(rows))


def _read_matrix(cursor: Cursor, token: Token) -> Node:
    end = token.text.replace(r"\begin", r"\end")
    rows: list[tuple[Node, ...]] = []
    row: list[Node] = []
    while not cursor.accept(end):
        row.append(read_sum(cursor))
        if cursor.accept(r"\\") or cursor.at(end):
            rows.append(tuple(row))
            row = []
        else:
            cursor.expect("&")
    return Matrix(tuple(rows))


def _read_accent(cursor: Cursor, token: Token) -> Node:
    start = cursor.position
    read_argument(cursor)
    latex = token.text + join_tokens(cursor.tokens[start : cursor.position])
    return Symbol(latex, latex)


def _read_braces(cursor: Cursor, token: Token) -> Node:
    inner = read_logic(cursor)
    cursor.expect("}")
    return inner


_READERS: dict[str, Callable[[Cursor, Token], Node]] = {
    "{": _read_braces,
    "(": _read_group,
    "[": _read_group,
    "|": _read_bar,
    r"\|": _read_bar,
    r"\lvert": _read_bar,
    r"\lVert": _read_bar,
    r"\lfloor": _read_rounded,
    r"\lceil": _read_rounded,
    r"\frac": _read_frac,
    r"\sqrt": _read_sqrt,
    r"\arg": _read_arg,
    r"\mathbf{0}": _read_filled,
    r"\mathbf{1}": _read_filled,
    r"\mathbb{1}": _read_filled,
    r"\begin{cases}": _read_cases,
    r"\begin{bmatrix}": _read_matrix,
    r"\begin{pmatrix}": _read_matrix,
    r"\begin{matrix}": _read_matrix,
    r"\hat": _read_accent,
    r"\bar": _read_accent,
    r"\tilde": _read_accent,
    r"\dot": _read_accent,
    r"\vec": _read_accent,
}
