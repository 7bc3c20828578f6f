"""Algorithms that are code: one function is both what runs and what is printed.

The names are loaded on demand, so that reading a block from a record needs neither the source
parser nor numpy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generator.algorithms.block import Algorithm
    from generator.algorithms.decorator import algorithm, block_of, observing
    from generator.algorithms.functions import register
    from generator.algorithms.pseudocode import check_pseudocode

__all__ = ["Algorithm", "algorithm", "block_of", "check_pseudocode", "observing", "register"]

_HOMES = {
    "Algorithm": "block",
    "algorithm": "decorator",
    "block_of": "decorator",
    "check_pseudocode": "pseudocode",
    "observing": "decorator",
    "register": "functions",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
