"""One `@algorithm` function: its program, its checked runs, its block."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Mapping
from functools import cached_property
from tokenize import TokenError
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, ClassVar, Self, cast

from generator.algorithms.block import Algorithm
from generator.algorithms.lines import check_lines
from generator.blocks.base import Block, Json, Where
from generator.errors import GeneratorError, Problem
from generator.site import relative_path

if TYPE_CHECKING:
    from generator.algorithms.checks import Checks
    from generator.algorithms.compose import Printed
    from generator.algorithms.recorder import Recorder
    from generator.algorithms.steps import Program


class Subject(Block):
    """The block behind a function; it reads the source when it is first asked for something."""

    kind: ClassVar[str] = "algorithm"

    def __init__(self, function: Callable[..., object], caption: str) -> None:
        self.function = cast(FunctionType, function)
        self.caption = caption
        self.recorder: Recorder | None = None
        self._plain: CodeType = self.function.__code__

    # The time of observation

    def begin(self) -> None:
        """From now on calls are checked, and what earlier ones showed is forgotten."""
        from generator.algorithms.instrument import instrument
        from generator.algorithms.recorder import Recorder

        try:
            program = self.program
        except GeneratorError:
            return  # `problems` tells
        recorder = Recorder(self.function, program, lambda: self.checks)
        self.function.__code__ = instrument(self.function, program, recorder)
        self.recorder = recorder

    def end(self) -> None:
        """The function is itself again."""
        self.function.__code__ = self._plain

    @property
    def calls(self) -> int:
        """How often it was called while it was last observed."""
        return self.recorder.calls if self.recorder else 0

    # What is read of it

    @cached_property
    def _text(self) -> str:
        code = self._plain
        linecache.checkcache(code.co_filename)
        return "".join(linecache.getlines(code.co_filename, self.function.__globals__))

    @cached_property
    def program(self) -> Program:
        """Raises GeneratorError where the source can't be read."""
        from generator.algorithms.source import read_program

        code = self._plain
        path = relative_path(code.co_filename)
        name = self.function.__name__
        try:
            return read_program(self._text, path, code.co_firstlineno, name, self.caption)
        except (LookupError, SyntaxError, TokenError) as error:
            raise GeneratorError(
                Problem(
                    path,
                    code.co_firstlineno,
                    f"the source of `{name}` can't be read: {error}",
                    "define it in a file, with `@algorithm` directly above its `def`",
                    "algorithm",
                )
            ) from None

    @cached_property
    def printed(self) -> Printed | None:
        """The lines; None where the source can't be read."""
        from generator.algorithms.checks import find_shapes, prepare_vocabulary
        from generator.algorithms.compose import compose_lines
        from generator.algorithms.shapes import Shapes

        try:
            program = self.program
        except GeneratorError:
            return None
        vocabulary = prepare_vocabulary(program, self._function_names())
        shapes = Shapes(find_shapes(program, vocabulary))
        return compose_lines(program, shapes, self._is_algorithm)

    @cached_property
    def checks(self) -> Checks:
        from generator.algorithms.checks import prepare_checks, prepare_vocabulary

        assert self.printed is not None
        vocabulary = prepare_vocabulary(self.program, self._function_names())
        return prepare_checks(self.program, self.printed.texts, vocabulary)

    def _function_names(self) -> list[str]:
        from generator.algorithms.functions import REGISTERED

        module = self.function.__globals__
        own = [
            name
            for name, value in module.items()
            if callable(value) and not isinstance(value, (type, ModuleType))
        ]
        return [*own, *REGISTERED]

    def _is_algorithm(self, name: str) -> bool:
        value = self.function.__globals__.get(name)
        return isinstance(getattr(value, "__algorithm__", None), Subject)

    # Block

    def block(self) -> Algorithm:
        """The algorithm as it is printed. Raises GeneratorError where its source can't be read."""
        from generator.algorithms.listing import cut_listing

        program, printed = self.program, self.printed
        assert printed is not None
        return Algorithm(
            self.caption,
            lines=printed.lines,
            source=cut_listing(self._text, program),
            unchecked=printed.unchecked,
            hidden=printed.hidden,
            faults=self.problems(),
        )

    def problems(self) -> tuple[Problem, ...]:
        """Faults of its source, its formulas and the calls that were observed."""
        try:
            program = self.program
        except GeneratorError as error:
            return error.problems
        printed = self.printed
        assert printed is not None
        static = (*program.faults, *printed.faults, *self.checks.faults, *self._grammar())
        observed = self.recorder.problems() if self.recorder else ()
        lines = {problem.line for problem in self.checks.faults}  # a run only says it again
        observed = tuple(problem for problem in observed if problem.line not in lines)
        told = {(p.line, p.message): p for p in (*static, *observed)}
        return tuple(sorted(told.values(), key=lambda p: (p.line, p.message)))

    def _grammar(self) -> list[Problem]:
        """What pseudocode.js can't read, at the source line that it comes from."""
        printed = self.printed
        assert printed is not None
        return [
            Problem(
                self.program.path,
                printed.origins[at] if at >= 0 else self._plain.co_firstlineno,
                f"an algorithm can't hold this: {message}",
                hint,
                "algorithm",
            )
            for at, message, hint in check_lines(self.caption, printed.lines)
        ]

    @property
    def unchecked(self) -> int:
        return self.printed.unchecked if self.printed else 0

    @property
    def hidden(self) -> int:
        return self.printed.hidden if self.printed else 0

    def to_data(self) -> dict[str, Json]:
        return self.block().to_data()

    @classmethod
    def from_data(cls, data: Mapping[str, Json]) -> Self:
        raise TypeError("a function can't be read from a record; its Algorithm can")

    def to_markdown(self, where: Where) -> str:
        return self.block().to_markdown(where)

    def step(self, label: str) -> int | str:
        return self.block().step(label)

    def steps(self, label: str, last: str = "") -> str:
        return self.block().steps(label, last)
