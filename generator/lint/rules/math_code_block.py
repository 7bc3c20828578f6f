"""Display formulas indented so far that they are code."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for block in note.blocks:
        content = block.content.strip()
        for open_, close in (("$$", "$$"), ("\\[", "\\]")):
            whole = len(content) > 4 and content.startswith(open_) and content.endswith(close)
            if block.kind == "code" and whole:
                message = "four spaces make code of this formula"
                yield Finding(block.at, message, "indent it no further than the text above it")


RULE = Rule(
    "math-code-block",
    "warning",
    "A display formula is indented like code",
    "Four spaces (or, in a list, four more than its text) make a code block: the page shows TeX.",
    _check,
)
