"""Display formulas that Markdown tears apart: a blank line, or a line that opens another block."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from generator.frozen import dataclass
from generator.lint.facts import Facts
from generator.lint.note import Note, Placed
from generator.lint.rule import Edit, Finding, Rule

_OPENS_BLOCK = re.compile(r"\s{0,3}(?:[-+*]\s|#{1,6}\s|>|1[.)]\s|=+\s*$|-+\s*$|`{3}|~{3})")
_LONGEST = 40
"""Lines of the longest formula that is looked for."""
_NAMES = {
    "#": "a heading",
    ">": "a quote",
    "=": "a heading",
    "`": "a fence",
    "~": "a fence",
}


@dataclass(frozen=True, slots=True)
class Torn:
    """A `$$ … $$` that lost its unity."""

    first: int
    """Index of the line that opens it."""
    last: int
    """Index of the line that closes it."""
    culprits: tuple[int, ...]
    """Indexes of the lines that tear it."""


def find_torn(note: Note) -> Iterator[Torn]:
    """Display formulas whose closing mark stands in another block."""
    marks = [
        placed for placed in note.placed if placed.span.delimiter and placed.span.delimiter.display
    ]
    position = -1
    for opening, closing in pairwise(marks):
        first, last = note.line_of(opening.at) - 1, note.line_of(closing.at) - 1
        if first <= position or not _are_partners(note, opening, closing):
            continue
        culprits = tuple(_find_culprits(note, first, last))
        if culprits:
            position = last
            yield Torn(first, last, culprits)


def _are_partners(note: Note, opening: Placed, closing: Placed) -> bool:
    """Whether two marks without a partner in their own blocks were meant for each other.

    The first opens its line and the second ends one, not far below.
    """
    mark = opening.span.delimiter
    kind = "open" if mark and mark.open == mark.close else "close"
    if opening.span.kind != "open" or closing.span.kind != kind or closing.span.delimiter != mark:
        return False
    first, last = note.line_of(opening.at) - 1, note.line_of(closing.at) - 1
    before = note.line(first)[: opening.at - note.starts[first]].strip(" \t>")
    behind = note.line(last)[closing.end - note.starts[last] :].strip(" \t.,;")
    return not before and not behind and 0 < last - first <= _LONGEST


def _find_culprits(note: Note, opening: int, closing: int) -> Iterator[int]:
    for line in range(opening + 1, closing + 1):
        text = note.line(line)
        if not text.strip() or _OPENS_BLOCK.match(_inside(text, note.line(opening))):
            yield line


def _inside(text: str, opening: str) -> str:
    """A line without the indentation of the formula's first line."""
    lead = len(opening) - len(opening.lstrip())
    return text[lead:] if not text[:lead].strip() else text


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for torn in find_torn(note):
        for line in torn.culprits:
            text = note.line(line)
            if not text.strip():
                edits = (Edit(note.starts[line], note.starts[line + 1], ""),)
                message = "a blank line inside a display formula ends it"
                yield Finding(note.starts[line], message, "remove it", edits)
                continue
            at = note.starts[line] + len(text) - len(text.lstrip())
            what = _NAMES.get(text.lstrip()[0], "a list")
            message = f"Markdown takes this line of a formula for {what}: {text.strip()[:50]}"
            hint = "join it to the line above: to TeX that is the same"
            yield Finding(at, message, hint, _join(note, line, at))


def _join(note: Note, line: int, at: int) -> tuple[Edit, ...]:
    """The line break becomes a space, unless a TeX comment ends there."""
    above = note.line(line - 1)
    if re.search(r"(?<!\\)%", above) or not above.strip():
        return ()
    return (Edit(note.starts[line - 1] + len(above.rstrip()), at, " "),)


RULE = Rule(
    "math-display",
    "error",
    "Markdown tears a display formula apart",
    "Blocks are found before formulas. Inside `$$ … $$`, a blank line ends the paragraph, and a "
    "line that begins with `+`, `-`, `*`, `#`, `>`, `=` or `1.` opens a list, heading or quote: "
    "raw TeX is left.",
    _check,
    fixes=True,
)
