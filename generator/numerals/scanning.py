"""The numerals in a template's running text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.frozen import dataclass
from generator.numerals.readable import find_readable

_SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")

_NUMERAL = re.compile(
    r"(?<![\w\x01.,/#§:^_\\])(?P<sign>(?<![\d)}\]])[-\u2212])?"
    r"(?P<mantissa>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\{,\}\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?P<power>[eE][-+]?\d+|\s?(?:×|\\times|\\cdot)\s?10(?:\^\{?[-\u2212]?\d+\}?|[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?"
    r"(?P<percent>(?:[ \u202f\u00a0]|\\,)?\\?%)?"
    r"(?![\w\x01]|[.,:/]\d|-[A-Za-z]|\^|\}\^)"
)
_NAMED = re.compile(
    r"(?:\b(?:sections?|sec|chapters?|figures?|fig|tables?|equations?|eqs?|theorem|lemma|definition"
    r"|algorithms?|steps?|lines?|pages?|pp?|versions?|python|numpy|hugo|cuda|pytorch|jax|katex"
    r"|mathjax|mermaid|release|appendix|example|part)\b\.?|§)[\s~]*(?:\d[\d.,–-]*\s*(?:and|to|,)?\s*)*$",
    re.IGNORECASE,
)
_COMPOUND = re.compile(r"[A-Za-z]-$")
_SCRIPT = re.compile(r"[_^]\{[^{}]*$|[\^_]$")


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in the running text of a template."""

    start: int
    """Offset of its first character."""
    end: int
    """Offset behind its last."""
    text: str
    """As typed."""
    literal: str
    """As `claim` reads it: `3.2e-7`."""
    in_math: bool
    """Whether it is part of a formula."""
    in_script: bool
    """Whether it is an exponent or an index, which are rarely results."""


def scan_numerals(template: str) -> Iterator[Numeral]:
    """Every numeral that could be somebody's business."""
    readable = find_readable(template)
    for match in _NUMERAL.finditer(readable.text):
        start, end = match.span()
        head = readable.text[readable.text.rfind("\n", 0, start) + 1 : start]
        in_script = _SCRIPT.search(head) is not None
        is_index = in_script and "." not in match["mantissa"]
        if is_index or _is_name(head, match["mantissa"], readable.text[end : end + 2]):
            continue
        in_math = readable.is_math(start)
        yield Numeral(start, end, template[start:end], _literal(match), in_math, in_script)


def _literal(match: re.Match[str]) -> str:
    power = re.sub(r"^\s?(?:×|\\times|\\cdot)\s?10", "e", match["power"] or "")
    power = re.sub(r"[\^{}+]", "", power.translate(_SUPERSCRIPTS).replace("\u2212", "-"))
    mantissa = match["mantissa"].replace("{,}", ",")
    return ("-" if match["sign"] else "") + mantissa + power + ("%" if match["percent"] else "")


def _is_name(head: str, mantissa: str, tail: str) -> bool:
    """Whether the digits between `head` and `tail` are part of a name, a date or a list marker."""
    if _COMPOUND.search(head) or _NAMED.search(head):
        return True
    if not head.strip(" \t>") and re.match(r"[.)](?:\s|$)", tail):
        return True
    return re.match(r"-\d", tail) is not None and re.match(r"\d{4}", mantissa) is not None
