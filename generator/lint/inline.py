"""What stands inside one paragraph, heading or table cell, as Goldmark reads it.

Code spans, formulas, HTML tags, autolinks, escapes, links and images are found from left to right,
whichever opens first; everything else is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

from generator.frozen import dataclass
from generator.lint.facts import Delimiter

Kind = Literal["code", "math", "html", "autolink", "escape", "link", "image", "open", "close"]


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of inline Markdown."""

    kind: Kind
    """What it is; `open` and `close` are formula delimiters without a partner."""
    start: int
    """Where it begins in the text that was scanned."""
    end: int
    """Where it ends."""
    inner: tuple[int, int] = (0, 0)
    """The part between its marks: a formula, code, a link's text, alt text."""
    delimiter: Delimiter | None = None
    """The marks of a formula."""
    target: tuple[int, int] = (0, 0)
    """Where a link's or image's address stands."""


_HTML = re.compile(
    r"<!---->|<!--(?:-?[^>-])(?:-?[^-])*-->"
    r"|</[A-Za-z][A-Za-z0-9-]*\s*>"
    r"|<[A-Za-z][A-Za-z0-9-]*"
    r"(?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?)*\s*/?>"
    r"|<[?].*?[?]>|<![A-Za-z][^>]*>"
)
_AUTOLINK = re.compile(r"<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)>")
_TARGET = re.compile(
    r"\(\s*(?:<(?P<angle>[^<>\n]*)>|(?P<bare>(?:[^\s()\\]|\\.|\([^\s()]*\))*))"
    r"(?:\s+(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?\s*\)"
)
_BARE_URL = re.compile(
    r"(?:https?|ftp)://[-a-zA-Z0-9@:%._+~#=]{1,256}\.[a-z]+(?::\d+)?"
    r"(?:[/#?][-a-zA-Z0-9@:%_+.~#$!?&/=();,'\">^{}\[\]`]*)?"
)
_NODES = ("link", "image", "code", "math", "html", "autolink")
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


def scan_inline(text: str, delimiters: Sequence[Delimiter]) -> tuple[Span, ...]:
    """All spans of a text, in the order in which they end."""
    return tuple(_Scanner(text, tuple(delimiters)).spans())


@lru_cache(maxsize=8)
def _prepare(
    delimiters: tuple[Delimiter, ...],
) -> tuple[tuple[Delimiter, ...], re.Pattern[str]]:
    """The delimiters, and what finds the places where something may begin."""
    # The longer mark first, or `$$` would be read as an empty `$…$`.
    ordered = tuple(sorted(delimiters, key=lambda mark: -len(mark.open)))
    first = {"\\", "`", "<", "[", "]", "!"} | {mark.open[0] for mark in delimiters}
    marks = "[" + re.escape("".join(sorted(first))) + "]"
    return ordered, re.compile(rf"{marks}|(?<![^\s*_~(])(?:https?|ftp)://")


class _Scanner:
    """One pass over one text; holds the brackets that are still open."""

    def __init__(self, text: str, delimiters: tuple[Delimiter, ...]) -> None:
        self._text = text
        self._delimiters, self._special = _prepare(delimiters)
        self._brackets: list[tuple[int, bool]] = []

    def spans(self) -> Iterator[Span]:
        position = 0
        while found := self._special.search(self._text, position):
            span = self._read(found.start())
            if span is None:
                position = found.start() + self._skip(found.start())
            else:
                yield span
                position = span.end
                if span.kind in _NODES and (url := _BARE_URL.match(self._text, position)):
                    yield Span("autolink", position, url.end(), url.span())
                    position = url.end()

    def _skip(self, at: int) -> int:
        character = self._text[at]
        if character == "`":
            return _run(self._text, at)
        if character == "[":
            self._brackets.append((at, at > 0 and self._text[at - 1] == "!"))
        return 1

    def _read(self, at: int) -> Span | None:
        character = self._text[at]
        if span := self._read_formula(at):
            return span
        if character == "\\":
            return self._read_escape(at)
        if character == "`":
            return self._read_code(at)
        if character == "<":
            return self._read_tag(at)
        if found := _BARE_URL.match(self._text, at):
            return Span("autolink", at, found.end(), found.span())
        if character == "]":
            return self._read_link(at)
        return None

    def _read_formula(self, at: int) -> Span | None:
        text = self._text
        for mark in self._delimiters:
            if not text.startswith(mark.open, at):
                continue
            inside = at + len(mark.open)
            closed = text.find(mark.close, inside)
            if closed > inside:
                end = closed + len(mark.close)
                return Span("math", at, end, (inside, closed), mark)
            if closed < 0:
                return Span("open", at, inside, (inside, inside), mark)
            return None
        return None

    def _read_escape(self, at: int) -> Span | None:
        after = self._text[at + 1 : at + 2]
        if after not in _PUNCTUATION or not after:
            return None
        if after == "\\":
            # Goldmark passes over a delimiter right behind an escaped backslash.
            behind = (m.open for m in self._delimiters if self._text.startswith(m.open, at + 2))
            return Span("escape", at, at + 2 + len(next(behind, "")), (at + 1, at + 2))
        for mark in self._delimiters:
            if mark.close.startswith("\\") and self._text.startswith(mark.close, at):
                return Span("close", at, at + len(mark.close), (at, at), mark)
        return Span("escape", at, at + 2, (at + 1, at + 2))

    def _read_code(self, at: int) -> Span | None:
        length = _run(self._text, at)
        position = at + length
        while (found := self._text.find("`", position)) >= 0:
            closing = _run(self._text, found)
            if closing == length:
                return Span("code", at, found + length, (at + length, found))
            position = found + closing
        return None

    def _read_tag(self, at: int) -> Span | None:
        if found := _AUTOLINK.match(self._text, at):
            return Span("autolink", at, found.end(), (at + 1, found.end() - 1))
        if found := _HTML.match(self._text, at):
            return Span("html", at, found.end(), (at + 1, found.end() - 1))
        return None

    def _read_link(self, at: int) -> Span | None:
        if not self._brackets:
            return None
        opened, is_image = self._brackets.pop()
        if not (found := _TARGET.match(self._text, at + 1)):
            return None
        target = found.span("angle") if found["angle"] is not None else found.span("bare")
        start = opened - 1 if is_image else opened
        kind: Kind = "image" if is_image else "link"
        return Span(kind, start, found.end(), (opened + 1, at), None, target)


def _run(text: str, at: int) -> int:
    end = at
    while end < len(text) and text[end] == "`":
        end += 1
    return end - at
