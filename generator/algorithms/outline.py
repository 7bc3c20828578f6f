"""An algorithm's steps as an ordered Markdown list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from generator.algorithms.lines import INDENT, UNNUMBERED, Line

_OPENERS = {
    "For": "For {}:",
    "ForAll": "For all {}:",
    "While": "While {}:",
    "If": "If {}:",
    "ElsIf": "Otherwise, if {}:",
    "Else": "Otherwise:",
    "Repeat": "Repeat:",
}
_WORDS = {"Return": "Return {}", "Break": "Leave the loop", "Continue": "Go on with the next pass"}
_MATH = re.compile(r"\\\((.*?)\\\)", re.DOTALL)
_MARKUP = (
    (re.compile(r"\\textbf\{([^{}]*)\}"), r"**\1**"),
    (re.compile(r"\\text(?:it|sl)\{([^{}]*)\}"), r"*\1*"),
    (re.compile(r"\\texttt\{([^{}]*)\}"), r"`\1`"),
    (re.compile(r"\\text(?:sc|rm|sf|up|normal|md|lf)\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\Call\{([^{}]*)\}\{((?:\\.|[^{}\\])*)\}", re.IGNORECASE), r"\1(\2)"),
    (re.compile(r"\\(And|Or|Not|True|False|To)\b", re.IGNORECASE), lambda m: m[1].lower()),
    (re.compile(r"\\hspace\{[^{}]*\}\s*"), ""),
)


@dataclass(slots=True)
class _Item:
    step: int
    label: str
    parts: list[str] = field(default_factory=list)
    items: list[_Item] = field(default_factory=list)


def write_list(lines: Sequence[Line]) -> str:
    """The steps as `1. …`, nested where the algorithm is."""
    return "\n".join(_write_items(_build_items(lines), ""))


def number_items(lines: Sequence[Line]) -> dict[str, tuple[str, str]]:
    """Label → the number of its item in the list, `2.1` for the first below the second."""
    ranges: dict[str, tuple[str, str]] = {}
    for number, item in _walk(_build_items(lines), ""):
        if item.label:
            ranges[item.label] = (ranges.get(item.label, (number, ""))[0], number)
    return ranges


def _build_items(lines: Sequence[Line]) -> list[_Item]:
    levels: list[list[_Item]] = [[]]
    for line in lines:
        if line.command in UNNUMBERED:
            continue
        if line.command.startswith("End") or line.command == "Until":
            levels.pop()
            if line.command == "Until":
                levels[-1].append(_Item(line.step, line.label, [f"… until {_prose(line.text)}."]))
            continue
        if line.command in {"ElsIf", "Else"}:
            levels.pop()
        here = levels[-1]
        if not (here and here[-1].step == line.step and not here[-1].items):
            here.append(_Item(line.step, line.label))
        here[-1].parts.append(_prose(_phrase(line)))
        if line.command in _OPENERS:
            levels.append(here[-1].items)
    return levels[0]


def _phrase(line: Line) -> str:
    pattern = _OPENERS.get(line.command) or _WORDS.get(line.command, "{}")
    return pattern.replace("{}", line.text.removeprefix(INDENT)).strip()


def _write_items(items: Sequence[_Item], indent: str) -> Iterator[str]:
    for number, item in enumerate(items, start=1):
        mark = f"{number}. "
        yield f"{indent}{mark}{' '.join(part for part in item.parts if part)}"
        yield from _write_items(item.items, indent + " " * len(mark))


def _walk(items: Sequence[_Item], prefix: str) -> Iterator[tuple[str, _Item]]:
    for number, item in enumerate(items, start=1):
        yield f"{prefix}{number}", item
        yield from _walk(item.items, f"{prefix}{number}.")


def _prose(text: str) -> str:
    """Pseudocode text as Markdown: formulas stay, font commands become emphasis."""
    pieces = []
    position = 0
    for formula in _MATH.finditer(text):
        pieces.append(text[position : formula.start()])
        pieces.append(formula.group())
        position = formula.end()
    pieces.append(text[position:])
    masked = "".join(p if i % 2 == 0 else f"\0{i}\0" for i, p in enumerate(pieces))
    for pattern, replacement in _MARKUP:
        masked = pattern.sub(replacement, masked)
    return re.sub("\0(\\d+)\0", lambda m: pieces[int(m[1])], masked)
