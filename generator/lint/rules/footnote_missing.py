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
    used: set[str] = set()
    for _, passage, spans in note.scans:
        taken = [span for span in spans if span.kind in ("math", "code", "html")]
        for found in _MARK.finditer(passage.text):
            inside = any(span.start <= found.start() < span.end for span in taken)
            if inside or _DEFINITION.match(passage.text[found.start() :]):
                continue
            used.add(found[1])
            if found[1] not in defined:
                message = f"the footnote `[^{found[1]}]` has no text"
                yield Finding(passage.locate(found.start()), message, f"add `[^{found[1]}]: …`")
    for found in _DEFINITION.finditer(note.masked, note.front.end):
        if found[1] not in used and not _is_code(note, found.start(1)):
            message = f"no mark `[^{found[1]}]` calls for this footnote, and it vanishes"
            yield Finding(found.start(1) - 2, message)


def _is_code(note: Note, at: int) -> bool:
    line = note.line_of(at) - 1
    blocks = (block for block in note.blocks if block.kind in ("fence", "code", "html"))
    return any(block.first <= line < block.last for block in blocks)


RULE = Rule(
    "footnote-missing",
    "warning",
    "A footnote without a text, or a text without its mark",
    "The mark is printed as it was typed; a text without a mark vanishes.",
    _check,
)
