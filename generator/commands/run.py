"""`run`: one demo in this process, for debugging."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from generator.compute import Task, call_demo, describe_error
from generator.errors import GeneratorError, Problem, UsageError, near_names
from generator.notes import Note, discover_notes, find_demos
from generator.observe import prepare_imports
from generator.settings import Settings, load_yaml
from generator.site import standing_in
from generator.terminal import print_problem


def run_demo(settings: Settings, arguments: argparse.Namespace) -> int:
    """Call the demo as a build would, and show what it returns."""
    task = _task(settings, arguments)
    root, demos = Path(task.root), Path(task.root, task.demos)
    os.chdir(root)
    prepare_imports(root, demos)
    with standing_in(root, (root / task.demo).parent):
        try:
            results = call_demo(task)
        except GeneratorError:
            raise
        except Exception as error:
            if arguments.pdb:
                _debug(error)
            print_problem(describe_error(error, task))
            return 1
    for name, value in results.items():
        print(f"{name} = {_brief(value)}")
    return 0


def _debug(error: BaseException) -> None:
    import pdb
    import traceback

    traceback.print_exception(error)
    pdb.post_mortem(error.__traceback__)


def _task(settings: Settings, arguments: argparse.Namespace) -> Task:
    name = arguments.demo.removesuffix(".py").removeprefix(settings.demos + "/")
    path = f"{settings.demos}/{name}.py"
    if not (settings.root / path).is_file():
        hint = near_names(name, find_demos(settings)) or f"demos are modules of {settings.demos}/"
        raise UsageError(Problem("", 0, f"there is no demo `{name}`", hint))
    note = _note_of(settings, path)
    params = {**(note.params if note else {}), **dict(map(_param, arguments.param))}
    seed = arguments.seed if arguments.seed is not None else note.seed if note else None
    return Task(str(settings.root), settings.demos, path, params, seed)


def _note_of(settings: Settings, demo: str) -> Note | None:
    """The first note that uses the demo: its parameters and its seed are the defaults."""
    return next((note for note in discover_notes(settings).notes if note.demo == demo), None)


def _param(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign or not name.isidentifier():
        raise UsageError(Problem("", 0, f"not a parameter: `{text}`", "write --param NAME=VALUE"))
    try:
        return name, load_yaml(value)
    except Exception:  # YAML's own, and what the constructors of its tags and dates raise
        raise UsageError(Problem("", 0, f"not YAML: `{value}`", "quote the value")) from None


def _brief(value: object) -> str:
    text = repr(value)
    if "numpy" in sys.modules:
        import numpy as np

        if isinstance(value, np.ndarray):
            text = f"array of {value.dtype}, {' × '.join(map(str, value.shape)) or 'scalar'}"
    return text if len(text) <= 100 else text[:97] + "…"
