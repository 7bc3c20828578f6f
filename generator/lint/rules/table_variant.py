"""Attributes below a table that are none, or name no variant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.errors import near_names
from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Edit, Finding, Rule
from generator.lint.tables import Row, is_attribute_row

VARIANTS = ("table-academic", "table-striped")


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for table in note.tables:
        for row in table.rows:
            yield from _check_row(row)


def _check_row(row: Row) -> Iterator[Finding]:
    braces = re.match(r"\{\s*([^{}]*?)\s*\}(.*)", row.text)
    if not braces:
        return
    if not is_attribute_row(row.text):
        name = next((name for name in VARIANTS if name == braces[1]), "")
        edits = (Edit(row.at, row.at + len(row.text), f"{{.{name}}}"),) if name else ()
        message = f"`{row.text}` is no attribute and becomes a row of the table"
        yield Finding(row.at, message, "write `{.table-academic}`, with the dot", edits)
        return
    if braces[2].strip():
        message = f"`{braces[2].strip()}` is lost behind the table's attribute"
        yield Finding(row.at + braces.start(2), message, "put it in a paragraph of its own")
    for name in re.findall(r"\.([\w-]+)", braces[1]):
        if name not in VARIANTS and (name.startswith("table-") or f"table-{name}" in VARIANTS):
            hint = near_names(name, VARIANTS) or near_names(f"table-{name}", VARIANTS)
            at = row.at + row.text.index(name)
            message = f"the theme has no table variant `{name}`"
            yield Finding(
                at, message, hint or f"it has {' and '.join(VARIANTS)}", severity="warning"
            )


RULE = Rule(
    "table-variant",
    "error",
    "The attribute below a table is none, or names no variant",
    "`{table-academic}` without its dot becomes a row; text behind the attribute is lost; an "
    "unknown variant leaves the table as it is (a warning).",
    _check,
    fixes=True,
)
