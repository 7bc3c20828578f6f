"""Headings without the space behind their marks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Edit, Finding, Rule

_MARKS = re.compile(r"(#{2,6})(?=[A-Z\\`*]|[a-z]+ )|#{7,}(?= )")


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for block in note.blocks:
        if block.kind != "paragraph" or not block.passages:
            continue
        found = _MARKS.match(block.passages[0].text)
        if found:
            at = block.passages[0].locate(found.end())
            edits = (Edit(at, at, " "),) if found[1] else ()
            message = "this line is no heading: its marks are printed"
            yield Finding(block.passages[0].locate(0), message, "write `## Title`", edits)


RULE = Rule(
    "heading-space",
    "warning",
    "A heading without a space behind its marks",
    "`##Title` is a paragraph that begins with two number signs.",
    _check,
    fixes=True,
)
