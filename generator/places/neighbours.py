"""What stands around a value, and what it asks of the value."""

from __future__ import annotations

import re
from dataclasses import replace

from generator.spots import MATH, Place, Spot
from generator.values import Refused

_UNSIGNED = re.compile(r"[\d.]+|[A-Za-z]|\\[A-Za-z]+")
_OPENING = re.compile(r"\w[*_~]+\Z")
_CLOSING = re.compile(r"[*_~]+(?=\w)")


def may_be_empty(spot: Spot) -> bool:
    """Whether nothing at all can stand here without changing what stands around it."""
    if spot.place in (Place.LINK_URL, Place.LINK_TEXT, Place.CODE_SPAN):
        return False
    glued = "*_~^`[]("
    return not (spot.before in glued and spot.after[:1] in glued and spot.before and spot.after)


def fit_math(written: str, spot: Spot) -> str:
    """Braces around what `^` or `_` would take the first character of, brackets around what a power
    would take the last one of, a space where a letter would lengthen a command."""
    if spot.after[:1] == "^" and not _UNSIGNED.fullmatch(written):
        return f"({written})"
    if spot.before in ("^", "_") and len(written) > 1:
        return f"{{{written}}}"
    if written[:1].isalpha() and spot.before.isalpha():
        return " " + written
    return written


def look_around(text: str, match: re.Match[str], spot: Spot) -> Spot:
    """The spot with its neighbours in the source."""
    start, end = match.span()
    line = text[text.rfind("\n", 0, start) + 1 : start]
    opens = not line.strip(" \t>-*+") or re.fullmatch(r"[\s>]*\d+[.)]\s+", line) is not None
    newline = "\r\n" if "\r\n" in text[:end] or text[end : end + 2] == "\r\n" else "\n"
    opening = _OPENING.search(text, max(0, start - 9), start) if spot.emphasised else None
    closing = _CLOSING.match(text, end) if spot.emphasised else None
    return replace(
        spot,
        before=text[start - 1 : start],
        after=text[end : end + 2],
        line_start=spot.line_start or opens,
        after_newline=newline,
        word_before=opening is not None,
        word_after=closing is not None,
    )


def check_emphasis(written: str, spot: Spot) -> None:
    """Refuse `AAA**(a)**ZZZ`, which is not bold: a mark may not meet the inner side of stars whose
    outer side meets a word."""
    starts = spot.word_before and not written[:1].isalnum()
    ends = spot.word_after and not written[-1:].isalnum()
    if spot.place not in MATH and (starts or ends):
        raise Refused(
            "a value that starts or ends with a mark can't be emphasised within a word",
            "put spaces around the emphasis",
        )
