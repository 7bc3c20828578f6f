"""What is known of the shapes of a function's values, from its text alone."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from generator.algorithms.words import words

Shape = tuple[str, ...]
"""Sizes as LaTeX; `?` unknown, `1` one."""

ELEMENTWISE = frozenset(
    words(
        """
    sqrt exp log log2 log10 log1p expm1 sin cos tan sinh cosh tanh arcsin arccos arctan abs
    absolute fabs sign floor ceil square negative reciprocal
    """
    )
)
REDUCTIONS = words(
    """
    sum mean max min prod std var amax amin argmax argmin any all
    """
)
_FILLED = frozenset(["zeros", "ones", "empty", "full"])
_ALIKE = words(
    """
    zeros_like ones_like copy array asarray cumsum sort clip float
    """
)


class Shapes:
    """Shapes of names and expressions; a name that nothing tells about has none."""

    def __init__(self, known: Mapping[str, Shape] | None = None) -> None:
        self.names: dict[str, Shape] = dict(known or {})

    def assign(self, target: ast.expr, value: ast.expr) -> None:
        """Remembers what an assignment tells; what is already known stays."""
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for left, right in zip(target.elts, value.elts, strict=False):
                self.assign(left, right)
        elif isinstance(target, ast.Name):
            shape = self.of(value)
            if shape is not None:
                self.names.setdefault(target.id, shape)

    def rank(self, node: ast.expr) -> int | None:
        shape = self.of(node)
        return None if shape is None else len(shape)

    def of(self, node: ast.expr) -> Shape | None:
        """The shape of an expression, or None."""
        match node:
            case ast.Name(id=name):
                return self.names.get(name)
            case ast.Constant() | ast.Compare(ops=[ast.In() | ast.NotIn()]):
                return ()
            case ast.BinOp(left=left, op=ast.MatMult(), right=right):
                return _multiply(self.of(left), self.of(right))
            case ast.BinOp(left=left, right=right):
                return _broadcast(self.of(left), self.of(right))
            case ast.Compare(left=left, comparators=[right]):
                return _broadcast(self.of(left), self.of(right))
            case ast.UnaryOp(operand=operand):
                return self.of(operand)
            case ast.BoolOp():
                return ()
            case ast.IfExp(body=body, orelse=orelse):
                return _broadcast(self.of(body), self.of(orelse))
            case ast.Attribute(value=value, attr="T"):
                shape = self.of(value)
                return None if shape is None else shape[::-1]
            case ast.Attribute(attr="size" | "ndim"):
                return ()
            case ast.Subscript(value=ast.Attribute(attr="shape")):
                return ()
            case ast.Subscript(value=value, slice=index):
                return self._subscript(self.of(value), index)
            case ast.Call():
                return self._call(node)
        return None

    def _subscript(self, shape: Shape | None, index: ast.expr) -> Shape | None:
        if shape is None:
            return None
        items = index.elts if isinstance(index, ast.Tuple) else [index]
        result: list[str] = []
        rest = list(shape)
        for item in items:
            if isinstance(item, ast.Constant) and item.value is None:
                result.append("1")
                continue
            if not rest:
                return None
            size = rest.pop(0)
            if isinstance(item, ast.Slice):
                result.append(size if item.lower is None and item.upper is None else "?")
            else:
                inner = self.of(item)
                if inner:
                    result += ["?"] * len(inner)
        return (*result, *rest)

    def _call(self, node: ast.Call) -> Shape | None:
        name, operand = split_call(node)
        if name in {"len", "norm", "dot", "int", "round", "trace", "det"} and name != "dot":
            return () if keyword(node, "axis") is None else None
        if operand is None:
            return () if name in {"perf_counter"} else None
        if name in {"min", "max"} and len(node.args) > 1 and isinstance(node.func, ast.Name):
            return ()
        if name in REDUCTIONS:
            return self._reduce(node, operand)
        if name in ELEMENTWISE or name in _ALIKE:
            return self.of(operand)
        if name in _FILLED:
            sizes = operand.elts if isinstance(operand, ast.Tuple) else [operand]
            return tuple("?" for _ in sizes)
        if name in {"maximum", "minimum", "power", "where", "outer", "solve", "dot", "matmul"}:
            shapes = [self.of(argument) for argument in node.args]
            if name == "outer":
                return ("?", "?")
            if name in {"dot", "matmul"}:
                return _multiply(shapes[0], shapes[-1]) if len(shapes) == 2 else None
            if name == "solve":
                return shapes[-1]
            if name == "where":
                shapes = shapes[1:] or [None]
            result = shapes[0]
            for shape in shapes[1:]:
                result = _broadcast(result, shape)
            return result
        if name in {"eye", "identity"}:
            return ("?", "?")
        if name in {"arange", "linspace"}:
            return ("?",)
        if name in {"inv"}:
            return self.of(operand)
        return None

    def _reduce(self, node: ast.Call, operand: ast.expr) -> Shape | None:
        shape = self.of(operand)
        axis = axis_of(node)
        if axis is None:
            return ()
        if shape is None or not -len(shape) <= axis < len(shape):
            return None
        sizes = list(shape)
        if is_true(keyword(node, "keepdims")):
            sizes[axis] = "1"
        else:
            del sizes[axis]
        return tuple(sizes)


def split_call(node: ast.Call) -> tuple[str, ast.expr | None]:
    """The last name of what is called, and its operand: `x.sum()` and `np.sum(x)` alike."""
    match node.func:
        case ast.Name(id=name):
            return name, node.args[0] if node.args else None
        case ast.Attribute(value=ast.Name(id="np" | "numpy" | "math"), attr=name):
            return name, node.args[0] if node.args else None
        case ast.Attribute(value=ast.Attribute(value=ast.Name(id="np" | "numpy")), attr=name):
            return name, node.args[0] if node.args else None
        case ast.Attribute(value=value, attr=name):
            return name, value
    return "", None


def is_method(node: ast.Call) -> bool:
    """Whether the operand stands before the dot."""
    return split_call(node)[1] is getattr(node.func, "value", None)


def keyword(node: ast.Call, name: str) -> ast.expr | None:
    return next((item.value for item in node.keywords if item.arg == name), None)


def axis_of(node: ast.Call) -> int | None:
    """The axis of a reduction; None for all of them. Raises ValueError for another form."""
    axis = keyword(node, "axis")
    rest = node.args if is_method(node) else node.args[1:]
    if axis is None and rest:
        axis = rest[0]
    if axis is None or (isinstance(axis, ast.Constant) and axis.value is None):
        return None
    try:
        value = ast.literal_eval(axis)
    except ValueError:
        value = None
    if not isinstance(value, int):
        raise ValueError(f"the axis `{ast.unparse(axis)}` is not a number")
    return value


def is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _multiply(left: Shape | None, right: Shape | None) -> Shape | None:
    if left is None or right is None or not left or not right:
        return None
    if len(right) == 1:
        return left[:-1]
    return (*left[:-1], *right[:-2], right[-1])


def _broadcast(left: Shape | None, right: Shape | None) -> Shape | None:
    if left is None or right is None:
        known = left or right
        return known or None
    if len(left) < len(right):
        left, right = right, left
    padded = ("1",) * (len(left) - len(right)) + right
    return tuple(
        b if a == "1" or (a == "?" and b != "1") else a for a, b in zip(left, padded, strict=True)
    )
