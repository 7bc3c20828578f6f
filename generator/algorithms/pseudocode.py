"""What pseudocode.js 2.4 reads, as a check: nothing fails, or gets lost, in a reader's browser."""

from __future__ import annotations

import re

from generator.algorithms.atoms import SyntaxFaultError, read_atoms
from generator.algorithms.cleaned import clean_up
from generator.algorithms.constructs import Parser

Finding = tuple[int, int, str, str]
"""Line and column from 1, message, hint."""


def check_pseudocode(text: str) -> list[Finding]:
    """Faults of a `pseudo-algorithm` fence's content, in order; empty when it renders whole."""
    starts = [0, *(m.end() for m in re.finditer("\n", text))]
    findings = []
    for offset, message, hint in _find_faults(text, whole=True):
        line = sum(start <= offset for start in starts)
        findings.append((line, offset - starts[line - 1] + 1, message, hint))
    return findings


def check_text(text: str) -> list[tuple[str, str]]:
    """Faults of the text of one line, as message and hint: words and formulas, no construct."""
    return [(message, hint) for _, message, hint in _find_faults(text, whole=False)]


def _find_faults(text: str, *, whole: bool) -> list[tuple[int, str, str]]:
    """Offset, message and hint of each fault, in order."""
    nested = [
        (match.start(1) + inner.start(), "`$` inside a formula", r"end the formula with `\)` first")
        for match in re.finditer(r"\\\((.+?)\\\)", text, re.DOTALL)
        for inner in re.finditer(r"(?<!\\)\$", match[1])
    ]
    if nested:
        return nested
    cleaned = clean_up(text)
    found: list[tuple[int, str, str]] = []
    try:
        parser = Parser(read_atoms(cleaned, found))
        if whole:
            parser.read_all()
        else:
            parser.read_line()
        found += parser.found
    except SyntaxFaultError as fault:
        found.append((fault.offset, str(fault), fault.hint))
    except RecursionError:
        found.append((0, "it is nested too deeply", ""))
    return sorted({(min(cleaned.locate(at), len(text)), m, hint) for at, m, hint in found})
