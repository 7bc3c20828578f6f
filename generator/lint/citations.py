"""Citations and reference lists, paired as the theme pairs them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.frozen import dataclass
from generator.lint.note import Note
from generator.lint.shortcodes import Shortcode

_CITE = re.compile(r"\\cite(?P<form>[a-z]*)\*?(?:\[[^\]]*\])*\{(?P<keys>[^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Citation:
    """One `\\cite{…}`."""

    at: int
    """Offset in the note."""
    form: str
    """What follows `cite` in its name, such as `p` or `t`."""
    source: str
    """As written."""
    keys: tuple[tuple[int, str], ...]
    """Each key with its offset."""
    references: Shortcode | None
    """The list that takes it: the next one below."""


def reference_lists(note: Note) -> tuple[Shortcode, ...]:
    return tuple(
        code
        for code in note.shortcodes
        if code.name == "references" and code.kind in ("open", "single")
    )


def bib_path(references: Shortcode) -> str:
    """The bibliography's path under `assets/`."""
    return (references.argument("bib", 0) or "").removeprefix("/")


def find_citations(note: Note) -> Iterator[Citation]:
    """All citations in text; those in code and formulas are none."""
    lists = reference_lists(note)
    for _, passage, spans in note.scans:
        taken = [span for span in spans if span.kind in ("math", "code", "html")]
        for found in _CITE.finditer(passage.text):
            if any(span.start <= found.start() < span.end for span in taken):
                continue
            at = passage.locate(found.start())
            below = next((code for code in lists if code.start > at), None)
            keys = tuple(
                (passage.locate(found.start("keys") + key.start()), key[0])
                for key in re.finditer(r"[^\s,]+", found["keys"])
            )
            yield Citation(at, found["form"], found[0], keys, below)
