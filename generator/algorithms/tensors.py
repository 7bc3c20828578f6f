"""Values of formulas: numbers, vectors (columns, unless transposed), matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from generator.algorithms.tokens import UnreadableError
from generator.frozen import dataclass


class ImpossibleError(Exception):
    """An operation that the values don't allow, such as a product whose sizes don't fit."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """A value and, for a vector, whether it lies as a row."""

    data: Any
    """A number or an array; anything at all where the formula only passes it on."""
    row: bool = False
    """Whether it is a vector written as a row."""

    @property
    def rank(self) -> int:
        return int(np.ndim(self.data))

    def __str__(self) -> str:
        return describe(self.data)


def describe(value: Any) -> str:
    """A value in few words, for messages."""
    if isinstance(value, tuple):
        return f"{len(value)} values"
    shape = np.shape(value) if isinstance(value, np.ndarray) else ()
    if shape:
        return "a " + "×".join(map(str, shape)) + (" array" if len(shape) > 1 else " vector")
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return f"{float(value):.6g}"
    return f"a {type(value).__name__}"


def as_array(value: Any) -> Any:
    """Lists and tuples of numbers as arrays; everything else as it is."""
    if isinstance(value, (list, tuple)):
        try:
            array = np.asarray(value)
        except ValueError:
            return value
        return array if array.dtype != object else value
    if isinstance(value, np.ndarray) and type(value) is not np.ndarray:
        return np.asarray(value)
    return value


def transpose(x: Tensor) -> Tensor:
    if x.rank < 2:
        return Tensor(x.data, not x.row) if x.rank else x
    return Tensor(np.swapaxes(x.data, -1, -2))


def multiply(a: Tensor, b: Tensor) -> Tensor:
    """Juxtaposition: scaling, or the product of matrices and vectors."""
    if a.rank == 0 or b.rank == 0:
        return Tensor(_number(a) * _number(b), a.row or b.row)
    if a.rank == 1 and b.rank == 1:
        if a.row and not b.row:
            return Tensor(_matmul(a, b))
        if not a.row and b.row:
            return Tensor(np.outer(a.data, b.data))
        raise ImpossibleError(
            r"a product of two vectors: write `u^{\top} v`, `u v^{\top}` or `\odot`"
        )
    if a.rank == 1 and not a.row and b.rank == 2 and np.shape(b.data)[0] != 1:
        raise ImpossibleError(r"a column times a matrix: transpose the vector, `v^{\top} A`")
    if b.rank == 1 and b.row and a.rank == 2 and np.shape(a.data)[1] != 1:
        raise ImpossibleError("a matrix times a row: transpose the vector back")
    return Tensor(_matmul(a, b), row=a.rank == 1)


def _matmul(a: Tensor, b: Tensor) -> Any:
    try:
        return a.data @ b.data
    except (ValueError, TypeError) as error:
        raise ImpossibleError(f"{a} times {b}: the sizes don't fit") from error


def _number(x: Tensor) -> Any:
    if not isinstance(x.data, (bool, int, float, complex, np.generic, np.ndarray)):
        raise UnreadableError(f"{describe(x.data)} is no number")
    return x.data


def elementwise(operator: str, a: Tensor, b: Tensor) -> Tensor:
    """`+ - \\odot \\oslash` and fractions, with numpy's broadcasting."""
    x, y = _number(a), _number(b)
    if isinstance(x, (bool, np.bool_)) or isinstance(y, (bool, np.bool_)):
        x, y = x * 1, y * 1
    try:
        with np.errstate(all="ignore"):
            data = _apply(operator, x, y)
    except ZeroDivisionError:
        data = float("nan")
    except ValueError as error:
        raise ImpossibleError(f"{a} `{operator}` {b}: the sizes don't fit") from error
    return Tensor(data, a.row or b.row)


def _apply(operator: str, x: Any, y: Any) -> Any:
    match operator:
        case "+":
            return x + y
        case "-":
            return np.subtract(x, y, dtype=None) if np.ndim(x) or np.ndim(y) else x - y
        case r"\odot":
            return x * y
        case r"\bmod":
            return x % y
    return x / y


def power(base: Tensor, exponent: Tensor, *, each: bool) -> Tensor:
    """`x^p`: of a matrix, its power or inverse unless `each` asks for its elements'."""
    if base.rank == 2 and not each:
        if exponent.rank or int(exponent.data) != exponent.data:
            raise UnreadableError(
                r"a matrix to a power that is no whole number: `x^{\circ p}` is by element"
            )
        if np.shape(base.data)[0] != np.shape(base.data)[1]:
            raise ImpossibleError(
                r"a power of a matrix that is not square; by element it is `x^{\circ p}`"
            )
        return Tensor(np.linalg.matrix_power(base.data, int(exponent.data)))
    if exponent.rank > 1 and base.rank == 0 and not each:
        raise UnreadableError(r"a power with a matrix as exponent: `\exp(A)` is by element")
    x, y = _number(base), _number(exponent)
    if isinstance(y, (int, np.integer)) and y < 0:
        y = float(y)
    try:
        with np.errstate(all="ignore"):
            return Tensor(x**y, base.row)
    except ZeroDivisionError:
        return Tensor(float("inf"))
