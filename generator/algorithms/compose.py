"""A program's steps → the lines that are printed, with the formulas that are to be checked."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import field

from generator.algorithms.checks import FORMULA, has_claim
from generator.algorithms.lines import INDENT, Line
from generator.algorithms.phrases import UntranslatableError
from generator.algorithms.shapes import Shapes
from generator.algorithms.statements import IsAlgorithm, translate_loop, translate_statement
from generator.algorithms.steps import Note, Program, Step
from generator.algorithms.translate import Translator
from generator.errors import Problem
from generator.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Printed:
    """A program as it is printed."""

    lines: tuple[Line, ...]
    """Every line."""
    origins: tuple[int, ...]
    """For each of them, the line of the source that it comes from."""
    texts: Mapping[int, str]
    """Statement → the words and formulas of its line."""
    unchecked: int
    """Formulas marked `#~`."""
    hidden: int
    """Statements marked `#-`."""
    faults: tuple[Problem, ...]
    """What could not be translated."""


def compose_lines(program: Program, shapes: Shapes, is_algorithm: IsAlgorithm) -> Printed:
    """Prints a program, translating the statements that bring no formula of their own."""
    symbols = {_normal(expression): formula for formula, expression, _ in program.where}
    composer = _Composer(program, Translator(shapes, symbols), is_algorithm)
    for command, notes in (("Require", program.require), ("Ensure", program.ensure)):
        for note in notes:
            composer.lines.append(Line(command, note.text))
            composer.origins.append(note.line)
            composer.count_unchecked(note.mark, note.text)
    composer.block(program.steps, 0)
    return Printed(
        tuple(composer.lines),
        tuple(composer.origins),
        composer.texts,
        composer.unchecked,
        composer.hidden,
        tuple(composer.faults),
    )


def _normal(expression: str) -> str:
    return ast.unparse(ast.parse(expression, mode="eval").body)


def _reason(error: Exception) -> str:
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)


@dataclass(slots=True)
class _Composer:
    program: Program
    translator: Translator
    is_algorithm: IsAlgorithm
    lines: list[Line] = field(default_factory=list)
    origins: list[int] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)
    faults: list[Problem] = field(default_factory=list)
    unchecked: int = 0
    hidden: int = 0
    number: int = 0
    label: str = ""
    labels: set[str] = field(default_factory=set)
    has_prose: bool = False

    def count_unchecked(self, mark: str, text: str) -> None:
        if mark == "~":
            self.unchecked += len(FORMULA.findall(text)) or 1

    def block(self, steps: tuple[Step, ...] | list[Step], depth: int) -> None:
        shared: list[Step] = []
        previous: Step | None = None
        for step in steps:
            if step.is_hidden:
                self.hidden += step.note.mark == "-"
                if step.prose.line:
                    self._start(step, depth)
            elif step.body:
                self._control(step, depth)
            else:
                leaves = isinstance(step.node, (ast.Return, ast.Break, ast.Continue))
                starts = step.fresh or previous is None or bool(previous.body) or leaves
                if starts and not shared:
                    self._start(step, depth)
                shared.append(step)
                if not step.joins:
                    self._simple(shared, depth)
                    shared = []
            previous = step
        if shared:
            self._complain(shared[-1], "`#&` on the last statement of its block", "remove it")

    def _start(self, step: Step, depth: int) -> None:
        self.number += 1
        self.label = step.label
        self.has_prose = bool(step.prose.text)
        self._count_prose(step.prose)
        if step.label:
            self._add_label(step)
        if self.has_prose:
            self._add("State", step.prose.text, depth, step.prose.line)

    def _count_prose(self, prose: Note) -> None:
        """What the prose's formulas claim is not checked."""
        self.unchecked += sum(map(has_claim, FORMULA.findall(prose.text)))

    def _add_label(self, step: Step) -> None:
        if step.label in self.labels:
            self._complain(step, f"the label `{step.label}` is used twice", "give it another")
        self.labels.add(step.label)

    def _add(self, command: str, text: str, depth: int, origin: int) -> None:
        self.origins.append(origin)
        self.lines.append(Line(command, text, depth, self.number, self.label))

    def _complain(self, step: Step, message: str, hint: str) -> None:
        self.faults.append(Problem(self.program.path, step.line, message, hint, "algorithm"))

    def _simple(self, shared: list[Step], depth: int) -> None:
        """One line for a statement, or for several that share it."""
        last = shared[-1]
        if len(shared) > 1 and not isinstance(
            last.node, (ast.Assign, ast.AugAssign, ast.AnnAssign)
        ):
            self._complain(last, "a statement that is no assignment shares a line", "remove `#&`")
        command = {ast.Return: "Return", ast.Break: "Break", ast.Continue: "Continue"}.get(
            type(last.node), "State"
        )
        if last.note.mark:
            self.count_unchecked(last.note.mark, last.note.text)
            text = self.texts[last.index] = last.note.text
            for step in shared:
                self._learn(step)
        else:
            text = ", ".join(self._translate(step) for step in shared)
        if self.has_prose and command == "State":
            text = INDENT + text
        self._add(command, text, depth, last.note.line or last.line)

    def _translate(self, step: Step) -> str:
        """The formula of one statement; a fault where there is none."""
        if isinstance(step.node, (ast.Break, ast.Continue)):
            return ""
        try:
            text = ", ".join(translate_statement(self.translator, step.node, self.is_algorithm))
        except (UntranslatableError, ValueError, RecursionError) as error:
            self._complain(
                step,
                _reason(error),
                r"write its formula: `#: \(… \leftarrow …\)`, or hide it: `#- why`",
            )
            text = ""
        self.texts[step.index] = text
        self._learn(step)
        return text

    def _learn(self, step: Step) -> None:
        node = step.node
        if isinstance(node, ast.Assign):
            try:
                self.translator.shapes.assign(node.targets[0], node.value)
            except (ValueError, RecursionError):
                return

    def _header(self, step: Step, node: ast.For | ast.While | ast.If) -> str:
        if step.note.mark:
            self.count_unchecked(step.note.mark, step.note.text)
            self.texts[step.index] = step.note.text
            return step.note.text
        try:
            if isinstance(node, ast.For):
                text = translate_loop(self.translator, node)
            else:
                text = rf"\({self.translator.translate(node.test)}\)"
        except (UntranslatableError, ValueError, RecursionError) as error:
            self._complain(step, _reason(error), r"write its formula behind the colon: `#: \(…\)`")
            text = ""
        self.texts[step.index] = text
        return text

    def _control(self, step: Step, depth: int) -> None:
        node = step.node
        self._start(step, depth)
        if isinstance(node, ast.With):
            self.block(step.body, depth)
            return
        number, label = self.number, self.label
        if isinstance(node, ast.While) and _is_true(node.test):
            tail = step.body[-1]
            if _is_exit(tail):
                self._repeat(step, tail, depth)
                return
        assert isinstance(node, (ast.For, ast.While, ast.If))
        if isinstance(node, ast.While) and _is_true(node.test) and not step.note.mark:
            text = r"\True"
        else:
            text = self._header(step, node)
        word = {ast.For: "For", ast.While: "While", ast.If: "If"}[type(node)]
        if word == "For" and text.count(r"\in") and not text.count(r"\ldots"):
            word = "ForAll"
        self._add(word, text, depth, step.note.line or step.line)
        self.block(step.body, depth + 1)
        self._branches(step, depth, number, label)
        self.number, self.label = number, label
        self._add("EndFor" if word == "ForAll" else f"End{word}", "", depth, step.line)

    def _branches(self, step: Step, depth: int, number: int, label: str) -> None:
        while step.has_elif:
            step = step.orelse[0]
            assert isinstance(step.node, ast.If)
            self.number, self.label = number, label
            text = self._header(step, step.node)
            self._add("ElsIf", text, depth, step.note.line or step.line)
            self._prose_inside(step.prose, step.label, depth + 1)
            self.block(step.body, depth + 1)
        if step.orelse:
            self.number, self.label = number, label
            self._add("Else", "", depth, step.line)
            self._prose_inside(step.else_prose, "", depth + 1)
            self.block(step.orelse, depth + 1)

    def _prose_inside(self, prose: Note, label: str, depth: int) -> None:
        if prose.text:
            self.number += 1
            self.label = label
            self._count_prose(prose)
            self._add("State", prose.text, depth, prose.line)

    def _repeat(self, step: Step, tail: Step, depth: int) -> None:
        number, label = self.number, self.label
        self._add("Repeat", "", depth, step.line)
        self.block(step.body[:-1], depth + 1)
        assert isinstance(tail.node, ast.If)
        if tail.prose.line:
            self._start(tail, depth + 1)
        text = self._header(tail, tail.node)
        self.number, self.label = number, label
        self._add("Until", text, depth, tail.note.line or tail.line)


def _is_true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and bool(node.value)


def _is_exit(step: Step) -> bool:
    """Whether a statement is `if …: break`."""
    return (
        isinstance(step.node, ast.If)
        and not step.orelse
        and len(step.body) == 1
        and isinstance(step.body[0].node, ast.Break)
    )
