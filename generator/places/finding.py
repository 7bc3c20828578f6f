"""From a note's text to the spot of each placeholder in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from generator.places.inline import Surroundings, find_in_inline
from generator.places.marks import PLACEHOLDER, numbers_in
from generator.places.markup import find_in_html
from generator.places.matter import find_in_matter, split_matter
from generator.places.passthrough import add_passthrough
from generator.places.shortcodes import replace_shortcodes
from generator.spots import Place, Spot

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_MATH_IN_CODE = re.compile(r"\\\((.*?)\\\)|\$(.*?)\$", re.DOTALL)


@cache
def markdown_parser() -> MarkdownIt:
    """A parser that reads what Goldmark, as SciDraft sets it up, reads."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.footnote import footnote_plugin

    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"]).use(footnote_plugin)
    add_passthrough(parser)
    return parser


def find_places(text: str) -> dict[int, Spot]:
    """Where each placeholder of a whole note stands, front matter included. One that Markdown drops
    is at `Place.UNKNOWN`."""
    spots: dict[int, Spot] = dict.fromkeys(numbers_in(text), Spot(Place.UNKNOWN))
    if not spots:
        return {}
    head, body = split_matter(text)
    if PLACEHOLDER.search(head):
        spots.update(find_in_matter(head))
    if PLACEHOLDER.search(body):
        spots.update(_find_in_body(body))
    return spots


def _find_in_body(body: str) -> dict[int, Spot]:
    source, spots = replace_shortcodes(body.replace("\r\n", "\n").replace("\r", "\n"))
    env: dict[str, dict[str, dict[str, str]]] = {}
    tokens = markdown_parser().parse(source, env)
    lines = source.split("\n")
    spots.update(_find_in_references(env))
    spots.update(_find_in_tokens(tokens, lines))
    return spots


def _find_in_references(env: dict[str, dict[str, dict[str, str]]]) -> Iterator[tuple[int, Spot]]:
    for reference in env.get("references", {}).values():
        address = reference.get("href", "")
        whole = PLACEHOLDER.match(address) is not None
        for number in numbers_in(address):
            yield number, Spot(Place.LINK_URL, whole=whole)
        for number in numbers_in(reference.get("title", "")):
            yield number, Spot(Place.CAPTION)


def _find_in_tokens(tokens: list[Token], lines: list[str]) -> Iterator[tuple[int, Spot]]:
    place, in_table = Place.PROSE, False
    for index, token in enumerate(tokens):
        match token.type:
            case "heading_open":
                place = Place.HEADING
            case "th_open" | "td_open":
                place, in_table = Place.TABLE_CELL, True
            case "paragraph_open":
                place = Place.PROSE
            case "table_close":
                in_table = False
            case "inline":
                alone = PLACEHOLDER.fullmatch(token.content.strip())
                if alone and place is Place.PROSE and token.map and not in_table:
                    hidden = tokens[index - 1].type == "paragraph_open"
                    if hidden:
                        yield int(alone[1]), _block_spot(lines[token.map[0]])
                        continue
                yield from find_in_inline(token, Surroundings(place, in_table))
            case "fence" | "code_block":
                yield from _find_in_code(token, lines)
            case "html_block":
                yield from find_in_html(token.content).items()


def _block_spot(line: str) -> Spot:
    """A placeholder with a paragraph to itself, with the prefix of the lines to follow."""
    return Spot(Place.BLOCK, whole=True, line_start=True, prefix=continue_prefix(line))


def continue_prefix(line: str) -> str:
    """What a line after this one starts with, in the same list item or quote."""
    match = PLACEHOLDER.search(line)
    head = line[: match.start()] if match else ""
    return re.sub(r"[^>\s]", " ", head)


def _find_in_code(token: Token, lines: list[str]) -> Iterator[tuple[int, Spot]]:
    for number in numbers_in(token.info):
        yield number, Spot(Place.FENCE_INFO)
    language = token.info.split(maxsplit=1)[0] if token.info.strip() else ""
    prefix = _fence_prefix(token, lines)
    for number in numbers_in(token.content):
        yield (
            number,
            Spot(
                Place.CODE_FENCE,
                name=language,
                prefix=prefix,
                quote=token.markup,
                lines=(token.map[0], token.map[1]) if token.map else (0, 0),
            ),
        )
    if language == "pseudo-algorithm":
        for match in _MATH_IN_CODE.finditer(token.content):
            for number in numbers_in(match[0]):
                yield number, Spot(Place.MATH_INLINE)


def _fence_prefix(token: Token, lines: list[str]) -> str:
    if not token.map:
        return ""
    line = lines[token.map[0]]
    if token.type == "fence":
        head = line[: line.find(token.markup)] if token.markup in line else ""
        return re.sub(r"[^>\s]", " ", head)
    marks = re.match(r"[\s>]*", line)
    own = len(token.content) - len(token.content.lstrip(" "))
    return marks[0][: len(marks[0]) - own] if marks else ""
