"""Modules made from text, and what a checked run of them finds."""

from __future__ import annotations

import importlib.util
import itertools
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np

from generator.algorithms import observing
from generator.errors import Problem
from generator.site import standing_in

ROOT = Path(__file__).parents[2]
SAMPLES = Path(__file__).parent / "samples"
_NUMBERS = itertools.count()


def load(folder: Path, text: str, name: str = "sample") -> ModuleType:
    """A module of its own from a text; a file of its own too, since sources are read again."""
    path = folder / f"{name}_{next(_NUMBERS)}.py"
    path.write_text(text, "utf-8")
    spec = importlib.util.spec_from_file_location(f"algorithm_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[spec.name]
    return module


def observe(folder: Path, module: ModuleType, run: Callable[[ModuleType], object]) -> list[Problem]:
    """The faults that a run under observation finds, in all algorithms of a module."""
    found = []
    with standing_in(folder), observing():
        try:
            run(module)
        except Exception as error:
            found.append(Problem("", 1, f"{type(error).__name__}: {error}"))
    found += [
        problem
        for value in vars(module).values()
        if hasattr(value, "__algorithm__")
        for problem in value.__algorithm__.problems()
    ]
    return sorted(set(found), key=lambda p: p.line)


def run_sample(module: ModuleType) -> object:
    return module.run(np.random.default_rng(0))
