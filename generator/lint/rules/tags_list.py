"""Tags that are a string."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Edit, Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    field = note.front.fields.get("tags")
    if field and isinstance(field.value, (str, int, float)) and not isinstance(field.value, bool):
        written = note.text[field.start : field.end]
        separators = isinstance(field.value, str) and not field.quoted
        fixed = f"[{written}]" if separators else f"[{written.strip()}]"
        message = f"`{field.key}: {written}` is no list: the build fails"
        yield Finding(
            field.start, message, f"write {fixed}", (Edit(field.start, field.end, fixed),)
        )


RULE = Rule(
    "tags-list",
    "error",
    "`tags` is not a list",
    "The theme goes through the tags one by one, and stops Hugo at a plain string.",
    _check,
    fixes=True,
)
