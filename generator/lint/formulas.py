"""The formulas of a note, for KaTeX to judge."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from generator.frozen import dataclass
from generator.lint.blocks import Block
from generator.lint.facts import SCIDRAFT_DELIMITERS, Delimiter
from generator.lint.note import Note, read_note

ALGORITHM_FENCE = "pseudo-algorithm"
_IN_ALGORITHM = re.compile(r"\\\\|\\\((.+?)\\\)|(?<!\\)\$([^$]+?)(?<!\\)\$|(?<!\\)%.*")


@dataclass(frozen=True, slots=True)
class Formula:
    """One formula and where it stands."""

    source: str
    """TeX without its delimiters."""
    display: bool
    """Whether it is display math."""
    at: int
    """Offset in the note."""
    end: int
    """Offset after it."""


def note_formulas(note: Note) -> Iterator[Formula]:
    """Every formula of a note's text and algorithms that no shortcode or quote mark disturbs."""
    for placed in note.spans("math"):
        delimiter = placed.span.delimiter
        if delimiter and not note.shortcode_at(placed.at, placed.end):
            # In headings and cells Hugo sets display formulas as inline ones.
            own_block = placed.block.kind == "paragraph" and not placed.block.tables
            display = delimiter.display and own_block
            yield Formula(placed.source.strip(), display, placed.at, placed.end)
    for fence in note.fences:
        if fence.language == ALGORITHM_FENCE:
            yield from _algorithm_formulas(note, fence)


def _algorithm_formulas(note: Note, fence: Block) -> Iterator[Formula]:
    for number, line in enumerate(fence.content.split("\n"), start=fence.first + 1):
        if number >= len(note.starts):
            return
        column = max(note.line(number).find(line.strip()), 0) - (len(line) - len(line.lstrip()))
        for found in _IN_ALGORITHM.finditer(line):
            source = found[1] or found[2]
            if source:
                at = note.starts[number] + max(column, 0)
                yield Formula(source.strip(), False, at + found.start(), at + found.end())


def collect_formulas(
    text: str, delimiters: Sequence[Delimiter] = SCIDRAFT_DELIMITERS
) -> frozenset[tuple[str, bool]]:
    """The distinct formulas of a note: source and whether display, the keys of `formula_errors`."""
    note = read_note("", text, delimiters)
    return frozenset((formula.source, formula.display) for formula in note_formulas(note))
