"""TeX environments outside formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule

_BEGIN = re.compile(r"\\begin\{([A-Za-z]+\*?)\}")
_ALGORITHMS = ("algorithm", "algorithmic")


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for _, passage, spans in note.scans:
        taken = [span for span in spans if span.kind in ("math", "code", "html")]
        if any(span.kind == "open" for span in spans):
            continue
        for found in _BEGIN.finditer(passage.text):
            if not any(span.start <= found.start() < span.end for span in taken):
                at = passage.locate(found.start())
                yield Finding(at, f"`{found[0]}` stands outside a formula", _hint(found[1]))


def _hint(name: str) -> str:
    if name in _ALGORITHMS:
        return "put it into a ```pseudo-algorithm fence"
    return "put it between lines of `$$`" + (", as `aligned`" if name.startswith("align") else "")


RULE = Rule(
    "math-environment",
    "error",
    "A TeX environment stands outside a formula",
    "Markdown eats the backslashes of a bare `\\begin{align} … \\end{align}`, and what is left is "
    "printed or typeset wrongly.",
    _check,
)
