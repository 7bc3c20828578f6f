"""The source of a pipe table: cells that hold pipes and math, columns of one width."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_MATH = re.compile(
    r"\\\(.*?\\\)|\\\[.*?\\\]|\$\$.+?\$\$|(?<!\\)\$(?!\s)[^$\n]+?(?<!\s)\$", re.DOTALL
)


def escape_pipes(markdown: str) -> str:
    """Inline Markdown that may stand in a table cell: pipes that neither cut it nor change math.

    In math, where `\\|` would be a double bar, `|` becomes `\\vert`.
    """
    pieces, end = [], 0
    for match in _MATH.finditer(markdown):
        pieces += [_escape_outside(markdown[end : match.start()]), _name_bars(match[0])]
        end = match.end()
    return "".join(pieces) + _escape_outside(markdown[end:])


def _name_bars(math: str) -> str:
    named = math.replace("\\|", "\\Vert ").replace("|", "\\vert ")
    return re.sub(r"(\\[vV]ert) (?![A-Za-z])", r"\1", named)


def _escape_outside(text: str) -> str:
    return re.sub(r"(?<!\\)((?:\\\\)*)\|", r"\1\|", text)


def pad_cells(rows: Sequence[Sequence[str]], align: Sequence[str]) -> list[str]:
    """The lines of a pipe table, its columns padded to one width in the source."""
    widths = [max(3, *map(display_width, cells)) for cells in zip(*rows, strict=True)]
    lines = [[_pad(*cell) for cell in zip(row, widths, align, strict=True)] for row in rows]
    lines.insert(1, [_rule(*column) for column in zip(widths, align, strict=True)])
    return ["| " + " | ".join(cells) + " |" for cells in lines]


def display_width(text: str) -> int:
    """Columns that `text` takes in a monospaced font."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _pad(text: str, width: int, align: str) -> str:
    space = width - display_width(text)
    left = space if align == "right" else space // 2 if align == "center" else 0
    return " " * left + text + " " * (space - left)


def _rule(width: int, align: str) -> str:
    if align == "right":
        return "-" * (width - 1) + ":"
    if align == "center":
        return ":" + "-" * (width - 2) + ":"
    return "-" * width
