"""The anchors that a page offers: its headings' ids, and ids set by hand."""

from __future__ import annotations

import re

_HEADING = re.compile(r"^[ >\t*+-]*#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$", re.MULTILINE)
_SETEXT = re.compile(r"^[ ]{0,3}(\S.*)\n[ ]{0,3}(?:=+|-+)[ \t]*$", re.MULTILINE)
_EXPLICIT = re.compile(r"\{[^{}\n]*#([\w:.-]+)[^{}\n]*\}|\b(?:id|name)\s*=\s*[\"']([^\"']+)[\"']")
_PLAIN = re.compile(r"[A-Za-z0-9 _-]+")


def find_anchors(body: str) -> frozenset[str]:
    """All anchors, generously: too many only miss a dead link, too few would invent one.

    Next to a heading's id stands its loosened form where formulas, code or other signs make the id
    hard to foresee.
    """
    body = body.replace("\r\n", "\n")
    anchors = {found[1] or found[2] for found in _EXPLICIT.finditer(body)}
    titles = [found[1] for found in _HEADING.finditer(body)]
    titles += [found[1] for found in _SETEXT.finditer(body)]
    seen: dict[str, int] = {}
    for title in titles:
        text = re.sub(r"\s*\{[^{}]*\}\s*$", "", title)
        slug = heading_slug(text)
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        anchors.add(f"{slug}-{count}" if count else slug)
        if not _PLAIN.fullmatch(text):
            anchors |= {loosen(text), loosen(re.sub(r"\\\(.*?\\\)|\$.*?\$", "", text))}
    return frozenset(anchors)


def heading_slug(text: str) -> str:
    """The id that Goldmark makes of a heading without formulas."""
    kept = re.sub(r"[^\w\s-]", "", text.strip().lower())
    return re.sub(r"\s", "-", kept)


def loosen(text: str) -> str:
    """Letters and digits only, marked so that it equals no real anchor."""
    return "~" + re.sub(r"[\W_]", "", text.lower())
