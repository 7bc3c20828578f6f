"""Rows that are wider or narrower than their table."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Edit, Finding, Rule
from generator.lint.rules import table_pipe
from generator.lint.tables import count_of


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    torn = {note.line_of(finding.at) for finding in table_pipe.RULE.check(note, facts)}
    for table in note.tables:
        if not table.holds:
            continue
        for row in table.rows:
            if row.text.startswith("{") or note.line_of(row.at) in torn:
                continue
            extra = [(at, text) for at, text in row.cells[table.width :] if text]
            count = (
                f"{count_of(row.cells, 'cell')} under {count_of(table.delimiter.cells, 'column')}"
            )
            if extra:
                at, text = extra[0]
                message = f"the row has {count}: `{text}` is dropped"
                yield Finding(at, message, "a `|` that is text is written `\\|`")
            elif len(row.cells) < table.width and any(text for _, text in row.cells):
                yield _find_short(row.at, row.text, count)


def _find_short(at: int, text: str, count: str) -> Finding:
    if "|" not in text:
        message = f"this line becomes a row of the table: {text.strip()[:60]}"
        edit = Edit(at, at, "\n")
        return Finding(at, message, "a blank line ends a table", (edit,), severity="error")
    return Finding(at, f"the row has {count}: the rest stays blank", severity="warning")


RULE = Rule(
    "table-width",
    "error",
    "A table's row is not as wide as its header",
    "Cells beyond the header's are dropped without a word; missing ones stay blank (a warning). A "
    "line of text right below a table becomes its last row.",
    _check,
    fixes=True,
)
