"""Formulas in raw HTML, which Hugo does not see."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule

_FORMULA = re.compile(r"\\\([^<>]*?\\\)|\$\$[^<>]*?\$\$|\\\[[^<>]*?\\\]")
_HIDDEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|pre|code|svg|math)\b.*?(?:</\1>|\Z)",
    re.DOTALL | re.IGNORECASE,
)


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    if not facts.embedded_theme:
        return
    for block in note.blocks:
        if block.kind != "html":
            continue
        end = note.starts[block.last] if block.last < len(note.starts) else len(note.masked)
        text = _HIDDEN.sub(lambda found: "x" * len(found[0]), note.masked[block.at : end])
        for found in _FORMULA.finditer(text):
            message = f"Hugo does not see the formula in raw HTML: {' '.join(found[0].split())}"
            yield Finding(block.at + found.start(), message, "put blank lines around the text")


RULE = Rule(
    "math-raw-html",
    "error",
    "A formula in raw HTML",
    "Inside a block of HTML, up to the next blank line, Markdown and formulas are left as they "
    "are. The embedded theme, which sets formulas at build time, then shows TeX; SciDraft, which "
    "sets them in the browser, does not mind.",
    _check,
)
