"""The images of a note, in Markdown, in HTML and in the `figure` shortcode."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.frozen import dataclass
from generator.lint.note import Note

_TAG = re.compile(r"<img\b[^>]*>", re.IGNORECASE)
_SOURCE = re.compile(r"\bsrc\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_ALT = re.compile(r"\balt\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|(?=[\s/>]))", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Image:
    """One image."""

    form: str
    """`markdown`, `html` or `figure`."""
    at: int
    """Offset in the note."""
    alt: str | None
    """Its alt text; `None` where HTML or the shortcode sets none."""
    target: str
    """Its address."""
    target_at: int
    """Where the address stands."""


def find_images(note: Note) -> Iterator[Image]:
    for placed in note.spans("image"):
        alt, target = placed.source, placed.target
        yield Image("markdown", placed.at, alt, target, placed.target_at)
    for block in note.blocks:
        if block.kind == "html":
            for tag in _TAG.finditer(block.content):
                at = note.text.find(tag[0], block.at)
                yield _html_image(tag[0], at if at >= 0 else block.at)
    for placed in note.spans("html"):
        text = placed.passage.text[placed.span.start : placed.span.end]
        if _TAG.fullmatch(text):
            yield _html_image(text, placed.at)
    for code in note.shortcodes:
        if code.name == "figure" and code.kind in ("open", "single"):
            target = code.argument("src", 0) or ""
            at = note.text.find(target, code.start) if target else code.start
            said = code.argument("alt") or code.argument("caption")
            yield Image("figure", code.start, said, target, at)


def _html_image(tag: str, at: int) -> Image:
    source, alt = _SOURCE.search(tag), _ALT.search(tag)
    target = (source[1] or source[2] or "") if source else ""
    start = at + (source.start(1) if source and source[1] else 0)
    return Image("html", at, (alt[1] or alt[2] or "") if alt else None, target, start)
