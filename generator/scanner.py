"""A template as pieces: text to hand on untouched, and the tags between it.

`<%= expression %>`, `<% statement %>`, `<%# comment %>`, and `<%%` for a literal `<%`. A line
that holds nothing but statements and comments vanishes whole, its end included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from generator.errors import GeneratorError, Problem
from generator.frozen import dataclass

Kind = Literal["text", "expression", "statement", "comment"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a template."""

    kind: Kind
    """What it is."""
    text: str
    """The text as it will be published, or what stands between the delimiters."""
    line: int
    """Line on which it starts, from 1; with the blank line before it that vanished, if one did."""


@dataclass(frozen=True, slots=True)
class _Tag:
    """A tag's stretch of the source, delimiters included."""

    kind: Kind
    start: int
    end: int
    content: str


_OPEN = re.compile(r"<%(%|=|#)?")
_INSIDE = re.compile(r"""%>|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'""", re.DOTALL)
_REST_OF_LINE = re.compile(r"[ \t]*(?:\r\n|\n|\r|\Z)")
_KINDS: dict[str | None, Kind] = {"=": "expression", "#": "comment", None: "statement"}


def has_tags(text: str) -> bool:
    """Whether any part of `text` is for the generator."""
    return "<%" in text


def scan_template(text: str, path: str) -> tuple[Piece, ...]:
    """The pieces of `text`, in order.

    Raises GeneratorError for a tag that is not closed.
    """
    tags = tuple(_find_tags(text, path))
    vanishing = _vanishing_blanks(text, tags)
    pieces: list[Piece] = []
    position = 0
    line = 1

    def add(kind: Kind, content: str, start: int, end: int) -> None:
        nonlocal line
        if content or kind != "text":
            pieces.append(Piece(kind, content, line))
        line += text.count("\n", start, end)

    for tag in tags:
        add("text", _without(text, position, tag.start, vanishing), position, tag.start)
        add(tag.kind, tag.content, tag.start, tag.end)
        position = tag.end
    add("text", _without(text, position, len(text), vanishing), position, len(text))
    return tuple(pieces)


def _find_tags(text: str, path: str) -> Iterator[_Tag]:
    position = 0
    while opening := _OPEN.search(text, position):
        mark = opening.group(1)
        if mark == "%":
            yield _Tag("text", opening.start(), opening.end(), "<%")
            position = opening.end()
            continue
        end = _find_end(text, opening.end(), comment=mark == "#")
        if end < 0:
            line = text.count("\n", 0, opening.start()) + 1
            hint = "close it, or write `<%%` for a literal `<%`"
            raise GeneratorError(Problem(path, line, "this tag has no `%>`", hint, "template"))
        yield _Tag(_KINDS[mark], opening.start(), end + 2, text[opening.end() : end])
        position = end + 2


def _find_end(text: str, start: int, *, comment: bool) -> int:
    """Where the closing `%>` stands; quoted strings in code may hold one."""
    if comment:
        return text.find("%>", start)
    for match in _INSIDE.finditer(text, start):
        if match.group() == "%>":
            return match.start()
    return -1


def _vanishing_blanks(text: str, tags: tuple[_Tag, ...]) -> tuple[tuple[int, int], ...]:
    """The stretches of lines that hold only statements and comments."""
    found: list[tuple[int, int]] = []
    i = 0
    while i < len(tags):
        stop = i + 1
        if tags[i].kind in ("statement", "comment"):
            while stop < len(tags) and _joins(text, tags[stop - 1], tags[stop]):
                stop += 1
            line_start = text.rfind("\n", 0, tags[i].start) + 1
            rest = _REST_OF_LINE.match(text, tags[stop - 1].end)
            if rest and not text[line_start : tags[i].start].strip(" \t"):
                found.append((line_start, rest.end()))
        i = stop
    return tuple(found)


def _joins(text: str, tag: _Tag, following: _Tag) -> bool:
    """Whether two tags stand on one line with only blanks between them."""
    return following.kind in ("statement", "comment") and not text[tag.end : following.start].strip(
        " \t"
    )


def _without(text: str, start: int, end: int, gaps: tuple[tuple[int, int], ...]) -> str:
    """`text[start:end]` less the gaps."""
    kept: list[str] = []
    for gap_start, gap_end in gaps:
        if gap_end <= start or gap_start >= end:
            continue
        kept.append(text[start : max(start, gap_start)])
        start = min(end, gap_end)
    kept.append(text[start:end])
    return "".join(kept)
