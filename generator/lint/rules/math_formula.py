"""Formulas that KaTeX refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.formulas import note_formulas
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule
from generator.lint.rules import math_html, math_macro
from generator.lint.tex import defined_macros


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    if not facts.formula_errors:
        return
    told = [found.at for rule in (math_macro, math_html) for found in rule.RULE.check(note, facts)]
    for formula in note_formulas(note):
        fault = facts.formula_errors.get((formula.source, formula.display))
        if fault and _is_defined_elsewhere(fault, note, facts):
            continue
        if fault and not any(formula.at <= at < formula.end for at in told):
            shown = " ".join(formula.source.split())
            shown = shown if len(shown) <= 50 else shown[:47] + "…"
            yield Finding(formula.at, f"KaTeX cannot read `{shown}`: {fault}")


def _is_defined_elsewhere(fault: str, note: Note, facts: Facts) -> bool:
    """MathJax keeps a macro for the whole page; KaTeX, at build time, for one formula."""
    found = re.search(r"Undefined control sequence: \\([A-Za-z]+)", fault)
    return found is not None and not facts.embedded_theme and found[1] in defined_macros(note.text)


RULE = Rule(
    "math-formula",
    "error",
    "A formula that KaTeX cannot read",
    "The formula stays raw or turns red on the page; in the embedded theme Hugo stops at it. All "
    "formulas of a run, those in algorithms too, are tried at once with Hugo's own KaTeX.",
    _check,
)
