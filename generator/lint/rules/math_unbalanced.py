"""Formula delimiters without a partner."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from generator.lint.facts import Facts
from generator.lint.inline import Span
from generator.lint.note import Note, Placed
from generator.lint.rule import Finding, Rule
from generator.lint.rules.math_display import find_torn

_REACH = 120
_CLEARLY_TEX = re.compile(r"(?<!\\)\\[A-Za-z]{2,}|[_^]\{")
_TEX = re.compile(
    _CLEARLY_TEX.pattern
    + r"|(?<![A-Za-z])[A-Za-z][_^][A-Za-z0-9](?![A-Za-z0-9])|(?<!\w)[A-Za-z] ?="
)


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    torn = [(tear.first, tear.last) for tear in find_torn(note)]
    scans = {id(passage): spans for _, passage, spans in note.scans}
    for placed in note.placed:
        if placed.span.kind not in ("open", "close") or not placed.span.delimiter:
            continue
        line = note.line_of(placed.at) - 1
        if any(first <= line <= last for first, last in torn) or not _is_meant(
            placed, scans[id(placed.passage)]
        ):
            continue
        mark = placed.passage.text[placed.span.start : placed.span.end]
        closing = placed.span.delimiter.close
        if placed.span.kind == "open":
            message = f"`{mark}` has no `{closing}` in its paragraph"
        else:
            message = f"`{mark}` closes no formula of its paragraph"
        yield Finding(placed.at, message, "what lies between is printed as raw TeX")


def _is_meant(placed: Placed, spans: Sequence[Span]) -> bool:
    """`$5` is money, and `\\[` or `\\(` often a bracket that Markdown should leave alone."""
    mark = placed.span.delimiter.open if placed.span.delimiter else ""
    if mark in ("$", "$$"):
        return mark == "$$"
    text = placed.passage.text
    for span in spans:
        if span.kind not in ("open", "close"):
            text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    start, end = placed.span.start, placed.span.end
    if mark == "\\[" and placed.passage.text[end : end + 1] in ("[", "`"):
        return False
    near = text[end : end + _REACH] if placed.span.kind == "open" else text[:start][-_REACH:]
    return bool((_TEX if mark == "\\(" else _CLEARLY_TEX).search(near))


RULE = Rule(
    "math-unbalanced",
    "error",
    "A formula is not opened or not closed",
    "A delimiter counts only with its partner in the same paragraph or table cell. Without it the "
    "formula's source is printed, less the backslashes that Markdown eats.",
    _check,
)
