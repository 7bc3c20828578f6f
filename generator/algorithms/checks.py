"""A program's formulas, read: what is to be held against a run, and at which statement."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from types import CodeType

from generator.algorithms.environment import walk, write_key
from generator.algorithms.formulas import read_formula
from generator.algorithms.nodes import (
    Assignment,
    Formula,
    Index,
    Membership,
    Progression,
    Relation,
    Space,
    Symbol,
)
from generator.algorithms.shapes import Shape
from generator.algorithms.steps import Note, Program, Step
from generator.algorithms.tokens import UnreadableError
from generator.algorithms.vocabulary import Vocabulary, make_vocabulary
from generator.errors import Problem
from generator.frozen import dataclass

FORMULA = re.compile(r"\\\((.*?)\\\)", re.DOTALL)
_CLAIM = re.compile(
    r"\\(?:leftarrow|gets|in|notin|leq?|geq?|neq?|lt|gt|sim|approx|ldots|dots|land|lor)(?![A-Za-z])"
    r"|[=<>]"
)


@dataclass(frozen=True, slots=True)
class Check:
    """One formula to hold against a run."""

    latex: str
    """The formula."""
    line: int
    """Where it stands."""
    formula: Formula
    """The formula, read."""
    translated: bool
    """Whether it was made from the code."""

    @property
    def is_expression(self) -> bool:
        return not isinstance(self.formula, (Assignment, Membership, Progression))


@dataclass(frozen=True, slots=True)
class Checks:
    """All that is checked of a program."""

    vocabulary: Vocabulary
    """What its symbols mean."""
    where: Mapping[str, CodeType]
    """`Where:` expressions, compiled."""
    require: tuple[Check, ...]
    """What holds at the start of a call."""
    ensure: tuple[Check, ...]
    """What holds at its end."""
    steps: Mapping[int, tuple[Check, ...]]
    """What holds at statements, by their number."""
    invariants: Mapping[int, CodeType]
    """Invariants, compiled, by line."""
    faults: tuple[Problem, ...]
    """What could not be read."""


def has_claim(latex: str) -> bool:
    """Whether a formula says that something is so, rather than naming something."""
    return _CLAIM.search(latex) is not None


def prepare_vocabulary(program: Program, functions: Iterable[str]) -> Vocabulary:
    """Symbols of a program: `Where:`, its variables, the sizes in its sets."""
    where = [(latex, expression) for latex, expression, _ in program.where]
    names = {
        node.id
        for node in ast.walk(program.node)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    arguments = program.node.args
    names |= {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    called = {
        node.func.id
        for node in ast.walk(program.node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    vocabulary = make_vocabulary(where, names, (set(functions) - names) | called)
    sizes = []
    for latex in _all_formulas(program):
        try:
            formula = read_formula(latex, vocabulary)
        except UnreadableError:
            continue
        for part in walk(formula):
            if isinstance(part, Space):
                for size in part.sizes or ():
                    if isinstance(size, Index):
                        sizes.append((write_key(size), write_key(size)))
    return vocabulary.add(sizes)


def _all_formulas(program: Program) -> Iterable[str]:
    for note in (*program.require, *program.ensure):
        yield from FORMULA.findall(note.text)
    for step in program.walk():
        yield from FORMULA.findall(step.note.text)


def find_shapes(program: Program, vocabulary: Vocabulary) -> dict[str, Shape]:
    """Shapes of variables, from the sets that a program puts them in."""
    shapes: dict[str, Shape] = {}
    for latex in _all_formulas(program):
        try:
            formula = read_formula(latex, vocabulary)
        except UnreadableError:
            continue
        if isinstance(formula, Membership) and isinstance(formula.space, Space):
            sizes = formula.space.sizes or ()
            shape = tuple("?" if "?" in write_key(size) else write_key(size) for size in sizes)
            for member in formula.members:
                if isinstance(member, Symbol):
                    shapes.setdefault(member.key, shape)
    return shapes


def prepare_checks(program: Program, texts: Mapping[int, str], vocabulary: Vocabulary) -> Checks:
    """Reads every formula that is to be checked; `texts` are the statements' lines."""
    reader = _Reader(program, vocabulary)
    require = reader.read_notes(program.require)
    ensure = reader.read_notes(program.ensure)
    steps = {}
    for step in program.walk():
        if step.index in texts and step.note.mark != "~":
            steps[step.index] = reader.read_step(step, texts[step.index])
    where = {e: compile(e, program.path, "eval") for _, e, _ in program.where}
    invariants = {
        note.line: compile(note.text, program.path, "eval")
        for step in program.walk()
        for note in (*step.before, *step.after)
    }
    return Checks(vocabulary, where, require, ensure, steps, invariants, tuple(reader.faults))


@dataclass(slots=True)
class _Reader:
    program: Program
    vocabulary: Vocabulary
    faults: list[Problem] = field(default_factory=list)

    def read_notes(self, notes: Iterable[Note]) -> tuple[Check, ...]:
        checks: list[Check] = []
        for note in notes:
            if note.mark != "~":
                checks += self._read(FORMULA.findall(note.text), note.line, False, claims=True)
        return tuple(checks)

    def read_step(self, step: Step, text: str) -> tuple[Check, ...]:
        translated = not step.note.mark
        line = step.line if translated else step.note.line
        formulas = FORMULA.findall(re.sub(r"\\Call\{.*", "", text) if translated else text)
        wants_value = isinstance(step.node, (ast.Return, ast.If, ast.While, ast.For))
        if not formulas and not translated and not isinstance(step.node, (ast.Break, ast.Continue)):
            self._complain(
                line,
                f"`#:` without a formula in `\\(…\\)`: {text or 'nothing'}",
                "write the formula, or mark it `#~` (published, counted as unchecked)",
            )
        checks = self._read(formulas, line, translated, claims=not wants_value)
        if not translated and isinstance(step.node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            self._demand_target(step, checks, line)
        return tuple(checks)

    def _read(
        self, formulas: list[str], line: int, translated: bool, *, claims: bool
    ) -> list[Check]:
        checks = []
        for latex in formulas:
            if claims and not has_claim(latex):
                continue  # it names something, and says nothing of it
            if translated and latex.endswith(r"\leftarrow"):
                continue  # the left side of a call
            try:
                formula = read_formula(latex, self.vocabulary)
            except UnreadableError as error:
                self._complain(
                    line,
                    f"the formula \\({latex}\\) can't be checked: {error}",
                    "write it so that it can be read, or mark the line `#~`",
                )
            else:
                checks.append(Check(latex, line, formula, translated))
        return checks

    def _demand_target(self, step: Step, checks: list[Check], line: int) -> None:
        """A formula behind an assignment says what the variable becomes."""
        targets = {name for name in assigned_names(step.node) if name != "_"}
        said: set[str] = set()
        for check in checks:
            formula = check.formula
            if isinstance(formula, Assignment):
                said |= {self._root(target) for target in formula.targets}
            elif isinstance(formula, Relation) and formula.operators[0] == "=":
                said.add(self._root(formula.operands[0]))
        missing, wrong = targets - said, said - targets
        if any(fault.line == line for fault in self.faults) or not (missing or wrong):
            return
        message = f"the formula doesn't say what {_list(missing)} becomes" if missing else ""
        if wrong:
            message += "; it assigns " if missing else "the formula assigns "
            message += _list(wrong) + ("" if missing else f", the code {_list(targets)}")
        self._complain(line, message, r"write `\(… \leftarrow …\)` for it, or mark the line `#~`")

    @staticmethod
    def _root(node: object) -> str:
        while isinstance(node, Index):
            node = node.base
        return node.key if isinstance(node, Symbol) else ""

    def _complain(self, line: int, message: str, hint: str) -> None:
        self.faults.append(Problem(self.program.path, line, message, hint, "algorithm"))


def _list(names: Iterable[str]) -> str:
    return ", ".join(f"`{name or '?'}`" for name in sorted(names))


def assigned_names(node: ast.stmt) -> list[str]:
    """Variables that an assignment changes, in order."""
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    names = []
    for target in targets:
        parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
        for part in parts:
            while isinstance(part, (ast.Subscript, ast.Attribute, ast.Starred)):
                part = part.value
            if isinstance(part, ast.Name):
                names.append(part.id)
    return names
