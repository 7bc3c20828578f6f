"""Formula → value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from generator.algorithms import nodes as n
from generator.algorithms.environment import Environment
from generator.algorithms.named import call_named
from generator.algorithms.tensors import (
    ImpossibleError,
    Tensor,
    as_array,
    describe,
    elementwise,
    multiply,
    power,
    transpose,
)
from generator.algorithms.tokens import UnreadableError

_ELEMENTWISE = {"+": "+", "-": "-", r"\odot": r"\odot", r"\oslash": "/", r"\bmod": r"\bmod"}
_DIVISIONS = frozenset({"/", r"\frac", r"\div"})
_COMPARE: Mapping[str, Callable[[Any, Any], Any]] = {
    r"\lt": lambda a, b: a < b,
    r"\le": lambda a, b: a <= b,
    r"\gt": lambda a, b: a > b,
    r"\ge": lambda a, b: a >= b,
}
_MANY = 100_000
"""Terms that a sum may have here."""


def evaluate(node: n.Node, env: Environment) -> Tensor:
    """The value of an expression. Raises UnreadableError and ImpossibleError."""
    return _EVALUATORS[type(node)](node, env)


def truth(node: n.Node, env: Environment) -> bool:
    """Whether a relation holds, everywhere for arrays."""
    return bool(np.all(evaluate(node, env).data))


def _number(node: n.Number, env: Environment) -> Tensor:
    return Tensor(float(node.text) if "." in node.text else int(node.text))


def _symbol(node: n.Symbol, env: Environment) -> Tensor:
    value = env.find(node)
    return value if isinstance(value, Tensor) else Tensor(as_array(value))


def _negative(node: n.Negative, env: Environment) -> Tensor:
    value = evaluate(node.operand, env)
    return elementwise("-", Tensor(0), value) if value.rank == 0 else Tensor(-value.data, value.row)


def _binary(node: n.Binary, env: Environment) -> Tensor:
    left, right = evaluate(node.left, env), evaluate(node.right, env)
    operator = node.operator
    if operator in _ELEMENTWISE:
        return elementwise(_ELEMENTWISE[operator], left, right)
    if operator in _DIVISIONS:
        if right.rank > 1 and left.rank:
            raise UnreadableError(r"a fraction of matrices: `\oslash` divides by element")
        return elementwise("/", left, right)
    if operator == r"\circ":
        return elementwise(r"\odot", left, right)
    if operator == r"\otimes":
        return Tensor(np.multiply.outer(left.data, right.data))
    if operator in {r"\times", "*"} and left.rank and right.rank:
        raise UnreadableError(rf"`{operator}` between arrays: juxtaposition, or `\odot` by element")
    if operator == r"\cdot" and left.rank == right.rank == 1:
        return Tensor(left.data @ right.data)
    return multiply(left, right)


def _power(node: n.Power, env: Environment) -> Tensor:
    return power(evaluate(node.base, env), evaluate(node.exponent, env), each=node.circ)


def _transpose(node: n.Transpose, env: Environment) -> Tensor:
    return transpose(evaluate(node.operand, env))


def _index(node: n.Index, env: Environment) -> Tensor:
    size = env.find_size(node)
    if size is not None:
        return Tensor(size)
    base = evaluate(node.base, env).data
    indices = tuple(_one_index(index, env) for index in node.indices)
    if np.ndim(base) < len(indices):
        if not isinstance(base, (np.ndarray, list, tuple, dict)):
            env.unknown(node)
        raise ImpossibleError(f"{describe(base)} has no {len(indices)} indices")
    try:
        if isinstance(base, (list, tuple, dict)):
            return Tensor(as_array(base[indices[0]]))
        return Tensor(base[indices])
    except (IndexError, KeyError, TypeError) as error:
        raise ImpossibleError(f"the index {_show(indices)} of {describe(base)}: {error}") from error


def _show(indices: tuple[Any, ...]) -> str:
    return ", ".join(str(index) for index in indices)


def _one_index(node: n.Node, env: Environment) -> Any:
    base = env.base_of(node)
    if isinstance(node, n.Slice):
        ends = (_end(node.start, env, base), _end(node.stop, env, base))
        return slice(*ends)
    value = evaluate(node, env).data
    if isinstance(value, np.ndarray):
        return value if value.dtype == bool else value - base
    if isinstance(value, (float, np.floating)):
        raise ImpossibleError(f"the index {value} is no whole number")
    if base and value - base < 0:
        raise ImpossibleError(f"the index {value} lies before the first")
    return value - base


def _end(node: n.Node | None, env: Environment, base: int) -> Any:
    return None if node is None else evaluate(node, env).data - base


def _call(node: n.Call, env: Environment) -> Tensor:
    return call_named(node.name, [evaluate(item, env) for item in node.arguments], env)


def _big(node: n.Big, env: Environment) -> Tensor:
    names = [variable.key for variable in node.variables]
    if node.first is not None and node.last is not None:
        first, last = evaluate(node.first, env).data, evaluate(node.last, env).data
        base = env.base_of(node.first) or int(node.first == n.Number("1"))
        spans = [range(int(first), int(last) + 1)]
    else:
        base = 0
        spans = [range(env.axis_length(name, node.body)) for name in names]
    if np.prod([len(span) for span in spans]) > _MANY:
        raise UnreadableError("it has too many terms")
    terms = []
    for values in np.ndindex(*(len(span) for span in spans)):
        bound = {name: span[i] for name, span, i in zip(names, spans, values, strict=True)}
        terms.append(evaluate(node.body, env.bind(bound, base)).data)
    return Tensor(_reduce(node.name, terms, spans[0], base))


def _reduce(name: str, terms: list[Any], span: range, base: int) -> Any:
    if not terms:
        if name in {"sum", "prod"}:
            return 0 if name == "sum" else 1
        raise ImpossibleError(f"a {name} of nothing")
    stacked = np.array(terms)
    with np.errstate(all="ignore"):
        result = getattr(np, name)(stacked, axis=0)
    return result + span.start if name.startswith("arg") else result


def _fence(node: n.Fence, env: Environment) -> Tensor:
    value = evaluate(node.operand, env)
    if node.name == "abs":
        if isinstance(value.data, (list, tuple, set, frozenset, dict, str)):
            return Tensor(len(value.data))
        return Tensor(np.abs(value.data), value.row)
    if node.name != "norm":
        rounded = getattr(np, node.name)(value.data)
        return Tensor(int(rounded) if value.rank == 0 else rounded)
    order: Any = {"": None, "2": 2, "1": 1, r"\infty": np.inf, "F": "fro"}.get(node.subscript, 0)
    if order == 0:
        raise UnreadableError(f"the norm with subscript `{node.subscript}` is not read")
    if order == "fro" and value.rank == 1:
        order = None
    if value.rank == 0:
        return Tensor(abs(value.data))
    return Tensor(np.linalg.norm(value.data, order))


def _sequence(node: n.Sequence, env: Environment) -> Tensor:
    items = [evaluate(item, env).data for item in node.items]
    if node.ellipsis:
        return Tensor(np.array(progression(node.items, items)))
    try:
        return Tensor(np.array(items))
    except ValueError:
        return Tensor(tuple(items))


def progression(nodes: Sequence[n.Node], values: Sequence[Any]) -> list[Any]:
    r"""`a, \ldots, b` and `a, b, \ldots, c` written out. Raises ImpossibleError.

    Two ends run upwards, and `n, \ldots, 1` downwards: what ends at a number that is written.
    """
    if any(np.ndim(value) for value in values):
        raise ImpossibleError("a range between values that are no numbers")
    first, last = values[0], values[-1]
    if len(values) == 3:
        step = values[1] - first
    elif isinstance(nodes[-1], n.Number) and (not isinstance(nodes[0], n.Number) or last < first):
        step = -1
    else:
        step = 1
    if step == 0:
        raise ImpossibleError("a range that stands still")
    count = int(np.floor((last - first) / step + 1e-9)) + 1
    return [first + step * i for i in range(max(count, 0))]


def _matrix(node: n.Matrix, env: Environment) -> Tensor:
    rows = [[evaluate(item, env).data for item in row] for row in node.rows]
    array = np.array(rows)
    return Tensor(array[:, 0] if len(rows[0]) == 1 else array)


def _cases(node: n.Cases, env: Environment) -> Tensor:
    conditions = [
        True if condition is None else evaluate(condition, env).data for _, condition in node.rows
    ]
    if not any(np.ndim(condition) for condition in conditions):
        for (value, _), condition in zip(node.rows, conditions, strict=True):
            if condition:
                return evaluate(value, env)
        raise ImpossibleError("no case applies")
    values = [evaluate(value, env).data for value, _ in node.rows]
    result: Any = np.nan
    for value, condition in zip(reversed(values), reversed(conditions), strict=True):
        result = np.where(condition, value, result)
    return Tensor(result)


def _filled(node: n.Filled, env: Environment) -> Tensor:
    sizes = tuple(int(evaluate(size, env).data) for size in node.sizes)
    if node.name == "I":
        if not sizes:
            raise UnreadableError("the identity says not its size: `I_n`")
        return Tensor(np.eye(sizes[0]))
    value = float(node.name)
    return Tensor(np.full(sizes, value) if sizes else Anything(value))


class Anything(float):
    """A number that stands for an array of it, of whatever shape the place asks for."""


def _relation(node: n.Relation, env: Environment) -> Tensor:
    result: Any = True
    for operator, left, right in zip(
        node.operators, node.operands, node.operands[1:], strict=False
    ):
        holds = _relate(operator, left, right, env)
        result = holds if result is True else np.logical_and(result, holds)
    return Tensor(result)


def _relate(operator: str, left: n.Node, right: n.Node, env: Environment) -> Any:
    a = evaluate(left, env).data
    if operator in {r"\in", r"\notin"}:
        from generator.algorithms.membership import is_member

        return is_member(a, right, env) == (operator == r"\in")
    b = evaluate(right, env).data
    try:
        if operator in _COMPARE:
            return _COMPARE[operator](a, b)
        equal = same(a, b)
    except (TypeError, ValueError) as error:
        raise ImpossibleError(f"{describe(a)} and {describe(b)} can't be compared") from error
    return np.logical_not(equal) if operator == r"\neq" else equal


def same(a: Any, b: Any) -> Any:
    """Equality by element: exact for integers and words, within rounding for the rest."""
    exact = all(np.asarray(x).dtype.kind not in "fc" for x in (a, b))
    return np.equal(a, b) if exact else np.isclose(a, b, rtol=1e-7, atol=1e-12, equal_nan=True)


def _logic(node: n.Logic, env: Environment) -> Tensor:
    if node.operator == r"\lnot":
        return Tensor(np.logical_not(evaluate(node.operands[0], env).data))
    stops = node.operator == r"\lor"
    result: Any = None
    for operand in node.operands:
        value = evaluate(operand, env).data
        if result is None:
            result = value
        else:
            result = np.logical_or(result, value) if stops else np.logical_and(result, value)
        if np.ndim(result) == 0 and bool(result) == stops:
            return Tensor(bool(result))
    return Tensor(result)


def _refuse(node: n.Node, env: Environment) -> NoReturn:
    raise UnreadableError("a set is no value")


_EVALUATORS: dict[type, Callable[[Any, Environment], Tensor]] = {
    n.Number: _number,
    n.Symbol: _symbol,
    n.Negative: _negative,
    n.Binary: _binary,
    n.Power: _power,
    n.Transpose: _transpose,
    n.Index: _index,
    n.Call: _call,
    n.Big: _big,
    n.Fence: _fence,
    n.Sequence: _sequence,
    n.Matrix: _matrix,
    n.Cases: _cases,
    n.Filled: _filled,
    n.Relation: _relation,
    n.Logic: _logic,
    n.Space: _refuse,
    n.Slice: _refuse,
}
