"""Booleans that are strings."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Edit, Finding, Rule

SWITCHES = ("math", "showtitle", "disableshare", "searchhidden", "hiddeninrss", "hiddeninhomelist")


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for key in SWITCHES:
        field = note.front.fields.get(key)
        if field and isinstance(field.value, str):
            plain = field.value.strip().lower()
            known = {"true": "true", "yes": "true", "false": "false", "no": "false"}
            fixed = known.get(plain, "")
            edits = (Edit(field.start, field.end, fixed),) if fixed else ()
            message = f'`{field.key}: "{field.value}"` is a string, and any string counts as true'
            yield Finding(field.start, message, f"write `{fixed or 'true'}`, bare", edits)


RULE = Rule(
    "boolean",
    "warning",
    "A switch in the front matter is a string",
    '`showTitle: "false"` shows the title: a string that is not empty counts as true.',
    _check,
    fixes=True,
)
