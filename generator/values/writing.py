"""One value, written and escaped for where it stands."""

from __future__ import annotations

import re

from generator.spots import MATH, REFUSING, Place, Spot
from generator.values.escape import (
    STRICT_FENCES,
    check_text,
    entity,
    escape_html,
    escape_html_text,
    escape_markdown,
    escape_tex,
    escape_title,
    escape_url,
    fold_space,
)
from generator.values.kinds import Md, Refused, Tex
from generator.values.plain import is_single_number, write_plain

_MATH = re.compile(r"\\[(\[]|\\begin\{|\$.*\$", re.DOTALL)
_WORDS = re.compile(r"[\w .,()+-]*")
_BARE_ARGUMENT = re.compile(r"-?\d+|-?\d+\.\d*[1-9]|true|false")
_HARMLESS = re.compile(r"[\w \u00a0\u202f.,()%±×·∞…°µ⁻/\u2212+-]*")
_MARKDOWN = frozenset({Place.PROSE, Place.HEADING, Place.TABLE_CELL, Place.LINK_TEXT, Place.BLOCK})


def write_value(value: object, place: Place | Spot, *, digits: int) -> str:
    """The value as source text for its place. `digits` is the site's number of significant digits.
    Raises `Refused` with a message and a hint where it can't be written so that it reads the same.
    """
    spot = Spot(place) if isinstance(place, Place) else place
    if hint := REFUSING.get(spot.place):
        raise Refused(f"a value can't stand in {spot.place.value}", hint)
    if isinstance(value, Tex):
        return write_tex(value, spot)
    if isinstance(value, Md):
        return write_markdown(value, spot)
    if isinstance(value, str):
        return write_text(value, spot)
    text = write_plain(value, spot.notation, digits)
    return text if spot.place in MATH else _place_plain(text, value, spot)


def write_tex(tex: Tex, spot: Spot) -> str:
    """Typed LaTeX: math wherever math can stand, source text in code."""
    source = tex.source
    if any(close in source for close in ("$", r"\)", r"\]", r"\(", r"\[")):
        raise Refused("typed LaTeX holds a math delimiter", "leave `$`, `\\(` and `\\)` out of it")
    if spot.place is Place.CODE_FENCE and spot.name == "pseudo-algorithm":
        return rf"\({source}\)"
    if spot.place in (Place.CODE_SPAN, Place.CODE_FENCE, Place.SHORTCODE_ARG, Place.HTML_ATTR):
        return write_text(source, spot)
    if spot.place in (Place.ALT, Place.CAPTION, Place.LINK_URL):
        raise Refused(f"LaTeX can't stand in {spot.place.value}", "write it in words")
    if "{{<" in source or "{{%" in source or "\n\n" in source:
        raise Refused("typed LaTeX holds a blank line or `{{<`", "write `{ {`, or take it out")
    if spot.place is not Place.FRONT_MATTER:
        if spot.in_table:
            source = source.replace(r"\|", r"\Vert ").replace("|", r"\vert ")
        source = source.replace("<", r"\lt ").replace(">", r"\gt ")
    return source if spot.place in MATH else rf"\({source}\)"


def write_markdown(markdown: Md, spot: Spot) -> str:
    """Trusted inline Markdown, where inline Markdown is read."""
    if spot.place not in _MARKDOWN:
        raise Refused(f"Markdown can't stand in {spot.place.value}", "return plain text")
    return markdown.source


def write_text(text: str, place: Place | Spot) -> str:
    """Plain text, so that the page shows exactly it (white space aside)."""
    spot = Spot(place) if isinstance(place, Place) else place
    check_text(text)
    match spot.place:
        case Place.MATH_INLINE | Place.MATH_DISPLAY:
            return escape_tex(text)
        case Place.CODE_SPAN | Place.CODE_FENCE:
            return _write_code(text, spot)
        case Place.FRONT_MATTER:
            return _check_no_math(text)
        case Place.LINK_URL:
            return escape_url(text, whole=spot.whole)
        case Place.ALT:
            return escape_markdown(text, spans=False, in_table=spot.in_table)
        case Place.CAPTION:
            return escape_title(text)
        case Place.HTML_TEXT:
            return escape_html_text(text)
        case Place.HTML_ATTR:
            return _write_attribute(text, spot)
        case Place.SHORTCODE_ARG:
            return _write_argument(text, spot)
    if hint := REFUSING.get(spot.place):
        raise Refused(f"a value can't stand in {spot.place.value}", hint)
    in_table = spot.in_table or spot.place is Place.TABLE_CELL
    return _guard_list(text, spot) or escape_markdown(text, in_table=in_table)


def _check_no_math(text: str) -> str:
    """Front matter is shown as it is, so what a theme typesets there can't be told from text."""
    if _MATH.search(text):
        raise Refused(
            "the text would be typeset as math where the front matter is shown",
            "return `Tex(…)` if it is meant as math; if not, write it in words",
        )
    return text


def _write_code(text: str, spot: Spot) -> str:
    if "{{<" in text or "{{%" in text:
        raise Refused("Hugo runs `{{<` and `{{%` in code too", "return a `Listing` of this text")
    if spot.place is Place.CODE_FENCE:
        if spot.name in STRICT_FENCES and not _WORDS.fullmatch(text):
            hint = "only letters, digits, spaces and . , ( ) - are safe in it"
            raise Refused(f"this text can't stand in a `{spot.name}` fence", hint)
        if spot.quote and spot.quote in text:
            raise Refused("the text would end the fence", "return a `Listing` of this text")
        return text.replace("\r\n", "\n").replace("\n", spot.after_newline + spot.prefix)
    if "`" in text:
        raise Refused("a backtick would end the code span", "return it without backticks")
    text = fold_space(text)
    return text.replace("|", r"\|") if spot.in_table else text


def _write_attribute(text: str, spot: Spot) -> str:
    if spot.name.startswith("on") or spot.name in ("style", "srcdoc"):
        raise Refused(f"a value can't stand in the attribute `{spot.name}`", "use a class")
    if spot.name.endswith(("href", "src", "action", "cite", "poster")):
        return escape_url(text, whole=spot.whole)
    written = escape_html(fold_space(text))
    if spot.quote:
        return written
    return "".join(entity(char) if char.isspace() else char for char in written)


def _write_argument(text: str, spot: Spot) -> str:
    text = fold_space(text)
    if spot.quote == "`":
        if "`" in text:
            raise Refused("a backtick would end the argument", 'quote the argument with `"`')
        return text
    if "\\" in text and ('"' in text or "`" in text or text.endswith("\\")):
        raise Refused("quotes and backslashes don't mix in an argument", "leave one of them out")
    text = text.replace('"', r"\"")
    return text if spot.quote else f'"{text}"'


def _place_plain(text: str, value: object, spot: Spot) -> str:
    """A number, date, truth value or list, whose characters are mostly harmless."""
    if spot.place in _MARKDOWN and is_single_number(value) and _HARMLESS.fullmatch(text):
        return _guard_list(text, spot) or text
    if spot.place is Place.SHORTCODE_ARG and not spot.quote and _BARE_ARGUMENT.fullmatch(text):
        return text
    return write_text(text, spot)


def _guard_list(text: str, spot: Spot) -> str:
    """Digits that would open a list with the `.` behind them, safe; empty for all else."""
    if spot.line_start and spot.after[:1] in (".", ")") and text.isdigit() and text.isascii():
        return entity(text[0]) + text[1:]
    return ""
