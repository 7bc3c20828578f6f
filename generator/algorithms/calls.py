"""Code → LaTeX: calls of numpy's, Python's and the author's functions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from generator.algorithms.phrases import (
    POWER,
    PRODUCT,
    SUM,
    Phrase,
    UntranslatableError,
    attach_index,
    join_product,
)
from generator.algorithms.shapes import REDUCTIONS, axis_of, is_true, keyword, split_call
from generator.algorithms.symbols import write_function
from generator.algorithms.words import words

if TYPE_CHECKING:
    from generator.algorithms.translate import Translator

_COMMANDS = {
    name: "\\" + name
    for name in words(
        """
    exp log sin cos tan sinh cosh tanh arcsin arccos arctan
    """
    )
}
_COMMANDS |= {"log2": r"\log_2", "log10": r"\log_{10}", "det": r"\det"}
_OPERATORS = words(
    """
    sign trace diag cumsum sort argsort round var std median size
    """
)
_BIG = {"sum": r"\sum", "prod": r"\prod", "max": r"\max", "min": r"\min"}
_BIG |= {"amax": r"\max", "amin": r"\min", "argmax": r"\arg\max", "argmin": r"\arg\min"}
_BIG |= {name: rf"\operatorname{{{name}}}" for name in ("mean", "std", "var")}


def translate_call(this: Translator, node: ast.Call, name: str) -> Phrase:
    """The formula of a call. Raises UntranslatableError."""
    operand = split_call(node)[1]
    if not name:
        raise UntranslatableError(f"`{ast.unparse(node)}` has no formula")
    is_numpy = isinstance(node.func, ast.Attribute)
    if name in REDUCTIONS and operand is not None:
        reduced = _reduction(this, node, name, operand)
        if reduced is not None:
            return reduced
    if name in {"linspace", "empty", "full"}:
        raise UntranslatableError(f"`{ast.unparse(node)}` has no formula")
    simple = _SIMPLE.get(name)
    if simple is not None and operand is not None and (is_numpy or name in _BUILTIN):
        return simple(this, node, operand)
    if isinstance(node.func, ast.Attribute) and name not in _OPERATORS:
        raise UntranslatableError(f"`{ast.unparse(node.func)}(…)` has no formula")
    if node.keywords:
        raise UntranslatableError(f"the call `{ast.unparse(node)}` has keywords")
    arguments = [operand] if name in _OPERATORS and operand is not None else node.args
    if name in _COMMANDS:
        raise UntranslatableError(f"`{name}` is not numpy's")
    written = ", ".join(this.visit(argument).latex for argument in arguments)
    if name in _OPERATORS:
        short = {"trace": "tr"}.get(name, name)
        return Phrase(rf"\operatorname{{{short}}}({written})")
    return Phrase(f"{write_function(name)}({written})")


def _reduction(this: Translator, node: ast.Call, name: str, operand: ast.expr) -> Phrase | None:
    if isinstance(operand, ast.GeneratorExp):
        return _comprehension(this, name, operand)
    if name in {"any", "all"}:
        return None
    if name in {"max", "min"} and isinstance(node.func, ast.Name) and len(node.args) > 1:
        return _several(this, name, node.args)
    if axis_of(node) is not None and this.shapes.rank(operand) != 1:
        raise UntranslatableError(f"`{ast.unparse(node)}` needs indices")
    shape = this.shapes.of(operand)
    if not shape:
        raise UntranslatableError(
            f"the number of axes of `{ast.unparse(operand)}` is not known: give it a set such as "
            r"\(x \in \mathbb{R}^{n}\) in `Require:`"
        )
    from generator.algorithms.indexed import reduce_all

    return reduce_all(this, _BIG[name], operand, shape)


def _comprehension(this: Translator, name: str, node: ast.GeneratorExp) -> Phrase:
    if len(node.generators) != 1 or node.generators[0].ifs or name not in _BIG:
        raise UntranslatableError(f"`{ast.unparse(node)}` has no formula")
    loop = node.generators[0]
    bounds = range_bounds(this, loop.iter)
    if not isinstance(loop.target, ast.Name) or bounds is None:
        raise UntranslatableError(f"`{ast.unparse(node)}` doesn't run over a range")
    variable = this.visit(loop.target).latex
    body = this.visit(node.elt).last(PRODUCT)
    head = rf"{_BIG[name]}_{{{variable}={bounds[0]}}}^{{{bounds[1]}}}"
    return Phrase(f"{head} {body}", PRODUCT, is_open=True)


def range_bounds(this: Translator, node: ast.expr) -> tuple[str, str] | None:
    """First and last value of a `range` with step 1, as LaTeX."""
    if not (isinstance(node, ast.Call) and split_call(node)[0] == "range") or len(node.args) > 2:
        return None
    start: ast.expr = node.args[0] if len(node.args) == 2 else ast.Constant(0)
    return this.visit(start).latex, before(this, node.args[-1])


def before(this: Translator, stop: ast.expr) -> str:
    """`stop - 1`, simplified."""
    match stop:
        case ast.Constant(value=int(value)):
            return str(value - 1)
        case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=1)):
            return this.visit(left).latex
    return f"{this.visit(stop).latex} - 1"


def _several(this: Translator, name: str, arguments: list[ast.expr]) -> Phrase:
    written = ", ".join(this.visit(argument).latex for argument in arguments)
    return Phrase(rf"\{name}({written})")


def _norm(this: Translator, node: ast.Call, operand: ast.expr) -> Phrase:
    if keyword(node, "axis") is not None:
        raise UntranslatableError(f"`{ast.unparse(node)}` needs indices")
    order = keyword(node, "ord") or (node.args[1] if len(node.args) > 1 else None)
    inner = this.visit(operand).latex
    rank = this.shapes.rank(operand)
    suffix = "_F" if rank == 2 else ""
    if order is not None:
        suffix = f"_{this.visit(order).latex}"
    return Phrase(rf"\lVert {inner} \rVert{suffix}")


def _filled(symbol: str) -> Callable[[Translator, ast.Call, ast.expr], Phrase]:
    def write(this: Translator, node: ast.Call, operand: ast.expr) -> Phrase:
        sizes = operand.elts if isinstance(operand, ast.Tuple) else [operand]
        if ast.unparse(operand).endswith(".shape"):
            return Phrase(symbol)
        text = r" \times ".join(this.visit(size).latex for size in sizes)
        return Phrase(f"{symbol}_{{{text}}}")

    return write


def _function(command: str) -> Callable[[Translator, ast.Call, ast.expr], Phrase]:
    def write(this: Translator, node: ast.Call, operand: ast.expr) -> Phrase:
        return Phrase(f"{command}({this.visit(operand).latex})")

    return write


def _enclosed(left: str, right: str) -> Callable[[Translator, ast.Call, ast.expr], Phrase]:
    def write(this: Translator, node: ast.Call, operand: ast.expr) -> Phrase:
        return Phrase(f"{left} {this.visit(operand).latex} {right}")

    return write


def _pass(this: Translator, node: ast.Call, operand: ast.expr) -> Phrase:
    return this.visit(operand)


def _sqrt(this: Translator, node: ast.Call, operand: ast.expr) -> Phrase:
    return Phrase(rf"\sqrt{{{this.visit(operand).latex}}}")


def _square(this: Translator, node: ast.Call, operand: ast.expr) -> Phrase:
    return this.visit(ast.BinOp(operand, ast.Pow(), ast.Constant(2)))


def _outer(this: Translator, node: ast.Call, operand: ast.expr) -> Phrase:
    return join_product(this.visit(node.args[0]), this.visit(node.args[1], row=True))


def _where(this: Translator, node: ast.Call, operand: ast.expr) -> Phrase:
    if len(node.args) != 3:
        raise UntranslatableError(f"`{ast.unparse(node)}` needs three arguments")
    return this.cases(*node.args)


def _dot(this: Translator, node: ast.Call, operand: ast.expr) -> Phrase:
    left, right = (operand, node.args[0]) if len(node.args) == 1 else node.args[:2]
    return this.visit(ast.BinOp(left, ast.MatMult(), right))


def _inverse(this: Translator, node: ast.Call, operand: ast.expr) -> Phrase:
    inner = this.visit(operand)
    base = inner.latex if inner.level > POWER else f"({inner.latex})"
    return Phrase(f"{base}^{{-1}}", POWER)


def _solve(this: Translator, node: ast.Call, operand: ast.expr) -> Phrase:
    return join_product(_inverse(this, node, operand), this.visit(node.args[1]))


def _identity(this: Translator, node: ast.Call, operand: ast.expr) -> Phrase:
    return Phrase(attach_index("I", [this.visit(operand).latex]))


def _pair(name: str) -> Callable[[Translator, ast.Call, ast.expr], Phrase]:
    def write(this: Translator, node: ast.Call, operand: ast.expr) -> Phrase:
        return _several(this, name, node.args)

    return write


def _log1p(this: Translator, node: ast.Call, operand: ast.expr) -> Phrase:
    return Phrase(rf"\log(1 + {this.visit(operand).at(SUM)})")


def _copy(this: Translator, node: ast.Call, operand: ast.expr) -> Phrase:
    if is_true(keyword(node, "dtype")):
        raise UntranslatableError("")
    return this.visit(operand)


_BUILTIN = frozenset({"abs", "float", "int", "len"})
_SIMPLE: dict[str, Callable[[Translator, ast.Call, ast.expr], Phrase]] = {
    **{name: _function(command) for name, command in _COMMANDS.items()},
    "sqrt": _sqrt,
    "square": _square,
    "abs": _enclosed(r"\lvert", r"\rvert"),
    "absolute": _enclosed(r"\lvert", r"\rvert"),
    "floor": _enclosed(r"\lfloor", r"\rfloor"),
    "ceil": _enclosed(r"\lceil", r"\rceil"),
    "float": _pass,
    "copy": _copy,
    "asarray": _copy,
    "array": _copy,
    "norm": _norm,
    "zeros": _filled(r"\mathbf{0}"),
    "ones": _filled(r"\mathbf{1}"),
    "zeros_like": lambda this, node, operand: Phrase(r"\mathbf{0}"),
    "ones_like": lambda this, node, operand: Phrase(r"\mathbf{1}"),
    "eye": _identity,
    "identity": _identity,
    "outer": _outer,
    "where": _where,
    "dot": _dot,
    "matmul": _dot,
    "inv": _inverse,
    "solve": _solve,
    "maximum": _pair("max"),
    "minimum": _pair("min"),
    "log1p": _log1p,
    "power": lambda this, node, operand: this.visit(
        ast.BinOp(node.args[0], ast.Pow(), node.args[1])
    ),
    "len": _function(r"\operatorname{len}"),
}
