"""Run demos, each in a process of its own: the only place that runs authors' code."""

from __future__ import annotations

import base64
import inspect
import json
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import asdict, field, replace
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any

from generator.blocks.base import Json
from generator.errors import GeneratorError, Problem, near_names
from generator.fingerprint import Digests, Sized
from generator.frozen import dataclass
from generator.observe import (
    DEMO_PACKAGE,
    add_modules,
    forget_modules,
    observing_reads,
    prepare_imports,
    relative_inputs,
    unwatched_reads,
)
from generator.record import Inputs
from generator.results import NotPlain, blocks_in, decode, encode
from generator.site import relative_path, standing_in


@dataclass(frozen=True, slots=True)
class Task:
    """One run of a demo; notes that agree in all of it share the run."""

    root: str
    """The site's folder, absolute."""
    demos: str
    """The demos' folder, relative to the site."""
    demo: str
    """The demo's file, relative to the site."""
    params: Mapping[str, Any] = field(default_factory=dict)
    """Keyword arguments of `run`."""
    seed: int | None = None
    """Seed of the generator; None takes it from the demo's name."""
    timeout: float = 300.0
    """Seconds that it may take."""
    memory: int = 0
    """MiB that it may take; 0 for no bound."""
    large: tuple[str, ...] = ()
    """Patterns of data files that are compared by size and time instead of content."""

    @property
    def name(self) -> str:
        """The demo's name: its path in the demos' folder, without `.py`."""
        return self.demo[len(self.demos) + 1 :].removesuffix(".py")

    def to_text(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run gave."""

    results: Mapping[str, Json] = field(default_factory=dict)
    """The results, as plain data."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Files of the blocks, by result name and suffix."""
    inputs: Inputs = field(default_factory=Inputs)
    """What the run read."""
    where: Mapping[str, int] = field(default_factory=dict)
    """Line of the demo on which each result is computed."""
    problems: tuple[Problem, ...] = ()
    """Errors and warnings."""
    unchecked: int = 0
    """Formulas published without a check."""
    printed: str = ""
    """What the demo printed."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """What it ran with."""
    seconds: float = 0.0
    """Time that it took."""

    @property
    def failed(self) -> bool:
        return any(problem.is_error for problem in self.problems)


def run_task(text: str) -> bytes:
    """Run the task and return its outcome, both as text that any executor can carry.

    Whatever the demo does wrong is in the outcome's problems.
    """
    from generator.blocks.script import watching_scripts

    task = Task(**json.loads(text))
    root, demos = Path(task.root), Path(task.root, task.demos)
    os.chdir(root)
    prepare_imports(root, demos)
    with (
        standing_in(root, (root / task.demo).parent),
        observing_reads(root, demos) as seen,
        watching_scripts(seen),
    ):
        forget_modules(seen)
        seen.add_file(os.path.join(task.root, task.demo))
        try:
            outcome = _run_demo(task)
        except BaseException as error:  # SystemExit and KeyboardInterrupt too: it is the demo's
            outcome = Outcome(problems=(describe_error(error, task),))
    add_modules(seen)
    unwatched = unwatched_reads(seen)
    if unwatched and not outcome.failed:
        problem = _unwatched_problem(task, unwatched)
        outcome = replace(outcome, problems=(*outcome.problems, problem))
    inputs = relative_inputs(seen, Sized(Digests(task.root), tuple(task.large)))
    return dump_outcome(outcome, inputs)


def _unwatched_problem(task: Task, what: str) -> Problem:
    message = f"what {what} reads can't be observed"
    hint = (
        'say what the note depends on: depends("data/file", env="NAME"), or depends() for nothing'
    )
    return Problem(task.demo, 1, message, hint, "depends", "warning")


def call_demo(task: Task) -> dict[str, object]:
    """Import the task's demo and call its `run`: the bare results.

    Raises whatever the demo raises, and GeneratorError's kin for a `run` that can't be called.
    """
    import numpy as np

    module = import_module(f"{DEMO_PACKAGE}.{task.name.replace('/', '.')}")
    run = getattr(module, "run", None)
    if not callable(run):
        raise DemoError("it has no function `run(rng, **params)`", 1)
    _check_params(run, task)
    results = run(np.random.default_rng(seed_of(task)), **_arguments(task))
    if not isinstance(results, dict):
        message = f"`run` returns {type(results).__name__}, not a dict of results"
        raise DemoError(message, _line(run), 'end it with: return {"name": value}')
    for name in results:
        if not (isinstance(name, str) and name.isidentifier()):
            message = f"the result name {name!r} is not a Python name"
            raise DemoError(message, _line(run), "use letters, digits and `_`")
    return results


def _arguments(task: Task) -> dict[str, Any]:
    return {name: decode(value) for name, value in task.params.items()}


def seed_of(task: Task) -> int:
    """The task's seed; a digest of the demo's name where the note states none."""
    if task.seed is not None:
        return task.seed
    return int.from_bytes(blake2b(task.name.encode(), digest_size=8).digest())


class DemoError(Exception):
    """A demo that does not keep to the form of one; carries the line."""

    def __init__(self, message: str, line: int, hint: str = "") -> None:
        super().__init__(message)
        self.line = line
        self.hint = hint


def _run_demo(task: Task) -> Outcome:
    from generator.algorithms import observing

    if "matplotlib" in sys.modules:
        from generator.blocks.style import load_style

        load_style(afresh=True)  # a user's matplotlibrc must not show in the output
    with observing() as observation:
        try:
            results = call_demo(task)
        except Exception as error:  # a formula that does not hold often explains it
            return Outcome(problems=(describe_error(error, task), *observation.problems()))
    try:
        found = list(blocks_in(results))
        plain = {name: encode(value, name) for name, value in results.items()}
    except NotPlain as error:
        raise DemoError(str(error), _return_line(task)) from None
    where = find_lines(Path(task.root, task.demo).read_text("utf-8"), plain)
    told = [_placed(p, task, where, name) for name, block in found for p in block.problems()]
    return Outcome(
        results=plain,
        files={name + suffix: data for name, b in found for suffix, data in b.files().items()},
        where=where,
        problems=tuple(dict.fromkeys((*observation.problems(), *told))),
        unchecked=sum(int(getattr(block, "unchecked", 0)) for _, block in found),
        versions=_versions(),
    )


def _placed(problem: Problem, task: Task, where: Mapping[str, int], name: str) -> Problem:
    """A block's problem, at the line that computes the block unless it knows better."""
    if problem.path:
        return problem
    return replace(problem, path=task.demo, line=where.get(name.split("-")[0], 1))


def _check_params(run: Callable[..., object], task: Task) -> None:
    signature = inspect.signature(run)
    try:
        signature.bind(None, **task.params)
    except TypeError as error:
        known = [name for name in signature.parameters if name != "rng"]
        unknown = [name for name in task.params if name not in known]
        hint = near_names(unknown[0], known) if unknown else ""
        takes = f"it takes {', '.join(known)}" if known else "it takes only `rng`"
        if not unknown and known:
            takes = "give its arguments defaults, or name them in `params:` in the front matter"
        raise DemoError(f"`run` can't be called: {error}", _line(run), hint or takes) from None


def _line(function: Callable[..., object]) -> int:
    code = getattr(inspect.unwrap(function), "__code__", None)
    return code.co_firstlineno if code else 1


def _return_line(task: Task) -> int:
    import ast

    tree = ast.parse(Path(task.root, task.demo).read_text("utf-8"))
    lines = [
        node.lineno
        for run in _run_functions(tree)
        for node in ast.walk(run)
        if isinstance(node, ast.Return)
    ]
    return max(lines, default=1)


def find_lines(source: str, names: Mapping[str, object]) -> dict[str, int]:
    """Line on which `run` computes each result: the last assignment behind its key."""
    import ast

    lines: dict[str, int] = {}
    for run in _run_functions(ast.parse(source)):
        assigned: dict[str, int] = {}
        for node in ast.walk(run):
            if isinstance(node, ast.Assign):
                for leaf in (leaf for target in node.targets for leaf in ast.walk(target)):
                    if isinstance(leaf, ast.Name):
                        assigned[leaf.id] = max(node.lineno, assigned.get(leaf.id, 0))
                    if isinstance(leaf, ast.Constant) and leaf.value in names:
                        lines[str(leaf.value)] = node.lineno
        for node in ast.walk(run):
            if isinstance(node, ast.Dict):
                for key, value in zip(node.keys, node.values, strict=True):
                    if isinstance(key, ast.Constant) and key.value in names:
                        own = assigned.get(value.id) if isinstance(value, ast.Name) else None
                        lines[str(key.value)] = own or value.lineno
            if isinstance(node, ast.keyword) and node.arg in names:
                lines[str(node.arg)] = node.value.lineno
    return lines


def _run_functions(tree: Any) -> list[Any]:
    import ast

    return [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "run"]


def describe_error(error: BaseException, task: Task) -> Problem:
    """A demo's exception as a problem at the author's innermost line, with the author's frames."""
    if isinstance(error, DemoError):
        return Problem(task.demo, error.line, str(error), error.hint, "demo")
    what, hint = _first_line(error), ""
    if isinstance(error, GeneratorError) and error.problems:  # what a block refuses
        what, hint = error.problems[0].message, error.problems[0].hint
    if isinstance(error, SyntaxError) and error.filename:
        return Problem(relative_path(error.filename), error.lineno or 0, what, "", "demo")
    if isinstance(error, MemoryError) and task.memory:
        what = f"the demo took more than {task.memory} MiB"
    frames = [
        (relative_path(frame.filename), frame.lineno or 0, frame.name, frame.line or "")
        for frame in traceback.extract_tb(error.__traceback__)
        if _is_authors(frame.filename, task)
    ]
    frames = frames if len(frames) <= 12 else [*frames[:6], *frames[-6:]]
    path, line = (frames[-1][0], frames[-1][1]) if frames else (task.demo, 1)
    trace = [f"{p}:{n} in {name}: {code}" for p, n, name, code in frames]
    told = [*([hint] if hint else ()), *(trace if len(trace) > 1 else ())]
    return Problem(path, line, what, "\n    ".join(told), "demo")


def _first_line(error: BaseException) -> str:
    """The exception in one line; it may be one that can't even be printed."""
    if isinstance(error, SystemExit):
        return "the demo called exit()"
    try:
        told = f"{type(error).__name__}: {error}"
    except Exception:  # a broken `__str__`
        told = type(error).__name__
    return told.rstrip(": ").split("\n")[0]


def _is_authors(filename: str, task: Task) -> bool:
    if filename.startswith("<"):
        return False
    absolute = os.path.abspath(filename)
    own = os.path.dirname(os.path.abspath(__file__)) + os.sep
    demos = os.path.join(task.root, task.demos) + os.sep
    installed = f"{os.sep}site-packages{os.sep}" in absolute
    inside = absolute.startswith(task.root + os.sep) and not installed and os.path.isfile(absolute)
    return inside and (absolute.startswith(demos) or not absolute.startswith(own))


def _versions() -> dict[str, str]:
    from generator import __version__

    versions = {"python": ".".join(map(str, sys.version_info[:3])), "generator": __version__}
    for name in ("numpy", "matplotlib", "scipy", "pandas"):
        if name in sys.modules:
            versions[name] = str(getattr(sys.modules[name], "__version__", ""))
    return versions


def dump_outcome(outcome: Outcome, inputs: Inputs) -> bytes:
    """The outcome as bytes that any pipe can carry."""
    data = {
        "results": outcome.results,
        "files": {name: base64.b64encode(b).decode() for name, b in outcome.files.items()},
        "inputs": {name: getattr(inputs, name) for name in Inputs.__slots__},
        "where": outcome.where,
        "problems": [asdict(problem) for problem in outcome.problems],
        "unchecked": outcome.unchecked,
        "versions": outcome.versions,
    }
    return json.dumps(data).encode()


def load_outcome(data: bytes, printed: str = "", seconds: float = 0.0) -> Outcome:
    """The outcome that `run_task` returned."""
    fields = json.loads(data)
    fields["files"] = {name: base64.b64decode(text) for name, text in fields["files"].items()}
    fields["inputs"] = Inputs(**fields["inputs"])
    fields["problems"] = tuple(Problem(**problem) for problem in fields["problems"])
    return Outcome(**fields, printed=printed, seconds=seconds)
