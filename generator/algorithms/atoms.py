"""An algorithm's text as atoms: words, formulas, commands, braces."""

from __future__ import annotations

import re

from generator.algorithms.cleaned import Cleaned
from generator.algorithms.katex import check_math
from generator.algorithms.pseudocode_hints import hint_for
from generator.frozen import dataclass

_SPECIAL = re.compile(r"\\\\|\\[{}$&#%_]")


_FUNCTION = re.compile(r"\\([A-Za-z]+)")


_QUOTE = re.compile(r"``|`|''|'")


_ORDINARY = re.compile(r"[^\\{}$&#%_\s]+")


class SyntaxFaultError(Exception):
    """The first thing that stops the parser."""

    def __init__(self, offset: int, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.offset = offset
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Atom:
    """One lexical unit."""

    kind: str
    """word, math, special, quote, function, a brace, or end."""
    text: str
    """Its text; of a command without the backslash, of a formula without its signs."""
    offset: int
    """Where it starts in the cleaned text."""


def read_atoms(cleaned: Cleaned, found: list[tuple[int, str, str]]) -> list[Atom]:
    """Atoms; formulas are checked on the way, and comments, which would hide text, told."""
    text, position = cleaned.text, 0
    atoms: list[Atom] = []
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        if text[position] == "%":
            end = text.find("\n", position)
            end = len(text) if end < 0 else end
            found.append((position, "a bare `%` hides the rest of its line", r"write `\%`"))
            position = end
            continue
        atom, position = _read_atom(text, position, found)
        atoms.append(atom)
    atoms.append(Atom("end", "", len(text)))
    return atoms


def _read_atom(text: str, position: int, found: list[tuple[int, str, str]]) -> tuple[Atom, int]:
    special = _SPECIAL.match(text, position)
    if special:
        return Atom("special", special.group(), position), special.end()
    for start, end in (("$", "$"), (r"\(", r"\)")):
        if text.startswith(start, position):
            return _read_math(text, position, start, end, found)
    for kind, pattern in (("function", _FUNCTION), ("quote", _QUOTE), ("word", _ORDINARY)):
        match = pattern.match(text, position)
        if match:
            return Atom(
                kind, match[1] if kind == "function" else match.group(), position
            ), match.end()
    if text[position] in "{}":
        return Atom(text[position], text[position], position), position + 1
    broken = re.match(r"\\.?", text[position:]) or re.match(".", text[position:])
    assert broken is not None
    raise SyntaxFaultError(
        position, f"`{broken.group()}` is not read in text", hint_for(broken.group())
    )


def _read_math(
    text: str, position: int, start: str, end: str, found: list[tuple[int, str, str]]
) -> tuple[Atom, int]:
    inside = position + len(start)
    at = text.find(end, inside)
    while at > inside and text[at - 1] == "\\":
        at = text.find(end, at + len(end))
    if at < 0:
        raise SyntaxFaultError(position, "a formula is not closed", f"end it with `{end}`")
    formula = text[inside:at]
    if formula:
        found += [(inside + offset, m, h) for offset, m, h in check_math(formula)]
    else:
        found.append((position, "an empty formula", r"`$$` is not read here: write `\(…\)`"))
    return Atom("math", formula, position), at + len(end)


def raw_text(atom: Atom) -> str:
    return f"\\{atom.text}" if atom.kind == "function" else atom.text


def describe_atom(atom: Atom) -> str:
    return "the end" if atom.kind == "end" else f"`{raw_text(atom)}`"
