"""Dollar signs that mean money and make a formula."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note, Placed
from generator.lint.rule import Edit, Finding, Rule

_AMOUNT = re.compile(r"\d[\d.,]*(?:\s?(?:k|M|bn|million|billion))?\b")
_WORDS = re.compile(r"(?<![\\{A-Za-z])[A-Za-z]{2,}(?:[\s,.;]+)[A-Za-z]{2,}")
_LITERAL = re.compile(r"(?<!<span>)(?:\\\$|&#36;|&#x24;|&dollar;)", re.IGNORECASE)
_SAFE = "<span>\\$</span>"
_HINT = f"write `{_SAFE}` for the currency"


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for placed in note.spans("math"):
        if is_currency(placed):
            before = placed.passage.text[: placed.span.start]
            sign = "\\$" if before.endswith("<span>") else _SAFE
            message = f"two dollar signs make a formula of the words between: {placed.shown}"
            edits = (Edit(placed.at, placed.at + 1, sign),)
            yield Finding(placed.at, message, _HINT, edits)
    if not facts.embedded_theme:
        yield from _check_literals(note)


def is_currency(placed: Placed) -> bool:
    """Whether a formula between single dollar signs is an amount of money and some words."""
    source = placed.source
    if not placed.span.delimiter or placed.span.delimiter.open != "$":
        return False
    if "<span>" in source or "</span>" in source:
        return True
    if "\\" in source or "_" in source or not _AMOUNT.match(source):
        return False
    behind = placed.passage.text[placed.span.end : placed.span.end + 1]
    return bool(_WORDS.search(source)) or _is_pair(source, behind)


def _is_pair(source: str, behind: str) -> bool:
    """`$5 and $10`: a word before the second sign, a digit behind it."""
    return behind.isdigit() and bool(re.search(r"\s[A-Za-z–-]+\s$", source))


def _check_literals(note: Note) -> Iterator[Finding]:
    """MathJax sees the page's text, where an escaped dollar sign is one like any other."""
    for _, passage, spans in note.scans:
        taken = [span for span in spans if span.kind in ("math", "code", "html")]
        signs = [
            sign
            for sign in _LITERAL.finditer(passage.text)
            if not any(span.start <= sign.start() < span.end for span in taken)
        ]
        for sign in signs if len(signs) > 1 else ():
            at = passage.locate(sign.start())
            edits = (Edit(at, at + len(sign[0]), _SAFE),)
            message = f"MathJax reads a formula between two `{sign[0]}` of one paragraph"
            yield Finding(at, message, _HINT, edits, "warning")


RULE = Rule(
    "math-currency",
    "error",
    "Dollar signs that mean money",
    "`it costs $10, then the price is $p$` sets the words between the first two signs as a "
    "formula. Escaping does not help where MathJax reads the finished page (a warning): it sees "
    "a plain `$`, unless it stands alone in an element: `<span>\\$</span>`.",
    _check,
    fixes=True,
)
