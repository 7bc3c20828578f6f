"""Code → LaTeX with indices: sums over axes, kept dimensions, new axes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from generator.algorithms.phrases import PRODUCT, Phrase, UntranslatableError, attach_index
from generator.algorithms.shapes import (
    ELEMENTWISE,
    REDUCTIONS,
    Shape,
    axis_of,
    is_true,
    keyword,
    split_call,
)

if TYPE_CHECKING:
    from generator.algorithms.translate import Translator

_LETTERS = "ijklpqrst"


def needs_indices(this: Translator, node: ast.expr) -> bool:
    """Whether an expression has a reduction over one of several axes, or a new axis."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            name, operand = split_call(part)
            if name in REDUCTIONS and operand is not None:
                if isinstance(operand, ast.GeneratorExp):
                    continue
                if axis_of(part) is not None and this.shapes.rank(operand) != 1:
                    return True
            if name == "norm" and keyword(part, "axis") is not None:
                return True
        if isinstance(part, ast.Subscript):
            items = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
            if any(isinstance(i, ast.Constant) and i.value is None for i in items):
                return True
    return False


class Indexer:
    """Writes expressions element by element."""

    def __init__(self, this: Translator) -> None:
        self.this = this
        taken = {this.visit(ast.Name(name)).latex for name in this.shapes.names}
        self._free = [letter for letter in _LETTERS if letter not in taken]

    def fresh(self) -> str:
        if not self._free:
            raise UntranslatableError("no letter is left for an index")
        return self._free.pop(0)

    def visit(self, node: ast.expr, at: tuple[str, ...]) -> Phrase:
        """The element of an expression at some indices, aligned with its last axes."""
        this = self.this
        shape = this.shapes.of(node)
        if shape == ():
            return this.visit(node)
        if shape is None:
            raise UntranslatableError(f"the number of axes of `{ast.unparse(node)}` is not known")
        at = at[len(at) - len(shape) :]
        match node:
            case ast.Name():
                if "1" in shape:
                    raise UntranslatableError(f"`{node.id}` is broadcast along an axis of size 1")
                return Phrase(attach_index(this.visit(node).latex, list(at)))
            case ast.Attribute(value=value, attr="T"):
                return self.visit(value, at[::-1])
            case ast.BinOp(op=ast.MatMult()):
                return Phrase(attach_index(this.visit(node).latex, list(at)))
            case ast.Subscript(value=value, slice=index):
                return self._subscript(value, index, at)
            case ast.Call():
                return self._call(node, at)
        return self._elementwise(node, at)

    def _subscript(self, value: ast.expr, index: ast.expr, at: tuple[str, ...]) -> Phrase:
        items = index.elts if isinstance(index, ast.Tuple) else [index]
        rest, inner = list(at), []
        for item in items:
            if isinstance(item, ast.Constant) and item.value is None:
                rest.pop(0)
            elif isinstance(item, ast.Slice):
                if item.lower or item.upper or item.step:
                    raise UntranslatableError(
                        f"the slice `{ast.unparse(item)}` in a sum over an axis"
                    )
                inner.append(rest.pop(0))
            else:
                inner.append(self.this.visit(item).latex)
        rank = self.this.shapes.rank(value) or 0
        inner += rest[: rank - len(inner)]
        if isinstance(value, ast.Name):
            return Phrase(attach_index(self.this.visit(value).latex, inner))
        return self.visit(value, tuple(inner))

    def _call(self, node: ast.Call, at: tuple[str, ...]) -> Phrase:
        from generator.algorithms.calls import _BIG

        name, operand = split_call(node)
        assert operand is not None
        if name in REDUCTIONS or (name == "norm" and keyword(node, "axis") is not None):
            axis = axis_of(node)
            shape = self.this.shapes.of(operand)
            assert axis is not None and shape is not None
            axis %= len(shape)
            letter = self.fresh()
            rest = list(at)
            if is_true(keyword(node, "keepdims")):
                rest.pop(axis)
            rest.insert(axis, letter)
            body = self.visit(operand, tuple(rest))
            if name == "norm":
                raise UntranslatableError("a norm along an axis has no formula")
            return big(_BIG[name], [(letter, shape[axis])], body)
        if name in ELEMENTWISE or name in {"maximum", "minimum", "where", "float", "power"}:
            return self._elementwise(node, at)
        return Phrase(attach_index(self.this.visit(node).latex, list(at)))

    def _elementwise(self, node: ast.expr, at: tuple[str, ...]) -> Phrase:
        """Elements of the operands under placeholder names, put together as scalars."""
        this = self.this
        phrases: dict[str, Phrase] = {}

        def replace(part: ast.expr) -> ast.expr:
            name = f"\0{len(phrases)}"
            phrases[name] = self.visit(part, at)
            return ast.Name(name)

        match node:
            case ast.BinOp(left=left, op=op, right=right):
                copy: ast.expr = ast.BinOp(replace(left), op, replace(right))
            case ast.UnaryOp(op=sign, operand=inner):
                copy = ast.UnaryOp(sign, replace(inner))
            case ast.Compare(left=left, ops=ops, comparators=[right]):
                copy = ast.Compare(replace(left), ops, [replace(right)])
            case ast.Call():
                name, operand = split_call(node)
                assert operand is not None
                arguments = node.args if operand in node.args else [operand, *node.args]
                function = ast.Attribute(ast.Name("np"), name)
                copy = ast.Call(function, [replace(a) for a in arguments], [])
            case _:
                raise UntranslatableError(f"`{ast.unparse(node)}` has no formula with indices")
        return this.compose(copy, phrases)


def big(command: str, indices: list[tuple[str, str]], body: Phrase) -> Phrase:
    r"""`\sum_{i=1}^{n} …`; without bounds where a size has no name."""
    latex = body.last(PRODUCT)
    bounded = command in {r"\sum", r"\prod"}
    head = ""
    for letter, size in indices:
        if bounded and size not in {"?", "1"}:
            head += f"{command}_{{{letter}=1}}^{{{size}}} "
        else:
            head += f"{command}_{letter} "
    return Phrase(f"{head}{latex}", PRODUCT, is_open=True)


def reduce_all(this: Translator, command: str, operand: ast.expr, shape: Shape) -> Phrase:
    """A reduction of an array to one number."""
    indexer = Indexer(this)
    letters = [indexer.fresh() for _ in shape]
    body = indexer.visit(operand, tuple(letters))
    if command in {r"\sum", r"\prod"} or len(letters) == 1:
        return big(command, list(zip(letters, shape, strict=True)), body)
    return Phrase(f"{command}_{{{','.join(letters)}}} {body.last(PRODUCT)}", PRODUCT, is_open=True)


def translate_indexed(this: Translator, target: ast.expr, value: ast.expr) -> str:
    r"""`A_{ij} \leftarrow …` for an assignment to a name."""
    shape = this.shapes.of(value)
    if shape is None:
        raise UntranslatableError(f"the number of axes of `{ast.unparse(value)}` is not known")
    indexer = Indexer(this)
    letters = tuple(indexer.fresh() for _ in shape)
    left = this.visit(target).latex
    if shape:
        left = attach_index(left, list(letters))
    return rf"{left} \leftarrow {indexer.visit(value, letters).latex}"
