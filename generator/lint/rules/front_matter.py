"""Front matter that Hugo cannot read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    if note.front.fault:
        hint = ""
        if "mapping values are not allowed" in note.front.fault:
            hint = "a value that holds `: ` stands in quotation marks"
        elif "escape" in note.front.fault:
            hint = "a value with backslashes stands in single quotation marks"
        yield Finding(note.front.fault_at, note.front.fault, hint)
    for field in note.front.fields.values():
        if isinstance(field.value, str) and field.quoted and _CONTROL.search(field.value):
            message = f"a backslash in `{field.key}` makes a character that cannot be seen"
            hint = "a value with backslashes stands in single quotation marks"
            yield Finding(field.start, message, hint, severity="warning")


RULE = Rule(
    "front-matter",
    "error",
    "Front matter that Hugo cannot read",
    "Hugo stops at it and publishes nothing. A double-quoted `\\alpha` becomes an invisible "
    "character and `lpha` (a warning).",
    _check,
)
