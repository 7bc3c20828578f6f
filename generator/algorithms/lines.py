"""The lines of a printed algorithm, and how readers see them numbered."""

from __future__ import annotations

from collections.abc import Sequence

from generator.frozen import dataclass

UNNUMBERED = frozenset({"Require", "Ensure", "Input", "Output"})
BRACED = frozenset({"If", "ElsIf", "For", "ForAll", "While", "Until"})
INDENT = r"\hspace{0.5cm} "


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an `algorithmic` environment."""

    command: str
    """The construct, without its backslash: `State`, `For`, `EndFor`, …"""
    text: str = ""
    r"""What follows it: words and `\(…\)` formulas."""
    depth: int = 0
    """How many constructs it stands in."""
    step: int = 0
    """The step that it belongs to, from 1; 0 for `Require` and `Ensure`."""
    label: str = ""
    """The step's label."""

    def to_tex(self) -> str:
        text = f" {self.text}" if self.text else ""
        if self.command in BRACED:
            text = f"{{{self.text}}}"
        return f"{'  ' * self.depth}\\{self.command}{text}"


@dataclass(frozen=True, slots=True)
class Listing:
    """The source of an algorithm, as it stands in its file."""

    text: str = ""
    """The function, comments and docstring included."""
    bare: str = ""
    """The same without decorator, docstring and comments."""
    first: int = 1
    """Line of the file on which it starts."""


def build_lines(
    require: Sequence[str], ensure: Sequence[str], steps: Sequence[str | tuple[str, str]]
) -> tuple[Line, ...]:
    """Lines for an algorithm that is given as text."""
    lines = [Line("Require", text) for text in require]
    lines += [Line("Ensure", text) for text in ensure]
    for number, step in enumerate(steps, start=1):
        label, text = ("", step) if isinstance(step, str) else step
        lines.append(Line("State", text, step=number, label=label))
    return tuple(lines)


def number_lines(lines: Sequence[Line]) -> dict[str, tuple[int, int]]:
    """Label → the first and last line number of its step, as pseudocode.js counts them."""
    ranges: dict[str, tuple[int, int]] = {}
    number = 0
    for line in lines:
        if line.command in UNNUMBERED:
            continue
        number += 1
        if line.label:
            ranges[line.label] = (ranges.get(line.label, (number, 0))[0], number)
    return ranges


def check_lines(caption: str, lines: Sequence[Line]) -> list[tuple[int, str, str]]:
    """What pseudocode.js can't read: the line's position (-1 the caption), message, hint."""
    from generator.algorithms.pseudocode import check_text

    texts = [(-1, caption), *((position, line.text) for position, line in enumerate(lines))]
    found = [(at, message, hint) for at, text in texts for message, hint in check_text(text)]
    if not any(line.step for line in lines):
        found.append((-1, "the algorithm has no steps", ""))
    return found


def write_algorithm(caption: str, lines: Sequence[Line]) -> str:
    """The fence that the theme renders."""
    head = ["```pseudo-algorithm", r"\begin{algorithm}[H]", f"\\caption{{{caption}}}"]
    tail = [r"\end{algorithmic}", r"\end{algorithm}", "```"]
    body = [r"\begin{algorithmic}[1]", *(line.to_tex() for line in lines)]
    return "\n".join(head + body + tail)
