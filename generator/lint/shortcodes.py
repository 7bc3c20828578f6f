"""Shortcodes, which Hugo expands before it reads Markdown: inside fences and formulas too."""

from __future__ import annotations

import re
from typing import Literal

from generator.frozen import dataclass

_OPEN = re.compile(r"\{\{([<%])(/\*)?")
_NAME = re.compile(r"[ \t\r\n]*(/)?[ \t\r\n]*([^\s<>%/\"`=]+(?:/[^\s<>%/\"`=]+)*)?")
_ARGUMENT = re.compile(
    r"\s*(?:(?P<key>[\w-]+)\s*=\s*)?(?:\"(?P<double>(?:[^\"\\]|\\.)*)\"|`(?P<raw>[^`]*)`"
    r"|(?P<bare>[^\s\"`=]+))"
)


@dataclass(frozen=True, slots=True)
class Shortcode:
    """One tag of a shortcode."""

    kind: Literal["open", "close", "single", "comment", "broken"]
    """`single` closes itself; `comment` is shown, not run; `broken` never ends."""
    name: str
    """Its name, without slash."""
    start: int
    """Offset in the note."""
    end: int
    """Offset after it."""
    mark: str
    """`<` or `%`."""
    arguments: tuple[tuple[str, str], ...] = ()
    """Its arguments, key and value; the key of a positional one is empty."""
    fault: str = ""
    """Why it is broken."""

    def argument(self, key: str, position: int = -1) -> str | None:
        """A named argument, or the positional one."""
        for name, value in self.arguments:
            if name == key:
                return value
        bare = [value for name, value in self.arguments if not name]
        return bare[position] if 0 <= position < len(bare) else None


def read_shortcodes(text: str, offset: int = 0) -> tuple[Shortcode, ...]:
    """All shortcode tags of a text from `offset` on, in order."""
    found: list[Shortcode] = []
    position = offset
    while opened := _OPEN.search(text, position):
        shortcode = _read_one(text, opened)
        found.append(shortcode)
        position = shortcode.end
    return tuple(found)


def _read_one(text: str, opened: re.Match[str]) -> Shortcode:
    mark = opened[1]
    closing = {"<": ">}}", "%": "%}}"}[mark]
    start = opened.start()
    if opened[2]:
        end = text.find("*/" + closing, opened.end())
        stop = end + 2 + len(closing) if end >= 0 else opened.end()
        kind: Literal["comment", "broken"] = "comment" if end >= 0 else "broken"
        fault = "" if end >= 0 else f"`{opened[0]}` is never closed by `*/{closing}`"
        return Shortcode(kind, "", start, stop, mark, fault=fault)
    end = _find_end(text, opened.end(), closing)
    if end < 0:
        fault = f"`{opened[0]}` is never closed by `{closing}`"
        return Shortcode("broken", "", start, opened.end(), mark, fault=fault)
    inside = text[opened.end() : end]
    named = _NAME.match(inside)
    name = (named[2] or "") if named else ""
    rest = inside[named.end() :] if named else inside
    stop = end + len(closing)
    if not re.fullmatch(r"[\w./-]+", name):
        fault = f"`{text[start:stop]}` names no shortcode"
        return Shortcode("broken", name, start, stop, mark, fault=fault)
    if named and named[1]:
        return Shortcode("close", name, start, stop, mark)
    single = rest.rstrip().endswith("/")
    arguments = _read_arguments(rest.rstrip().removesuffix("/"))
    return Shortcode("single" if single else "open", name, start, stop, mark, arguments)


def _find_end(text: str, start: int, closing: str) -> int:
    """The closing mark, but not one inside a quoted argument or beyond another opening."""
    position, quote = start, ""
    while position < len(text):
        character = text[position]
        if quote:
            if character == "\\" and quote == '"':
                position += 1
            elif character == quote:
                quote = ""
        elif text.startswith(closing, position):
            return position
        elif character in '"`':
            quote = character
        elif _OPEN.match(text, position):
            return -1
        position += 1
    return -1


def _read_arguments(text: str) -> tuple[tuple[str, str], ...]:
    arguments = []
    for found in _ARGUMENT.finditer(text):
        value = next(found[name] for name in ("double", "raw", "bare") if found[name] is not None)
        arguments.append((found["key"] or "", value))
    return tuple(arguments)


def mask_shortcodes(text: str, shortcodes: tuple[Shortcode, ...]) -> str:
    """The text with every shortcode blotted out, of the same length and with the same lines."""
    pieces, position = [], 0
    for shortcode in shortcodes:
        if shortcode.kind == "broken":
            continue
        pieces.append(text[position : shortcode.start])
        pieces.append(re.sub(r"[^\r\n]", "x", text[shortcode.start : shortcode.end]))
        position = shortcode.end
    return "".join(pieces) + text[position:]
