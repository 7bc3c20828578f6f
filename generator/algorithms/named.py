"""Functions that formulas call: numpy's, registered ones, those of the algorithm's module."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from generator.algorithms.environment import Environment
from generator.algorithms.tensors import ImpossibleError, Tensor, as_array, describe
from generator.algorithms.tokens import UnreadableError
from generator.algorithms.words import words
from generator.errors import near_names

_NAMES = words(
    """
    exp log sin cos tan sinh cosh tanh arcsin arccos arctan sqrt sign cumsum sort argsort
    round mean std var median
    """
)
_BUILT_IN: Mapping[str, Callable[..., Any]] = {
    **{name: getattr(np, name) for name in _NAMES},
    "sgn": np.sign,
    "det": np.linalg.det,
    "tr": np.trace,
    "diag": np.diag,
    "len": len,
    "size": np.size,
    "argmax": np.argmax,
    "argmin": np.argmin,
    "inv": np.linalg.inv,
    "rank": np.linalg.matrix_rank,
    "log_base": lambda base, x: np.log(x) / np.log(base) if base not in (2, 10) else _LOGS[base](x),
    "indicator": lambda condition: np.asarray(condition) * 1,
    "qr": np.linalg.qr,
    "clip": np.clip,
}
_LOGS: Mapping[int, Callable[..., Any]] = {2: np.log2, 10: np.log10}


def call_named(name: str, arguments: list[Tensor], env: Environment) -> Tensor:
    """The value of `\\mathrm{name}(…)`. Raises UnreadableError for an unknown name."""
    data = [argument.data for argument in arguments]
    if name in {"max", "min"}:
        return Tensor(_extreme(name, data))
    function = env.find_function(name) or _BUILT_IN.get(name)
    if function is None:
        known = [key for key, value in env.module.items() if callable(value)]
        near = near_names(name, [*known, *env.functions, *_BUILT_IN])
        raise UnreadableError(
            f"the function `{name}` is not known" + (f" ({near})" if near else "")
        )
    if any(isinstance(item, np.random.Generator) for item in data):
        import copy

        data = [copy.deepcopy(i) if isinstance(i, np.random.Generator) else i for i in data]
    try:
        with np.errstate(all="ignore"):
            result = getattr(function, "__wrapped__", function)(*data)
    except Exception as error:
        given = ", ".join(describe(item) for item in data)
        raise ImpossibleError(f"`{name}` of {given} fails: {error}") from error
    row = len(arguments) == 1 and arguments[0].row
    return Tensor(as_array(result), row)


def _extreme(name: str, data: list[Any]) -> Any:
    if len(data) == 1:
        return getattr(np, name)(data[0])
    function = np.maximum if name == "max" else np.minimum
    result = data[0]
    for item in data[1:]:
        result = function(result, item)
    return result
