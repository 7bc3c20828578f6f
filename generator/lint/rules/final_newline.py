"""Notes that do not end in exactly one newline."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Edit, Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    text = note.text
    if not text.strip():
        return
    end = len(text.rstrip("\r\n"))
    tail = text[end:]
    newline = "\r\n" if "\r\n" in text else "\n"
    if tail not in ("\n", "\r\n"):
        message = "blank lines end the note" if tail else "the last line has no newline"
        yield Finding(max(end - 1, 0), message, edits=(Edit(end, len(text), newline),))


RULE = Rule(
    "final-newline",
    "warning",
    "The note does not end in exactly one newline",
    "Other hooks mend it, and the file is changed behind the generator's back.",
    _check,
    fixes=True,
)
