"""Formulas on a page for which math is off."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Edit, Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    if facts.config is None or not note.spans("math"):
        return
    field = note.front.fields.get("math")
    on = field.value if field else facts.setting("params.math")
    if on is False or on is None:
        at = field.start if field else note.spans("math")[0].at
        edits = (Edit(field.start, field.end, "true"),) if field else ()
        where = "here" if field else "in the note and on the site"
        message = f"the note holds formulas, and math is off {where}"
        yield Finding(at, message, "set `math: true`", edits)


RULE = Rule(
    "math-switch",
    "warning",
    "A note with formulas where math is off",
    "SciDraft loads the typesetter only where `math` is true, in the note or in the site's params: "
    "the page shows TeX.",
    _check,
    fixes=True,
)
