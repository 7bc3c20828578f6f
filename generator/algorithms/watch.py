"""One call of an algorithm, statement by statement."""

from __future__ import annotations

import ast
import builtins
import copy
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np

from generator.algorithms import comparison
from generator.algorithms.assignments import compare_assignment
from generator.algorithms.checks import Check
from generator.algorithms.differences import describe_values
from generator.algorithms.environment import Environment, symbols_in
from generator.algorithms.loops import Loop
from generator.algorithms.nodes import Assignment, Membership, Progression
from generator.algorithms.recorder import IN_FULL, Recorder
from generator.algorithms.sizes import bind_sizes
from generator.algorithms.tensors import ImpossibleError
from generator.algorithms.tokens import UnreadableError

Values = dict[str, Any]


class Idle:
    """Takes reports and does nothing: for calls that a formula makes."""

    locals: ClassVar[Callable[[], Values]] = builtins.locals

    def ran(self, index: int, values: Values) -> None: ...

    before = after = passed = holds = ended = ran

    def condition(self, index: int, value: Any, values: Values) -> Any:
        return value

    returned = loop = condition


class Glance(Idle):
    """Notes which statements run: for a call among very many."""

    def __init__(self, recorder: Recorder) -> None:
        self._ran = recorder.ran

    def ran(self, index: int, values: Values) -> None:
        self._ran.add(index)


class Watch:
    """Takes the reports of one call and holds its formulas against them."""

    locals: ClassVar[Callable[[], Values]] = builtins.locals

    def __init__(self, recorder: Recorder, values: Values) -> None:
        self.recorder = recorder
        self.sizes: dict[str, int] = {}
        self.shaped: dict[str, int] = {}
        """Sizes that shapes have bound; the others are numbers of their own."""
        self._passes: dict[int, int] = {}
        self._before: dict[int, Environment] = {}
        self._loops: dict[int, Loop] = {}
        with self._checking():
            env = self.environment(values)
            bind_sizes(self, recorder.checks.require, env)
            for check in recorder.checks.require:
                self._hold(check, self.environment(values))

    # What the instrumented code reports

    def ran(self, index: int, values: Values) -> None:
        self.recorder.ran.add(index)

    def before(self, index: int, values: Values) -> None:
        self._before.pop(index, None)
        count = self._passes[index] = self._passes.get(index, 0) + 1
        checks = self.recorder.checks.steps.get(index)
        if checks and self.recorder.is_due(index, count):
            self._before[index] = self.environment(self._copy(values, checks))

    def after(self, index: int, values: Values) -> None:
        self.recorder.ran.add(index)
        before = self._before.pop(index, None)
        if before is None:
            return
        step = self.recorder.steps[index]
        with self._checking():
            for check in self.recorder.checks.steps[index]:
                after = self.environment(values)
                if isinstance(check.formula, Assignment):
                    self._try(check, compare_assignment, before, after, step.node)
                elif isinstance(check.formula, Membership) or comparison.is_relation(check.formula):
                    self._hold(check, after)

    def returned(self, index: int, value: Any, values: Values) -> Any:
        self.recorder.ran.add(index)
        before = self._before.pop(index, None)
        with self._checking():
            env = self.environment(values)
            if before is not None:
                checks = self.recorder.checks.steps[index]
                expressions = [
                    c for c in checks if c.is_expression and not comparison.is_relation(c.formula)
                ]
                for check in checks:
                    if check not in expressions:
                        self._hold(check, env)
                self._compare_returned(expressions, value, env)
        self.ended(index, values, value)
        return value

    def ended(self, index: int, values: Values, value: Any = None) -> None:
        """The end of the call, by `return` or below the last statement."""
        with self._checking():
            final = self.environment(
                comparison.name_results(self, self.recorder.checks.ensure, value, values)
            )
            for check in self.recorder.checks.ensure:
                self._hold(check, final)
            self.recorder.compare_sizes(self.shaped)

    def condition(self, index: int, value: Any, values: Values) -> Any:
        self.recorder.ran.add(index)
        count = self._passes[index] = self._passes.get(index, 0) + 1
        checks = self.recorder.checks.steps.get(index)
        if checks and self.recorder.is_due(index, count):
            with self._checking():
                env = self.environment(values)
                for check in checks:
                    self._try(check, comparison.compare_condition, value, env, len(checks) == 1)
        return value

    def loop(self, index: int, iterable: Iterable[Any], values: Values) -> Iterator[Any]:
        self.recorder.ran.add(index)
        count = self._passes[index] = self._passes.get(index, 0) + 1
        checks = self.recorder.checks.steps.get(index, ())
        if not checks or not self.recorder.is_due(index, count):
            for item in iterable:
                yield item
            return
        with self._checking():
            env = self.environment(self._copy(values, checks))
        watched = Loop(self, checks, env)
        self._loops[index] = watched
        for item in iterable:
            yield item
        with self._checking():
            watched.finish()

    def passed(self, index: int, values: Values) -> None:
        loop = self._loops.get(index)
        if loop is not None:
            with self._checking():
                loop.compare_pass(self.environment(values))

    def holds(self, line: int, values: Values) -> None:
        """An invariant."""
        self.recorder.held.add(line)
        count = self._passes[-line] = self._passes.get(-line, 0) + 1
        if not self.recorder.is_due(-line, count, IN_FULL):
            return
        code = self.recorder.checks.invariants[line]
        with self._checking():
            try:
                true = np.all(eval(code, {**self.recorder.module, **values}))
            except Exception as error:
                self._complain_invariant(line, f"can't be evaluated: {error}", values)
            else:
                if not true:
                    self._complain_invariant(line, "doesn't hold", values)

    # Inside

    def environment(self, values: Values) -> Environment:
        recorder = self.recorder
        return Environment(
            values, recorder.module, self.sizes, recorder.checks.where, recorder.functions
        )

    def when(self) -> str:
        return f"in call {self.recorder.calls}"

    def _complain_invariant(self, line: int, what: str, values: Values) -> None:
        notes = {
            n.line: n.text for s in self.recorder.program.walk() for n in (*s.before, *s.after)
        }
        names = {node.id for node in ast.walk(ast.parse(notes[line])) if isinstance(node, ast.Name)}
        shown = describe_values({n: values[n] for n in sorted(names) if n in values})
        self.recorder.complain(
            line,
            notes[line],
            f"the invariant {what} {self.when()}: {notes[line]}{shown}",
            "the code or the invariant is wrong",
        )

    def _copy(self, values: Values, checks: tuple[Check, ...]) -> Values:
        """The values that formulas look at, safe from being changed in place."""
        wanted: set[str] = set()
        for check in checks:
            for symbol in symbols_in(check.formula):
                wanted.add(symbol.key)
                expression = self.recorder.checks.where.get(symbol.key)
                wanted |= set(expression.co_names) if expression else set()
        return {
            name: _snapshot(value) if name in wanted else value for name, value in values.items()
        }

    def _hold(self, check: Check, env: Environment) -> None:
        if isinstance(check.formula, Progression):
            return
        self._try(check, comparison.compare_claim, self, env)

    def _compare_returned(self, checks: list[Check], value: Any, env: Environment) -> None:
        parts = value if isinstance(value, tuple) and len(checks) > 1 else (value,)
        if checks and len(parts) != len(checks):
            self.recorder.complain(
                checks[0].line,
                "return",
                f"{len(checks)} formulas for {len(parts)} returned values",
                r"give each returned value one `\(…\)`",
            )
            return
        for check, part in zip(checks, parts, strict=False):
            self._try(check, comparison.compare_value, part, env)

    def _try(self, check: Check, compare: Callable[..., str], *arguments: Any) -> None:
        """Runs a comparison; what it returns, or raises, is a fault of the formula."""
        try:
            message = compare(check, *arguments)
        except UnreadableError as error:
            message = f"the formula \\({check.latex}\\) can't be checked: {error}"
            hint = "write it so that it can be read, or mark the line `#~`"
        except ImpossibleError as error:
            message = f"the formula \\({check.latex}\\) can't be computed: {error}"
            hint = "the code or the formula is wrong"
        except Exception as error:  # an author's class may raise anything
            kind = type(error).__name__
            message = f"the formula \\({check.latex}\\) can't be checked: {kind}: {error}"
            hint = "write it so that it can be read, or mark the line `#~`"
        else:
            hint = "the code or the formula is wrong"
        if not message:
            return
        if check.translated:
            message += " (the formula was translated from the code)"
            hint = r"write the statement's formula: `#: \(… \leftarrow …\)`"
        self.recorder.complain(check.line, check.latex, f"{message}, {self.when()}", hint)

    @contextmanager
    def _checking(self) -> Iterator[None]:
        outer, Recorder.checking = Recorder.checking, True
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                yield
        finally:
            Recorder.checking = outer


def _snapshot(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, (list, dict, set)):
        return copy.copy(value)
    if isinstance(value, np.random.Generator):
        return copy.deepcopy(value)
    return value
