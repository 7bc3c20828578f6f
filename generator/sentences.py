"""The sentence around a tag: what a claim is told with."""

from __future__ import annotations

import re


def sentence_at(text: str, line: int, source: str) -> str:
    """The sentence of a template that holds the tag `source` on `line`, other tags shortened."""
    lines = text.split("\n")
    if 1 < line < _end_of_matter(lines):
        return squash_blanks(_shorten_tags(lines[line - 1]))
    start = stop = min(line - 1, len(lines) - 1)
    while start > 0 and not _ends_paragraph(lines[start - 1]):
        start -= 1
    while stop < len(lines) and not _ends_paragraph(lines[stop]):
        stop += 1
    paragraph = " ".join(lines[start:stop])
    tag = next(
        (m for m in re.finditer(r"<%=(.*?)%>", paragraph) if m.group(1).strip() == source), None
    )
    if tag is None:
        return squash_blanks(_shorten_tags(paragraph))
    marked = paragraph[: tag.start()] + "\x02" + _shown(source) + paragraph[tag.end() :]
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z*\\(])", _shorten_tags(marked))
    found = next((s for s in sentences if "\x02" in s), sentences[0])
    return squash_blanks(found.replace("\x02", ""))


def _end_of_matter(lines: list[str]) -> int:
    """The line that ends the front matter; 0 where there is none."""
    if not lines or lines[0].strip("\ufeff \t\r") not in ("---", "+++"):
        return 0
    ends = (i for i, line in enumerate(lines[1:], start=2) if line.strip() == lines[0].strip())
    return next(ends, 0)


def _ends_paragraph(line: str) -> bool:
    return line.strip() in ("", "---", "+++", "$$")


def _shorten_tags(text: str) -> str:
    text = re.sub(r"<%=(.*?)%>", lambda m: _shown(m.group(1)), text)
    return re.sub(r"<%.*?%>", "", text)


def _shown(source: str) -> str:
    literal = re.search(r"""claim\(\s*["']([^"']*)["']""", source)
    return literal.group(1) if literal else "…"


def squash_blanks(text: str) -> str:
    """`text` with every run of white space as one blank."""
    return " ".join(text.split())
