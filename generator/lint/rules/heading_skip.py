"""Headings that skip a level."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    before = 0
    for heading in note.headings:
        if before and heading.level > before + 1:
            message = f"the heading jumps from level {before} to level {heading.level}"
            yield Finding(heading.at, message, f"write `{'#' * (before + 1)} …`")
        before = heading.level


RULE = Rule(
    "heading-skip",
    "warning",
    "A heading skips a level",
    "Readers who move from heading to heading, and the table of contents, miss a step.",
    _check,
)
