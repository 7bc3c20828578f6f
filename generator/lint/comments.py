"""Comments in a note by which its author turns rules off.

`<!-- lint: ignore table-pipe date -->` counts for the block below it, and
`<!-- lint: ignore-note … -->` for the whole note, as does
`# lint: ignore date` in the front matter.
"""

from __future__ import annotations

import re
from collections.abc import Container

from generator.frozen import dataclass
from generator.lint.note import Note

_COMMENT = re.compile(r"<!--\s*lint:\s*(ignore(?:-note)?)\b([^>]*?)-->")
_FRONT = re.compile(r"^\s*#\s*lint:\s*ignore\b(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Ignored:
    """Rules that are off in some lines of a note."""

    code: str
    """The rule."""
    first: int
    """First line, from 1."""
    last: int
    """Last line, included."""
    at: int
    """Offset of the comment."""


def find_ignored(note: Note) -> tuple[Ignored, ...]:
    """What the note's comments turn off, and where."""
    if "lint:" not in note.text:
        return ()
    found = []
    everywhere = (0, len(note.starts) + 1)
    for comment in _FRONT.finditer(note.front.source):
        found += [Ignored(code, *everywhere, 0) for code in _codes(comment[1])]
    for comment in _COMMENT.finditer(note.text, note.front.end):
        if _is_shown(note, comment.start()):
            continue
        lines = everywhere if comment[1] == "ignore-note" else _block_below(note, comment.end())
        found += [Ignored(code, *lines, comment.start()) for code in _codes(comment[2])]
    return tuple(found)


def is_ignored(ignored: tuple[Ignored, ...], code: str, line: int) -> bool:
    return any(item.code == code and item.first <= line <= item.last for item in ignored)


def unknown_codes(ignored: tuple[Ignored, ...], known: Container[str]) -> tuple[Ignored, ...]:
    return tuple(item for item in ignored if item.code not in known)


def _codes(text: str) -> list[str]:
    return re.findall(r"[a-z][a-z-]*[a-z]", text)


def _is_shown(note: Note, at: int) -> bool:
    line = note.line_of(at) - 1
    return any(
        block.kind in ("fence", "code") and block.first <= line < block.last
        for block in note.blocks
    )


def _block_below(note: Note, end: int) -> tuple[int, int]:
    """The lines from the comment to the end of the first block that begins below it."""
    line = note.line_of(end) - 1
    here = [block for block in note.blocks if block.first <= line < block.last]
    if here and here[-1].kind == "paragraph":
        return line + 1, here[-1].last
    after = [block for block in note.blocks if block.first >= line and block.kind != "html"]
    if here and here[-1].last > line + 1:
        # A comment right above a line belongs to the same HTML block as that line.
        return line + 1, here[-1].last
    return line + 1, after[0].last if after else len(note.starts) + 1
