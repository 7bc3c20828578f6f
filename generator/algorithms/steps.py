"""What a function says about itself: its statements with the comments that belong to them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import field

from generator.errors import Problem
from generator.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Note:
    """A piece of annotation and the line where it stands."""

    text: str = ""
    """The text, its marks removed."""
    line: int = 0
    """Line of the file."""
    mark: str = ""
    """`:` checked, `~` unchecked, `-` hidden; empty for prose, invariants and docstring lines."""


@dataclass(slots=True, eq=False)
class Step:
    """One statement of an algorithm."""

    index: int
    """Number of the statement within its function."""
    node: ast.stmt
    """Its syntax tree."""
    label: str = ""
    """The name by which notes cite it."""
    prose: Note = Note()
    """The comment above it."""
    note: Note = Note()
    """Its `#:`, `#~` or `#-`."""
    joins: bool = False
    """Whether it shares a line with the next statement (`#&`)."""
    fresh: bool = True
    """Whether it starts a step: a comment or a blank line stands above it."""
    before: list[Note] = field(default_factory=list)
    """Invariants at the start of its block."""
    after: list[Note] = field(default_factory=list)
    """Invariants that hold once it ran."""
    body: list[Step] = field(default_factory=list)
    """The statements in it."""
    orelse: list[Step] = field(default_factory=list)
    """The statements of its `else`; one `if` alone for an `elif`."""
    else_prose: Note = Note()
    """The comment above its `else`."""
    has_elif: bool = False
    """Whether `orelse` is an `elif`."""

    @property
    def line(self) -> int:
        return self.node.lineno

    @property
    def is_hidden(self) -> bool:
        if isinstance(self.node, ast.With):
            return False  # its body is printed, its header never
        return self.note.mark == "-" or isinstance(self.node, ast.Pass)

    def walk(self) -> Iterator[Step]:
        yield self
        for step in (*self.body, *self.orelse):
            yield from step.walk()


@dataclass(frozen=True, slots=True)
class Program:
    """A function, read."""

    name: str
    """The function's name."""
    caption: str
    """The algorithm's title."""
    path: str
    """Its file, as messages name it."""
    line: int
    """Line of its `def`."""
    node: ast.FunctionDef
    """Its syntax tree, in the coordinates of the file."""
    require: tuple[Note, ...]
    """`Require:` lines of the docstring; `Input:` is another name for it."""
    ensure: tuple[Note, ...]
    """`Ensure:` lines; `Output:` is another name for it."""
    where: tuple[tuple[str, str, int], ...]
    """Symbols that `Where:` names: formula, Python expression, line."""
    steps: tuple[Step, ...]
    """Its statements."""
    faults: tuple[Problem, ...]
    """What could not be read."""

    def walk(self) -> Iterator[Step]:
        for step in self.steps:
            yield from step.walk()


Complain = Callable[[int, str, str], None]
"""Takes line, message and hint of a fault."""
