"""Places in raw HTML."""

from __future__ import annotations

import re

from generator.places.marks import PLACEHOLDER, numbers_in
from generator.spots import Place, Spot

_PIECE = re.compile(
    r"(?P<comment><!--.*?(?:-->|$)|<\?.*?(?:\?>|$)|<!.*?(?:>|$))"
    r"|(?P<script><(?P<raw>script|style|textarea|title|iframe|noscript)\b.*?(?:</(?P=raw)\s*>|$))"
    r"|(?P<tag></?[a-zA-Z][^\s/>]*(?:\"[^\"]*\"|'[^']*'|[^\"'>])*>?)",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    r"(?P<name>[^\s\"'>/=]+)\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s\"'=<>`]+))"
)
RAW_TEXT = frozenset({"script", "style", "textarea", "title", "iframe", "noscript"})
CODE_TAGS = frozenset({"code", "kbd", "samp", "pre", "tt"})


def find_in_html(html: str) -> dict[int, Spot]:
    """The spot of each placeholder in a piece of HTML, which may hold text between its tags."""
    spots: dict[int, Spot] = {}
    position = depth = 0
    for match in _PIECE.finditer(html):
        text = Spot(Place.HTML_TEXT, code_like=depth > 0)
        _add(spots, html[position : match.start()], text)
        position = match.end()
        if match["comment"]:
            _add(spots, match[0], Spot(Place.COMMENT))
        elif match["script"]:
            _add(spots, match[0], Spot(Place.SCRIPT))
        else:
            spots.update(find_in_tag(match[0]))
            depth = max(0, depth + code_step(match[0]))
    _add(spots, html[position:], Spot(Place.HTML_TEXT))
    return spots


def code_step(tag: str) -> int:
    """1 for a tag that opens code, -1 for one that closes it, 0 for all others."""
    match = re.match(r"<(/?)([a-zA-Z]+)", tag)
    if match is None or match[2].lower() not in CODE_TAGS:
        return 0
    return -1 if match[1] else 1


def find_in_tag(tag: str) -> dict[int, Spot]:
    """The spot of each placeholder in one tag: safe as an attribute's value only."""
    spots = dict.fromkeys(numbers_in(tag), Spot(Place.TAG))
    for match in _ATTRIBUTE.finditer(tag):
        value = next(v for v in (match["double"], match["single"], match["bare"]) if v is not None)
        quote = '"' if match["double"] is not None else "'" if match["single"] is not None else ""
        if PLACEHOLDER.search(match["name"]):
            continue
        for number in numbers_in(value):
            whole = PLACEHOLDER.match(value.strip()) is not None
            spots[number] = Spot(
                Place.HTML_ATTR, name=match["name"].lower(), quote=quote, whole=whole
            )
    return spots


def _add(spots: dict[int, Spot], text: str, spot: Spot) -> None:
    spots.update(dict.fromkeys(numbers_in(text), spot))
