"""Statements → the text of their lines, translated from the code."""

from __future__ import annotations

import ast
from collections.abc import Callable

from generator.algorithms.calls import before, range_bounds
from generator.algorithms.indexed import needs_indices, translate_indexed
from generator.algorithms.phrases import UntranslatableError
from generator.algorithms.shapes import split_call
from generator.algorithms.symbols import write_symbol
from generator.algorithms.translate import Translator

IsAlgorithm = Callable[[str], bool]
"""Whether a name of the function's module is an algorithm itself."""


def translate_statement(this: Translator, node: ast.stmt, is_algorithm: IsAlgorithm) -> list[str]:
    r"""Formulas of a simple statement, each as a piece of a line. Raises UntranslatableError."""
    match node:
        case ast.Assign(targets=[target], value=value):
            return _assign(this, target, value, is_algorithm)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            return _assign(this, target, value, is_algorithm)
        case ast.AugAssign(target=target, op=op, value=value):
            left = ast.parse(ast.unparse(target), mode="eval").body
            return _assign(this, target, ast.BinOp(left, op, value), is_algorithm)
        case ast.Return(value=None):
            return [""]
        case ast.Return(value=ast.Tuple(elts=elts)):
            return [", ".join(_math(this.translate(item)) for item in elts)]
        case ast.Return(value=ast.expr() as value):
            return [_call_text(this, value, is_algorithm) or _math(this.translate(value))]
        case ast.Expr(value=value):
            text = _call_text(this, value, is_algorithm)
            if text:
                return [text]
    raise UntranslatableError(f"`{ast.unparse(node).splitlines()[0]}` has no formula")


def _assign(
    this: Translator, target: ast.expr, value: ast.expr, is_algorithm: IsAlgorithm
) -> list[str]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        _refuse_swaps(target, value)
        return [
            text
            for left, right in zip(target.elts, value.elts, strict=True)
            for text in _assign(this, left, right, is_algorithm)
        ]
    call = _call_text(this, value, is_algorithm)
    if isinstance(target, ast.Tuple):
        left = "(" + ", ".join(this.translate(item) for item in target.elts) + ")"
    else:
        left = this.translate(target)
    if call:
        return [rf"\({left} \leftarrow\) {call}"]
    if isinstance(target, ast.Name) and needs_indices(this, value):
        return [_math(translate_indexed(this, target, value))]
    return [_math(rf"{left} \leftarrow {this.translate(value)}")]


def _refuse_swaps(target: ast.Tuple, value: ast.Tuple) -> None:
    """`a, b = b, a` is no sequence of assignments."""
    assigned: set[str] = set()
    for left, right in zip(target.elts, value.elts, strict=True):
        names = {node.id for node in ast.walk(right) if isinstance(node, ast.Name)}
        if assigned & names:
            raise UntranslatableError(f"`{ast.unparse(value)}` uses what it assigns")
        assigned |= {node.id for node in ast.walk(left) if isinstance(node, ast.Name)}


def _call_text(this: Translator, node: ast.expr, is_algorithm: IsAlgorithm) -> str:
    r"""`\Call{name}{…}` for the call of another algorithm, else nothing."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
        return ""
    if not is_algorithm(node.func.id):
        return ""
    arguments = [this.translate(item) for item in node.args]
    for item in node.keywords:
        if item.arg is None:
            raise UntranslatableError(f"`{ast.unparse(node)}` has no formula")
        arguments.append(f"{write_symbol(item.arg)} = {this.translate(item.value)}")
    written = ", ".join(map(_math, arguments))
    return rf"\Call{{{node.func.id.replace('_', '-')}}}{{{written}}}"


def translate_loop(this: Translator, node: ast.For) -> str:
    """What a `for` runs over. Raises UntranslatableError."""
    target, source = node.target, node.iter
    name = split_call(source)[0] if isinstance(source, ast.Call) else ""
    if isinstance(target, ast.Name) and name == "range":
        assert isinstance(source, ast.Call)
        return _range(this, target, source)
    if isinstance(target, ast.Tuple) and isinstance(source, ast.Call):
        if name == "enumerate" and len(source.args) == 1 and len(target.elts) == 2:
            index, item = target.elts
            last = before(this, ast.Call(ast.Name("len"), [source.args[0]], []))
            first = _math(rf"{this.translate(index)} = 0, \ldots, {last}")
            return first + ", " + _math(_member(this, item, source.args[0]))
        if name == "zip" and len(source.args) == len(target.elts):
            pairs = zip(target.elts, source.args, strict=True)
            return ", ".join(_math(_member(this, item, part)) for item, part in pairs)
    if isinstance(target, ast.Name) and not isinstance(source, ast.Call):
        return _math(_member(this, target, source))
    raise UntranslatableError(
        f"`for {ast.unparse(target)} in {ast.unparse(source)}` has no formula"
    )


def _member(this: Translator, target: ast.expr, source: ast.expr) -> str:
    return rf"{this.translate(target)} \in {this.translate(source)}"


def _range(this: Translator, target: ast.Name, source: ast.Call) -> str:
    variable = this.translate(target)
    bounds = range_bounds(this, source)
    if bounds is not None:
        if target.id == "_" and bounds[0] == "0":
            return _math(this.translate(source.args[0])) + " times"
        return _math(rf"{variable} = {bounds[0]}, \ldots, {bounds[1]}")
    start, stop, step = source.args
    if ast.unparse(step) == "-1":
        first, last = this.translate(start), _after(this, stop)
        second = "" if last.lstrip("-").isdigit() else f"{before(this, start)}, "
        return _math(rf"{variable} = {first}, {second}\ldots, {last}")
    raise UntranslatableError(f"`{ast.unparse(source)}` has a step")


def _after(this: Translator, stop: ast.expr) -> str:
    try:
        value = ast.literal_eval(stop)
    except ValueError:
        return this.translate(stop) + " + 1"
    return str(value + 1)


def _math(latex: str) -> str:
    return rf"\({latex}\)"
