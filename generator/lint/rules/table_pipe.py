"""Pipes in formulas and code that cut a table's cell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.inline import Span, scan_inline
from generator.lint.note import Note
from generator.lint.rule import Edit, Finding, Rule
from generator.lint.tables import Row, Table

_PIPE = re.compile(r"(?<!\\)\|")
_PAIR = re.compile(r"(?<!\\)\|([^|\\]*(?:\\[A-Za-z]+[^|\\]*)*)(?<!\\)\|")


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for table in note.tables:
        for row in table.all_rows():
            for span in scan_inline(row.text, note.delimiters):
                pipes = [found.start() for found in _PIPE.finditer(row.text, *span.inner)]
                if span.kind in ("math", "code") and pipes and _is_cut(span, row, table):
                    yield _find(span, row, pipes[0])


def _is_cut(span: Span, row: Row, table: Table) -> bool:
    """Two cells with a lone `$` or backtick each are no formula that spans them."""
    if span.delimiter and span.delimiter.open != "$":
        return True
    inside = row.text[slice(*span.inner)]
    if span.delimiter and (inside != inside.strip() or row.text[span.end : span.end + 1].isalnum()):
        return False
    return len(row.cells) != len(table.delimiter.cells) or not re.search(r" \| ", inside)


def _find(span: Span, row: Row, pipe: int) -> Finding:
    source = row.text[slice(*span.inner)]
    if span.kind == "code":
        fixed, write = _PIPE.sub(r"\\|", source), "`\\|`"
    else:
        fixed = _PIPE.sub(r"\\mid ", _PAIR.sub(r"\\lvert \1 \\rvert", source))
        fixed, write = re.sub(r" +", " ", fixed), "`\\lvert … \\rvert` or `\\mid`"
    start, end = (row.at + position for position in span.inner)
    what = "code" if span.kind == "code" else "a formula"
    shown = row.text[span.start : span.end]
    message = f"the pipe in {what} cuts the cell: {shown}"
    return Finding(row.at + pipe, message, f"write {write}", (Edit(start, end, fixed),))


RULE = Rule(
    "table-pipe",
    "error",
    "A pipe inside a formula or code cuts a table's cell",
    "Cells are cut at every `|` before formulas and code are looked for. The formula is torn, the "
    "cells behind it move to the right, and the last one is dropped.",
    _check,
    fixes=True,
)
