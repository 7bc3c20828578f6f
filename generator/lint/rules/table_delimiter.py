"""Delimiter rows that do not fit their header."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule
from generator.lint.rules import table_pipe
from generator.lint.tables import count_of


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    torn = {note.line_of(finding.at) for finding in table_pipe.RULE.check(note, facts)}
    for table in note.tables:
        names, dashes = len(table.header.cells), table.width
        if names == dashes or note.line_of(table.header.at) in torn:
            continue
        count = f"{dashes} × `---` under {count_of(table.header.cells, 'header cell')}"
        hint = "write one `---` for each header cell"
        if dashes < names:
            message = f"no table comes of this: {count}"
            yield Finding(table.delimiter.at, message, hint)
        else:
            message = f"the table gets blank columns: {count}"
            yield Finding(table.delimiter.at, message, hint, severity="warning")


RULE = Rule(
    "table-delimiter",
    "error",
    "The row of dashes does not fit the header",
    "With fewer dashes than header cells the whole table is printed as text, pipes and all. With "
    "more, the table gets columns without a name (a warning).",
    _check,
)
