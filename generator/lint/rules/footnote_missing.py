"""Footnotes without a text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule

_MARK = re.compile(r"(?<!\\)\[\^([^\]\s^]+)\](?!\()")
_DEFINITION = re.compile(r"^[ >\t]*\[\^([^\]\s]+)\]:", re.MULTILINE)


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    if "[^" not in note.masked:
        return
    defined = set(_DEFINITION.findall(note.masked))
    for _, passage, spans in note.scans:
        taken = [span for span in spans if span.kind in ("math", "code", "html")]
        for found in _MARK.finditer(passage.text):
            inside = any(span.start <= found.start() < span.end for span in taken)
            if not inside and found[1] not in defined:
                message = f"the footnote `[^{found[1]}]` has no text"
                yield Finding(passage.locate(found.start()), message, f"add `[^{found[1]}]: …`")


RULE = Rule(
    "footnote-missing",
    "warning",
    "A footnote without a text",
    "The mark is printed as it was typed.",
    _check,
)
