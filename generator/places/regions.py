"""Code and shortcode arguments that need other delimiters once their values are in."""

from __future__ import annotations

import re
from collections.abc import Callable

from generator.places.marks import PLACEHOLDER
from generator.spots import Spot
from generator.values.escape import STRICT_FENCES, entity, escape_markdown, fold_space

Raw = Callable[[int], str | None]
"""A value's unescaped text by its number; None for what can't stand in code."""
Region = tuple[int, int, str]
"""Start, end and new text of a stretch of the note."""
_OPENING = re.compile(r"\{\{[<%]")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_TICKS = re.compile(r"`+")


def _fill_raw(content: str, raw: Raw) -> tuple[str, str] | None:
    """The content with its values, and the values alone; None if one of them can't be filled."""
    parts = {int(match[1]): raw(int(match[1])) for match in PLACEHOLDER.finditer(content)}
    if any(part is None for part in parts.values()):
        return None
    filled = PLACEHOLDER.sub(lambda match: parts[int(match[1])] or "", content)
    return filled, "\n".join(part or "" for part in parts.values())


def _opens_shortcode(filled: str, content: str) -> bool:
    """Whether the values open a shortcode, alone or with what stands before them."""
    return _OPENING.subn("", filled)[1] > _OPENING.subn("", content)[1]


def rewrite_span(text: str, match: re.Match[str], spot: Spot, raw: Raw) -> Region | None:
    """The code span around a placeholder as a `<code>` element, if a value in it holds a backtick
    or opens a shortcode; None if it can stay as it is."""
    ticks = len(spot.quote)
    region = _span_around(text, match, ticks)
    if region is None:
        return None
    start, end = region
    content = text[start + ticks : end - ticks]
    filled = _fill_raw(content.replace(r"\|", "|") if spot.in_table else content, raw)
    if filled is None or _OPENING.search(content):
        return None
    if "`" not in filled[1] and not _opens_shortcode(filled[0], content):
        return None
    code = fold_space(filled[0]).strip()
    return start, end, f"<code>{escape_markdown(code)}</code>"


def _span_around(text: str, match: re.Match[str], ticks: int) -> tuple[int, int] | None:
    """Start and end of the code span around a match: the nearest runs of so many backticks."""
    runs = [run for run in _TICKS.finditer(text) if len(run[0]) == ticks]
    before = [run.start() for run in runs if run.end() <= match.start()]
    after = [run.end() for run in runs if run.start() >= match.end()]
    return (before[-1], after[0]) if before and after else None


def rewrite_fence(text: str, body: int, spot: Spot, raw: Raw) -> Region | None:
    """The code block around a spot: with a longer fence if a value holds one, as a `<pre>` element
    if a value opens a shortcode (Hugo runs those in fences too); None if it can stay as it is."""
    lines = _LINE.findall(text, body)
    first, behind = spot.lines
    block = lines[first:behind]
    content = "".join(block)
    filled = _fill_raw(content, raw)
    if filled is None or spot.name in STRICT_FENCES:
        return None
    start = body + sum(map(len, lines[:first]))
    end = start + len(content.rstrip("\r\n"))
    if _opens_shortcode(filled[0], content):
        return start, end, _write_pre(block, spot, raw)
    if not spot.quote or spot.quote[0] * 3 not in filled[1]:
        return None
    return start, end, _lengthen_fence(block, spot, filled[1], raw).rstrip("\r\n")


def _lengthen_fence(block: list[str], spot: Spot, values: str, raw: Raw) -> str:
    runs = re.findall(re.escape(spot.quote[0]) + "+", values)
    fence = spot.quote[0] * (max(len(spot.quote), *map(len, runs)) + 1)
    inner, closing = _inside(block, spot)
    filled = PLACEHOLDER.sub(
        lambda match: (raw(int(match[1])) or "").replace("\n", spot.after_newline + spot.prefix),
        "".join(inner),
    )
    opening = block[0].replace(spot.quote, fence, 1)
    return opening + filled + closing.replace(spot.quote, fence, 1)


def _inside(block: list[str], spot: Spot) -> tuple[list[str], str]:
    """The lines between the fences, and the closing fence, which a file's end may stand for."""
    if not spot.quote:
        return block, ""
    if len(block) > 1 and block[-1].strip(" \t\r\n>").startswith(spot.quote):
        return block[1:-1], block[-1]
    return block[1:], ""


def _write_pre(block: list[str], spot: Spot, raw: Raw) -> str:
    """The block as one line of HTML, which stays whole in a list or a quote."""
    width = len(spot.prefix)
    head = re.match(r"[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*", block[0])
    opening = head[0] if head and spot.quote else spot.prefix[:-4]
    inner, _ = _inside(block, spot)
    code = "".join(line[width:] if not line[:width].strip(" >") else line for line in inner)
    filled = _fill_raw(code.replace("\r\n", "\n"), raw)
    shown = filled[0] if filled else ""
    escaped = "".join(c if c.isalnum() or c in " _.," or ord(c) > 127 else entity(c) for c in shown)
    name = spot.name.partition("{")[0]
    kind = f' class="language-{name}" data-lang="{name}"' if name else ""
    return f"{opening}<pre><code{kind}>{escaped}</code></pre>"


def rewrite_argument(text: str, match: re.Match[str], spot: Spot, raw: Raw) -> Region | None:
    """A shortcode's argument that is one value, in the quotes that suit the value; None when those
    that stand there do."""
    number = int(match[1])
    value = raw(number)
    if value is None or not spot.whole or ("`" in value) == ("\\" in value):
        return None
    value = fold_space(value)
    margin = 1 if spot.quote else 0
    start, end = match.start() - margin, match.end() + margin
    if "`" not in value:
        return start, end, f"`{value}`"
    escaped = value.replace('"', '\\"')
    return start, end, f'"{escaped}"'
