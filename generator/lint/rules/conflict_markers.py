"""What a merge left behind."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule

_CONFLICT = re.compile(
    r"^<{7} [^\n]*$(?:\n[^\n]*)*?\n={7}\r?$(?:\n[^\n]*)*?\n>{7} [^\n]*$", re.MULTILINE
)


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    if "<<<<<<< " in note.text:
        for found in _CONFLICT.finditer(note.text):
            yield Finding(found.start(), "a merge left its conflict markers here")


RULE = Rule(
    "conflict-markers",
    "error",
    "Conflict markers of a merge",
    "Both versions of the text are published, with the markers between them.",
    _check,
)
