"""Blanks at the end of lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Edit, Finding, Rule

_BLANKS = re.compile(r"[ \t]+(?=\r?$)", re.MULTILINE)


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    breaks = None
    for found in _BLANKS.finditer(note.text):
        if breaks is None:
            breaks = _broken_lines(note)
        is_break = note.line_of(found.start()) - 1 in breaks and found[0].endswith("  ")
        edit = Edit(found.start(), found.end(), "\\" if is_break else "")
        if is_break:
            message = "two blanks break the line here, and other tools remove them"
            yield Finding(found.start(), message, "end the line with `\\`", (edit,))
        else:
            yield Finding(found.start(), "blanks at the end of the line", edits=(edit,))


def _broken_lines(note: Note) -> set[int]:
    """Lines of paragraphs that another line of the same paragraph follows."""
    return {
        line
        for block in note.blocks
        if block.kind == "paragraph" and not block.tables
        for line in range(block.first, block.last - 1)
    }


RULE = Rule(
    "trailing-space",
    "warning",
    "Blanks at the end of a line",
    "Invisible, and removed by other hooks, which then fight over the file. Two blanks that break "
    "a line become a backslash, which does the same.",
    _check,
    fixes=True,
)
