"""What was seen of an algorithm's runs."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import combinations
from types import FunctionType
from typing import Any, ClassVar

from generator.algorithms.checks import Checks
from generator.algorithms.functions import REGISTERED
from generator.algorithms.steps import Program, Step
from generator.errors import Problem

_PER_CALL = 4
"""Passes of a step that are checked within one call."""
IN_FULL = 300
"""Calls, and checks of a step, that are made before only every 2ⁿ-th is."""


class Recorder:
    """Collects the faults of one algorithm's calls; each is told once."""

    locals: ClassVar[Callable[[], dict[str, Any]]] = builtins.locals
    checking: ClassVar[bool] = False
    """Whether a formula is being evaluated: the calls that it makes are not calls of `run`."""

    def __init__(
        self, function: FunctionType, program: Program, prepare: Callable[[], Checks]
    ) -> None:
        self.program = program
        self._prepare = prepare
        self.module: Mapping[str, Any] = function.__globals__
        self.functions = REGISTERED
        self.steps: dict[int, Step] = {step.index: step for step in program.walk()}
        self.calls = 0
        self.ran: set[int] = set()
        self.held: set[int] = set()
        """Lines of the invariants that were evaluated."""
        self.counts: dict[int, int] = {}
        self.faults: dict[tuple[int, str], Problem] = {}
        self._equal: dict[tuple[str, str], tuple[int, bool]] = {}

    @cached_property
    def checks(self) -> Checks:
        """Read at the first call: by then the module's other functions are known."""
        return self._prepare()

    def call(self, values: dict[str, Any]) -> object:
        """Starts a call; what it returns takes the reports of its statements."""
        from generator.algorithms.watch import Glance, Idle, Watch

        if Recorder.checking:
            return Idle()
        self.calls += 1
        if self.calls > IN_FULL and self.calls & (self.calls - 1) and self._knows_all:
            return Glance(self)
        return Watch(self, values)

    @property
    def _knows_all(self) -> bool:
        """Whether every formula and every invariant has been checked before."""
        return self.checks.steps.keys() <= self.counts.keys() and (
            self.checks.invariants.keys() <= self.held
        )

    def is_due(self, index: int, in_call: int, per_call: int = _PER_CALL) -> bool:
        """Whether a pass of a step is to be checked; counts it."""
        if in_call > per_call:
            return False
        count = self.counts[index] = self.counts.get(index, 0) + 1
        return count <= IN_FULL or count & (count - 1) == 0

    def complain(self, line: int, key: str, message: str, hint: str = "") -> None:
        """Keeps a fault unless the same formula was found at fault before."""
        problem = Problem(self.program.path, line, message, hint, "algorithm")
        self.faults.setdefault((line, key), problem)

    def compare_sizes(self, sizes: Mapping[str, int]) -> None:
        """Remembers which sizes are told apart by this call."""
        for a, b in combinations(sorted(sizes), 2):
            if sizes[a] != sizes[b]:
                self._equal[a, b] = (sizes[a], False)
            else:
                self._equal.setdefault((a, b), (sizes[a], True))

    def problems(self) -> tuple[Problem, ...]:
        """Everything at fault, and what the runs never reached."""
        found = list(self.faults.values())
        if self.calls:
            found += self._unreached(self.program.steps)
            found += self._dead_invariants()
            found += self._equal_sizes()
        else:
            found.append(
                self._problem(
                    self.program.line,
                    f"`{self.program.name}` was never called, so nothing of it was checked",
                    "call it in the demo's `run`",
                )
            )
        return tuple(sorted(found, key=lambda p: p.line))

    def _problem(self, line: int, message: str, hint: str) -> Problem:
        return Problem(self.program.path, line, message, hint, "algorithm")

    def _unreached(self, steps: tuple[Step, ...] | list[Step]) -> Iterator[Problem]:
        """The first step of each block that never ran."""
        for step in steps:
            if step.is_hidden or step.joins:
                continue
            if step.index not in self.ran:
                if isinstance(step.node, ast.With):
                    continue
                yield self._problem(
                    step.line,
                    "this step never ran, so nothing of it was checked",
                    f"call `{self.program.name}` in the demo's `run` with inputs that reach it",
                )
                return
            yield from self._unreached(step.body)
            yield from self._unreached(step.orelse)

    def _dead_invariants(self) -> Iterator[Problem]:
        for step in self.program.walk():
            if step.index in self.ran:
                for note in (*step.before, *step.after):
                    if note.line not in self.held:
                        yield self._problem(
                            note.line,
                            f"the invariant never ran: {note.text}",
                            "move it to where the run passes",
                        )

    def _equal_sizes(self) -> Iterator[Problem]:
        line = self.program.require[0].line if self.program.require else self.program.line
        for (a, b), (size, equal) in sorted(self._equal.items()):
            if equal:
                yield self._problem(
                    line,
                    f"\\({a}\\) and \\({b}\\) were both {size} whenever they occurred: "
                    "the run can't tell one from the other",
                    f"call `{self.program.name}` with different sizes for them",
                )
