"""Pipe tables, found and cut into cells as Goldmark does it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from generator.frozen import dataclass
from generator.lint.attributes import text_behind
from generator.lint.lines import Passage, join_lines

_DELIMITER = re.compile(r"\s{0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table."""

    at: int
    """Offset of its first character in the note."""
    text: str
    """The line."""
    cells: tuple[tuple[int, str], ...]
    """Each cell's offset in the note, and its text."""


@dataclass(frozen=True, slots=True)
class Table:
    """A header, a delimiter row and the rows below it."""

    header: Row
    """The line above the delimiter row."""
    delimiter: Row
    """The row of dashes."""
    rows: tuple[Row, ...]
    """The rows below."""

    @property
    def width(self) -> int:
        """How many columns the delimiter row sets."""
        return len(self.delimiter.cells)

    @property
    def holds(self) -> bool:
        """Whether Goldmark makes a table of it, and not a paragraph."""
        return self.width >= len(self.header.cells)

    def all_rows(self) -> tuple[Row, ...]:
        return (self.header, *self.rows)


def read_tables(lines: Sequence[tuple[int, str]]) -> tuple[list[Table], list[Passage]]:
    """The tables in a paragraph's lines, and its inline text: cell by cell where there is one."""
    for index in range(1, len(lines)):
        text = lines[index][1]
        if "-" in text and _DELIMITER.fullmatch(text) and "|" in lines[index - 1][1]:
            rows = [split_row(*line) for line in lines[index - 1 :]]
            table = Table(rows[0], rows[1], tuple(rows[2:]))
            return [table], _passages(lines, index, table)
    return [], [join_lines(lines)]


def _passages(lines: Sequence[tuple[int, str]], index: int, table: Table) -> list[Passage]:
    if not table.holds:
        return [join_lines(lines)]
    before = [join_lines(lines[: index - 1])] if index > 1 else []
    rows = [row for row in table.all_rows() if not is_attribute_row(row.text)]
    cells = [cell for row in rows for cell in row.cells[: table.width]]
    return before + [join_lines([cell]) for cell in cells]


def is_attribute_row(text: str) -> bool:
    """Whether Goldmark takes a line below a table for its attributes."""
    return text_behind(text.strip()) is not None


def split_row(at: int, text: str) -> Row:
    """Cuts a line at every pipe that no backslash precedes, in formulas and code as well."""
    pipes = [found.start() for found in re.finditer(r"(?<!\\)\|", text)]
    edges = [-1, *pipes, len(text)]
    pieces = [(left + 1, text[left + 1 : right]) for left, right in pairwise(edges)]
    if len(pieces) > 1 and not pieces[0][1].strip():
        pieces = pieces[1:]
    if len(pieces) > 1 and not pieces[-1][1].strip():
        pieces = pieces[:-1]
    cells = []
    for left, piece in pieces:
        lead = len(piece) - len(piece.lstrip())
        cells.append((at + left + lead, piece.strip()))
    return Row(at, text, tuple(cells))


def count_of(cells: Sequence[object], name: str) -> str:
    """`1 cell`, `2 cells`."""
    return f"{len(cells)} {name}{'' if len(cells) == 1 else 's'}"
