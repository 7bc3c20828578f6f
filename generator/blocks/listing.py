"""Source code, a file, or a text such as a script's output, published to the character."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

from generator.blocks.base import Block, Json, Where, refuse
from generator.blocks.fences import fence_code

if TYPE_CHECKING:
    from generator.blocks.script import ScriptRun

_LANGUAGE = re.compile(r"[A-Za-z0-9_+#.-]+")


class Listing(Block):
    """The source of a function or a file, a script's output, or a text.

    A `str` is a text when it holds a line break or `language` is given, and a path otherwise.
    `lines` picks lines, counted from 1 in the file or function: `(3, 12)`, both ends included.
    `strip=True` leaves out the docstring, decorators and lines that are only comments;
    `numbered=True` shows line numbers: of the file or function when nothing is left out.

    Raises GeneratorError when the source cannot be found or there is nothing to show.
    """

    kind: ClassVar[str] = "listing"

    def __init__(
        self,
        source: Callable[..., object] | ScriptRun | str | os.PathLike[str],
        *,
        language: str | None = None,
        lines: tuple[int, int] | None = None,
        strip: bool = False,
        numbered: bool = False,
    ) -> None:
        from generator.blocks.sources import read_source, strip_source

        text, found = read_source(source, language)
        if not _LANGUAGE.fullmatch(found):
            raise refuse("listing", f"`{found}` is no name of a language")
        if strip:
            text = strip_source(text)
        self._text = _clean_text(_pick_lines(text, lines))
        self._language = found
        self._first = (lines[0] if lines else 1) if numbered else 0
        if not self._text.strip():
            raise refuse("listing", "there is nothing to show in the listing")

    def to_data(self) -> dict[str, Json]:
        return {"text": self._text, "language": self._language, "first": self._first}

    @classmethod
    def from_data(cls, data: Mapping[str, Json]) -> Self:
        block = cls.__new__(cls)
        fields: dict[str, Any] = dict(data)
        block._text, block._language = fields["text"], fields["language"]
        block._first = fields["first"]
        return block

    def to_markdown(self, where: Where) -> str:
        return fence_code(self._text, self._language, first=self._first)


def _pick_lines(text: str, lines: tuple[int, int] | None) -> str:
    if lines is None:
        return text
    first, last = lines
    every = text.removesuffix("\n").split("\n")
    if not 1 <= first <= last <= len(every):
        raise refuse("listing", f"there are no lines {first} to {last}: there are {len(every)}")
    return textwrap.dedent("\n".join(every[first - 1 : last]))


def _clean_text(text: str) -> str:
    """Text as a terminal shows it: no colour codes, no trailing blanks or empty end lines."""
    lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r\n", "\n").split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    while lines and not lines[0].strip():
        lines.pop(0)
    return "\n".join(lines)
