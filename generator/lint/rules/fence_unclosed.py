"""Fences that swallow the rest of the note."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for fence in note.fences:
        if not fence.closed:
            yield Finding(fence.at, "this fence is never closed: all that follows is code")


RULE = Rule(
    "fence-unclosed",
    "error",
    "A fence is never closed",
    "Everything up to the end of the note, or of the list or quote around it, is shown as code.",
    _check,
)
