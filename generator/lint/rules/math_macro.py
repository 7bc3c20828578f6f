"""Macros that a typesetter of the page does not know."""

from __future__ import annotations

from collections.abc import Iterator

from generator.errors import Severity
from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule
from generator.lint.tex import (
    KATEX_ONLY,
    KATEX_ONLY_ENVIRONMENTS,
    MATHJAX_ONLY,
    MATHJAX_ONLY_ENVIRONMENTS,
    UNKNOWN,
    unknown_macros,
    write_instead,
)


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for placed in note.spans("math"):
        for at, name in unknown_macros(note, placed, UNKNOWN):
            yield Finding(
                at, f"`\\{name}` is known to neither KaTeX nor MathJax", write_instead(name)
            )
        for at, name in unknown_macros(note, placed, KATEX_ONLY, KATEX_ONLY_ENVIRONMENTS):
            message = f"`{name}` is known to KaTeX only, and body text is MathJax's"
            severity: Severity = "warning" if facts.embedded_theme else "error"
            yield Finding(at, message, write_instead(name), severity=severity)
        for at, name in unknown_macros(note, placed, MATHJAX_ONLY, MATHJAX_ONLY_ENVIRONMENTS):
            message = f"`{name}` is known to MathJax only, and Hugo's formulas are KaTeX's"
            severity = "error" if facts.embedded_theme else "warning"
            yield Finding(at, message, write_instead(name), severity=severity)


RULE = Rule(
    "math-macro",
    "error",
    "A formula uses a macro that KaTeX or MathJax does not know",
    "SciDraft sets body text with MathJax and algorithms with KaTeX; the embedded theme sets "
    "everything with KaTeX. An unknown macro turns red on the page or stops Hugo. Where only the "
    "theme that is not in use lacks the macro, it is a warning.",
    _check,
)
