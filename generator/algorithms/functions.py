"""Functions that formulas may call by name."""

from __future__ import annotations

from collections.abc import Callable

REGISTERED: dict[str, Callable[..., object]] = {}


def register(name: str, function: Callable[..., object]) -> None:
    r"""Lets formulas call a Python function: `register("softmax", softmax)` for
    `\mathrm{softmax}(S)`. The functions of the algorithm's own module are known without it.
    """
    REGISTERED[name] = function
