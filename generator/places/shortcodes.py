"""Places in shortcodes, which Hugo takes out before Markdown is read."""

from __future__ import annotations

import re

from generator.places.marks import PLACEHOLDER, numbers_in
from generator.spots import Place, Spot

_SHORTCODE = re.compile(r"\{\{(?P<kind>[<%])(?P<inside>.*?)(?:>|%)\}\}", re.DOTALL)
_ARGUMENT = re.compile(
    r"(?:(?P<name>[\w-]+)\s*=\s*)?"
    r"(?:\"(?P<double>(?:[^\"\\]|\\.)*)\"|`(?P<raw>[^`]*)`|(?P<bare>[^\s\"`=]+))"
)
_NAME = re.compile(r"\s*/?\s*(?P<name>[\w/.-]+)")


def replace_shortcodes(body: str) -> tuple[str, dict[int, Spot]]:
    """The text for a Markdown parser, and the spots inside shortcodes. A shortcode on a line of its
    own that opens or closes a region becomes an empty line: Hugo renders the region by itself.
    """
    closed = {
        name[1]
        for match in _SHORTCODE.finditer(body)
        if (name := re.match(r"\s*/\s*([\w/.-]+)", match["inside"]))
    }
    spots: dict[int, Spot] = {}

    def take_out(match: re.Match[str]) -> str:
        spots.update(_find_in_shortcode(match["inside"]))
        name = _NAME.match(match["inside"])
        lines = "\n" * match[0].count("\n")
        alone = _is_alone(body, match.start(), match.end())
        if alone and name and name["name"] in closed:
            return lines
        return "zshortcodez" + lines

    return _SHORTCODE.sub(take_out, body), spots


def _is_alone(text: str, start: int, end: int) -> bool:
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    return not text[line_start:start].strip() and not text[end : line_end % (len(text) + 1)].strip()


def _find_in_shortcode(inside: str) -> dict[int, Spot]:
    if inside.lstrip().startswith("/*"):
        return dict.fromkeys(numbers_in(inside), Spot(Place.COMMENT))
    spots = dict.fromkeys(numbers_in(inside), Spot(Place.TAG))
    name = _NAME.match(inside)
    for match in _ARGUMENT.finditer(inside, name.end() if name else 0):
        value = next(v for v in (match["double"], match["raw"], match["bare"]) if v is not None)
        quote = '"' if match["double"] is not None else "`" if match["raw"] is not None else ""
        whole = PLACEHOLDER.fullmatch(value) is not None
        if not quote and not whole:
            continue
        for number in numbers_in(value):
            spots[number] = Spot(
                Place.SHORTCODE_ARG, name=match["name"] or "", quote=quote, whole=whole
            )
    return spots
