"""Places in running text: one paragraph, heading or table cell as the parser sees it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from generator.frozen import dataclass
from generator.places.marks import PLACEHOLDER, numbers_in
from generator.places.markup import RAW_TEXT, code_step, find_in_html, find_in_tag
from generator.places.passthrough import DISPLAY
from generator.spots import Place, Spot

if TYPE_CHECKING:
    from markdown_it.token import Token

_BARE_URL = re.compile(r"(?:https?://|ftp://|www\.)[^\s<]*|[\w.+-]+@[\w.-]+", re.IGNORECASE)
_ATTRIBUTE_TAIL = re.compile(r"\{[^{}]*\}\s*$")
_ATTRIBUTE_LINE = re.compile(r"(?:^|\n)\{[.#]?[^{}\n]*\}[ \t]*$")
_EMPHASIS = {f"{name}_open": 1 for name in ("em", "strong", "s")}
_EMPHASIS |= {f"{name}_close": -1 for name in ("em", "strong", "s")}
_TAG_NAME = re.compile(r"<(/?)([a-zA-Z][\w-]*)")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a piece of inline text is part of."""

    place: Place
    """Where plain text in it stands."""
    in_table: bool
    """Whether it is a table cell."""


def find_in_inline(token: Token, around: Surroundings) -> Iterator[tuple[int, Spot]]:
    """The placeholders in one `inline` token, with their spots."""
    base = Spot(around.place, in_table=around.in_table)
    attributes = _attribute_numbers(token.content, around.place)
    for number, spot in _walk(token.children or [], base):
        yield number, Spot(Place.ATTRIBUTE) if number in attributes else spot


def _attribute_numbers(content: str, place: Place) -> set[int]:
    pattern = _ATTRIBUTE_TAIL if place is Place.HEADING else _ATTRIBUTE_LINE
    match = pattern.search(content)
    return set(numbers_in(match[0])) if match else set()


def _walk(children: list[Token], base: Spot) -> Iterator[tuple[int, Spot]]:
    raw, auto, code, links, emphasis = "", False, 0, 0, 0
    for token in children:
        if token.type == "html_inline":
            if raw and not token.content.lower().startswith(f"</{raw}"):
                yield from _each(token.content, Spot(Place.SCRIPT))
                continue
            yield from _find_in_inline_html(token.content, base)
            raw, code = _follow_tag(token.content, raw, code)
        elif raw:
            yield from _each(_source(token), Spot(Place.SCRIPT))
        else:
            links += {"link_open": 1, "link_close": -1}.get(token.type, 0)
            auto = token.info == "auto" if token.type == "link_open" else auto and links > 0
            emphasis += _EMPHASIS.get(token.type, 0)
            here = replace(base, code_like=code > 0, emphasised=emphasis > 0)
            if links and base.place in (Place.PROSE, Place.TABLE_CELL, Place.HEADING):
                here = replace(here, place=Place.AUTOLINK if auto else Place.LINK_TEXT)
            yield from _find_in_token(token, here)


def _find_in_token(token: Token, base: Spot) -> Iterator[tuple[int, Spot]]:
    match token.type:
        case "text" | "text_special":
            urls = () if base.place is Place.LINK_TEXT else _BARE_URL.finditer(token.content)
            bare = {number for url in urls for number in numbers_in(url[0])}
            for number in numbers_in(token.content):
                yield number, Spot(Place.AUTOLINK) if number in bare else base
        case "math":
            place = Place.MATH_DISPLAY if token.markup in DISPLAY else Place.MATH_INLINE
            yield from _each(token.content, replace(base, place=place))
        case "code_inline":
            spot = replace(base, place=Place.CODE_SPAN, quote=token.markup)
            yield from _each(token.content, spot)
        case "link_open":
            yield from _find_in_link(token, "href", base)
        case "image":
            yield from _find_in_link(token, "src", base)
            yield from _each(token.content, replace(base, place=Place.ALT))


def _find_in_link(token: Token, key: str, base: Spot) -> Iterator[tuple[int, Spot]]:
    address = str(token.attrs.get(key, ""))
    if token.info == "auto":
        yield from _each(address, Spot(Place.AUTOLINK))
    whole = PLACEHOLDER.match(address) is not None
    if token.info != "auto":
        spot = replace(base, place=Place.LINK_URL, whole=whole)
        yield from _each(address, spot)
    yield from _each(str(token.attrs.get("title", "")), replace(base, place=Place.CAPTION))


def _find_in_inline_html(html: str, base: Spot) -> Iterator[tuple[int, Spot]]:
    found = find_in_tag(html) if _TAG_NAME.match(html) else find_in_html(html)
    for number, spot in found.items():
        yield number, replace(spot, in_table=base.in_table)


def _follow_tag(html: str, raw: str, code: int) -> tuple[str, int]:
    """The raw-text element and the depth of code elements after a tag."""
    match = _TAG_NAME.match(html)
    if match is None:
        return raw, code
    closing, name = match[1], match[2].lower()
    if name in RAW_TEXT:
        return ("" if closing else name), code
    return raw, max(0, code + code_step(html))


def _source(token: Token) -> str:
    return token.content + " ".join(str(value) for value in token.attrs.values())


def _each(text: str, spot: Spot) -> Iterator[tuple[int, Spot]]:
    for number in numbers_in(text):
        yield number, spot
