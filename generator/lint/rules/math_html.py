"""`<` in formulas that the browser takes for a tag."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.errors import Severity
from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Edit, Finding, Rule
from generator.lint.rules.math_currency import is_currency

_TAG = re.compile(r"<(?=[A-Za-z/!?])")


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for placed in note.spans("math"):
        if is_currency(placed):
            continue
        for found in _TAG.finditer(placed.source):
            at = placed.passage.locate(placed.span.inner[0] + found.start())
            message = f"the browser takes `<` for a tag and hides what follows: {placed.shown}"
            severity: Severity = "warning" if facts.embedded_theme else "error"
            yield Finding(at, message, "write `\\lt `", (Edit(at, at + 1, "\\lt "),), severity)


RULE = Rule(
    "math-html",
    "error",
    "`<` in a formula opens a tag",
    "Formulas reach the browser as they are. A `<` with a letter, `/` or `!` behind it begins a "
    "tag, and the text up to the next `>` is swallowed. In the embedded theme, which sets formulas "
    "at build time, it is a warning.",
    _check,
    fixes=True,
)
