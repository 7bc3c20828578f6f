"""Formulas that run over lines of a quote."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for placed in note.spans("math"):
        if "quote" in placed.block.around and "\n" in placed.source:
            message = f"the quote's `>` gets into the formula: {placed.shown}"
            yield Finding(placed.at, message, "write the formula on one line, or outside the quote")


RULE = Rule(
    "math-quote",
    "error",
    "A formula over several lines of a quote",
    "Hugo hands a formula on with everything between its delimiters, the `>` before each line of "
    "the quote included, and the typesetter prints it as a relation.",
    _check,
)
