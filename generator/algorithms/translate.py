"""Code → LaTeX: expressions as formulas over whole arrays."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from generator.algorithms.phrases import (
    AND,
    ATOM,
    ELEMENT,
    NOT,
    OR,
    POWER,
    PRODUCT,
    RELATION,
    SUM,
    Phrase,
    UntranslatableError,
    attach_index,
    join_product,
    wrap,
)
from generator.algorithms.shapes import Shapes, split_call
from generator.algorithms.symbols import write_symbol

COMPARISONS: Mapping[type[ast.cmpop], str] = {
    ast.Lt: r"\lt",
    ast.LtE: r"\le",
    ast.Gt: r"\gt",
    ast.GtE: r"\ge",
    ast.Eq: "=",
    ast.NotEq: r"\neq",
    ast.In: r"\in",
    ast.NotIn: r"\notin",
}


class Translator:
    """Translates the expressions of one function."""

    def __init__(self, shapes: Shapes, symbols: Mapping[str, str] | None = None) -> None:
        self.shapes = shapes
        self.symbols = dict(symbols or {})
        """Python expression → formula, from `Where:`."""
        self.bound: dict[str, str] = {}
        """Index letters in use, by Python name."""
        self.given: Mapping[str, Phrase] = {}
        """Phrases that stand for names while `compose` is at work."""

    def translate(self, node: ast.expr) -> str:
        """The formula of an expression. Raises UntranslatableError."""
        return self.visit(node).latex

    def compose(self, node: ast.expr, phrases: Mapping[str, Phrase]) -> Phrase:
        """An expression whose names stand for phrases that are numbers."""
        outer, self.given = self.given, phrases
        try:
            return self.visit(node)
        finally:
            self.given = outer

    def visit(self, node: ast.expr, *, row: bool = False) -> Phrase:
        """A phrase; as a row where `row` asks for one and the expression is a vector."""
        phrase = self._visit(node, row)
        if row and not phrase.row and self.shapes.rank(node) == 1:
            return Phrase(f"{_base(phrase)}^{{\\top}}", POWER, row=True)
        return phrase

    def _visit(self, node: ast.expr, row: bool) -> Phrase:
        named = self.symbols.get(ast.unparse(node))
        if named is not None:
            return Phrase(named, POWER if "^" in named else ATOM)
        method = _VISITORS.get(type(node))
        if method is None:
            raise UntranslatableError(f"`{ast.unparse(node)}` has no formula")
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            return self._matmul(node.left, node.right, row)
        return method(self, node)

    # Leaves

    def _name(self, node: ast.Name) -> Phrase:
        if node.id in self.given:
            return self.given[node.id]
        latex = self.bound.get(node.id) or write_symbol(node.id)
        return Phrase(latex, POWER if "^" in latex else ATOM)

    def _constant(self, node: ast.Constant) -> Phrase:
        value = node.value
        if value is True or value is False:
            return Phrase(rf"\mathrm{{{str(value).lower()}}}")
        if isinstance(value, (int, float)):
            return write_number(value)
        if isinstance(value, str) and value.isidentifier():
            return Phrase(rf"\text{{{value.replace('_', ' ')}}}")
        raise UntranslatableError(f"`{value!r}` has no formula")

    def _attribute(self, node: ast.Attribute) -> Phrase:
        text = ast.unparse(node)
        if node.attr == "T":
            rank = self.shapes.rank(node.value)
            if rank == 1:
                return self.visit(node.value)
            return Phrase(f"{_base(self.visit(node.value))}^{{\\top}}", POWER)
        constants = {"pi": r"\pi", "inf": r"\infty", "e": "e"}
        if text.split(".")[0] in {"np", "numpy", "math"} and node.attr in constants:
            return Phrase(constants[node.attr])
        raise UntranslatableError(f"`{text}` has no formula")

    # Operators

    def _unary(self, node: ast.UnaryOp) -> Phrase:
        if isinstance(node.op, ast.USub):
            return Phrase(f"-{self.visit(node.operand).last(PRODUCT)}", SUM)
        if isinstance(node.op, (ast.Not, ast.Invert)):
            return Phrase(rf"\lnot {self.visit(node.operand).at(POWER)}", NOT)
        return self.visit(node.operand)

    def _binary(self, node: ast.BinOp) -> Phrase:
        left, right = node.left, node.right
        match node.op:
            case ast.Add():
                a, b = self.visit(left), self.visit(right)
                b_text = wrap(b.latex) if b.latex.startswith("-") else b.at(SUM)
                return Phrase(f"{a.at(SUM)} + {b_text}", SUM)
            case ast.Sub():
                a, b = self.visit(left), self.visit(right)
                b_text = wrap(b.latex) if b.latex.startswith("-") else b.last(PRODUCT)
                return Phrase(f"{a.at(SUM)} - {b_text}", SUM)
            case ast.Mult():
                return self._times(left, right)
            case ast.Div():
                return self._divide(left, right)
            case ast.FloorDiv():
                texts = self.visit(left).latex, self.visit(right).latex
                return Phrase(rf"\left\lfloor \frac{{{texts[0]}}}{{{texts[1]}}} \right\rfloor")
            case ast.Mod():
                a, b = self.visit(left), self.visit(right)
                return Phrase(rf"{a.at(PRODUCT)} \bmod {b.at(POWER)}", ELEMENT)
            case ast.Pow():
                return self._power(left, right)
            case ast.BitAnd():
                a, b = self.visit(left), self.visit(right)
                return Phrase(rf"{a.at(AND)} \land {b.at(AND)}", AND)
            case ast.BitOr():
                a, b = self.visit(left), self.visit(right)
                return Phrase(rf"{a.at(OR)} \lor {b.at(OR)}", OR)
        raise UntranslatableError(f"`{ast.unparse(node)}` has no formula")

    def _times(self, left: ast.expr, right: ast.expr) -> Phrase:
        a, b = self.visit(left), self.visit(right)
        if (self.shapes.rank(left) or 0) > 0 and (self.shapes.rank(right) or 0) > 0:
            return Phrase(rf"{a.at(ELEMENT)} \odot {b.at(PRODUCT)}", ELEMENT)
        return join_product(a, b)

    def _divide(self, left: ast.expr, right: ast.expr) -> Phrase:
        a, b = self.visit(left), self.visit(right)
        if (self.shapes.rank(left) or 0) > 0 and (self.shapes.rank(right) or 0) > 0:
            return Phrase(rf"{a.at(ELEMENT)} \oslash {b.at(POWER)}", ELEMENT)
        return Phrase(rf"\frac{{{a.latex}}}{{{b.latex}}}")

    def _power(self, left: ast.expr, right: ast.expr) -> Phrase:
        base = _base(self.visit(left))
        exponent = self.visit(right).latex
        if (self.shapes.rank(left) or 0) > 1:
            return Phrase(rf"{base}^{{\circ {exponent}}}", POWER)
        short = len(exponent) == 1
        return Phrase(f"{base}^{exponent}" if short else f"{base}^{{{exponent}}}", POWER)

    def _matmul(self, left: ast.expr, right: ast.expr, row: bool) -> Phrase:
        left_rank, right_rank = self.shapes.rank(left), self.shapes.rank(right)
        if left_rank == 1 and right_rank != 1 and not row:
            turned = self._transposed(right)
            return join_product(Phrase(turned, POWER), self.visit(left))
        product = join_product(self.visit(left, row=left_rank == 1), self.visit(right))
        return Phrase(product.latex, PRODUCT, row=left_rank == 1 and right_rank != 1)

    def _transposed(self, node: ast.expr) -> str:
        if isinstance(node, ast.Attribute) and node.attr == "T":
            return _base(self.visit(node.value))
        return f"{_base(self.visit(node))}^{{\\top}}"

    def _compare(self, node: ast.Compare) -> Phrase:
        parts = [self.visit(node.left).at(SUM)]
        for operator, right in zip(node.ops, node.comparators, strict=True):
            if type(operator) not in COMPARISONS:
                raise UntranslatableError(f"`{ast.unparse(node)}` has no formula")
            parts += [COMPARISONS[type(operator)], self.visit(right).at(SUM)]
        return Phrase(" ".join(parts), RELATION)

    def _logic(self, node: ast.BoolOp) -> Phrase:
        word, level = (r"\land", AND) if isinstance(node.op, ast.And) else (r"\lor", OR)
        parts = [self.visit(value).at(level + 1) for value in node.values]
        return Phrase(f" {word} ".join(parts), level)

    def _choice(self, node: ast.IfExp) -> Phrase:
        return self.cases(node.test, node.body, node.orelse)

    def cases(self, test: ast.expr, body: ast.expr, orelse: ast.expr) -> Phrase:
        a, b, c = (self.visit(part).latex for part in (body, orelse, test))
        rows = rf"{a} & \text{{if }} {c} \\ {b} & \text{{otherwise}}"
        return Phrase(rf"\begin{{cases}} {rows} \end{{cases}}")

    def _tuple(self, node: ast.Tuple | ast.List) -> Phrase:
        return Phrase(wrap(", ".join(self.visit(item).latex for item in node.elts)))

    # Subscripts and calls

    def _subscript(self, node: ast.Subscript) -> Phrase:
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            return Phrase(self._size(node.value.value, node.slice))
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        texts = [self.index(item) for item in items]
        return Phrase(attach_index(self.visit(node.value).latex, texts))

    def index(self, node: ast.expr) -> str:
        if not isinstance(node, ast.Slice):
            if isinstance(node, ast.Constant) and node.value is None:
                raise UntranslatableError("a new axis has no formula outside sums over axes")
            return self.visit(node).latex
        if node.step is not None:
            raise UntranslatableError(f"the slice `{ast.unparse(node)}` has a step")
        ends = [self.visit(end).latex if end else "" for end in (node.lower, node.upper)]
        return ":".join(ends)

    def _size(self, operand: ast.expr, axis: ast.expr) -> str:
        shape = self.shapes.of(operand)
        position = axis.value if isinstance(axis, ast.Constant) else None
        if shape is None or not isinstance(position, int):
            size = "?"
        else:
            size = shape[position] if -len(shape) <= position < len(shape) else "?"
        if size not in {"?", "1"}:
            return size
        text = f"{ast.unparse(operand)}.shape[{ast.unparse(axis)}]"
        raise UntranslatableError(
            f"`{text}` has no name: give {ast.unparse(operand)} a set such as "
            rf"\(X \in \mathbb{{R}}^{{n \times d}}\), or name it with `Where:`"
        )

    def _call(self, node: ast.Call) -> Phrase:
        from generator.algorithms.calls import translate_call

        if isinstance(node.func, ast.Name) and node.func.id == "len" and len(node.args) == 1:
            shape = self.shapes.of(node.args[0])
            if shape and shape[0] != "?":
                return Phrase(shape[0])
        return translate_call(self, node, split_call(node)[0])


def write_number(value: int | float) -> Phrase:
    """A number as LaTeX; small and large ones with a power of ten."""
    if isinstance(value, int):
        return Phrase(str(value), SUM if value < 0 else ATOM)
    text = repr(value)
    if "e" not in text:
        return Phrase(text.removesuffix(".0") if value == int(value) else text)
    digits, exponent = text.split("e")
    power = f"10^{{{int(exponent)}}}"
    if digits in {"1", "1.0"}:
        return Phrase(power, POWER)
    return Phrase(rf"{digits} \cdot {power}", PRODUCT)


def _base(phrase: Phrase) -> str:
    """What a power or a transpose can be put on."""
    return phrase.latex if phrase.level > POWER else wrap(phrase.latex)


_VISITORS: dict[type[ast.expr], Callable[..., Phrase]] = {
    ast.Name: Translator._name,
    ast.Constant: Translator._constant,
    ast.Attribute: Translator._attribute,
    ast.UnaryOp: Translator._unary,
    ast.BinOp: Translator._binary,
    ast.Compare: Translator._compare,
    ast.BoolOp: Translator._logic,
    ast.IfExp: Translator._choice,
    ast.Tuple: Translator._tuple,
    ast.List: Translator._tuple,
    ast.Subscript: Translator._subscript,
    ast.Call: Translator._call,
}
