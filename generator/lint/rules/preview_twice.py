"""More than one preview region."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    opened = [code for code in note.shortcodes if code.name == "preview" and code.kind == "open"]
    for code in opened[1:]:
        line = note.line_of(opened[0].start)
        yield Finding(code.start, f"a second preview region; the first opens in line {line}")


RULE = Rule(
    "preview-twice",
    "error",
    "Two preview regions in one note",
    "The theme stops Hugo with an error.",
    _check,
)
