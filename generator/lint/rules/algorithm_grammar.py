"""Algorithms that pseudocode.js cannot read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.formulas import ALGORITHM_FENCE
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for fence in note.fences:
        if fence.language != ALGORITHM_FENCE:
            continue
        from generator.algorithms.pseudocode import check_pseudocode

        for line, column, message, hint in check_pseudocode(fence.content):
            index = min(fence.first + max(line, 1), len(note.starts) - 1)
            text = note.line(index)
            lead = len(text) - len(text.lstrip())
            at = note.starts[index] + min(max(column - 1, lead, 0), max(len(text) - 1, 0))
            yield Finding(at, message, hint)
        yield from _find_money(note, fence.first, fence.content)


def _find_money(note: Note, first: int, content: str) -> Iterator[Finding]:
    """Lines that are read well, but then hold two dollar signs: MathJax pairs them on the page."""
    for number, line in enumerate(content.split("\n"), start=1):
        signs = [match.start() for match in re.finditer(r"\\\$", line)]
        index = first + number
        if len(signs) > 1 and index < len(note.starts):
            column = note.line(index).find(line) + signs[1]
            message = "two dollar signs on one line of an algorithm become a formula"
            yield Finding(note.starts[index] + max(column, 0), message, "write the amount in words")


RULE = Rule(
    "algorithm-grammar",
    "error",
    "An algorithm that pseudocode.js cannot read",
    "On any fault in a `pseudo-algorithm` fence the page shows its raw source, or, with a bare `%` "
    "or an empty body, loses text, both without a message.",
    _check,
)
