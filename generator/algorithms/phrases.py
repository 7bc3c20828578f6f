"""Pieces of LaTeX with their binding strength, and how to join them."""

from __future__ import annotations

from dataclasses import dataclass

OR, AND, NOT, RELATION, SUM, PRODUCT, POWER, ATOM = range(8)
"""Binding strengths, from loose to tight."""


class UntranslatableError(Exception):
    """Code that has no formula here; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A formula and how tightly its outermost operator binds."""

    latex: str
    """LaTeX."""
    level: int = ATOM
    """Binding strength of its outermost operator."""
    row: bool = False
    """Whether it is a vector written as a row."""

    def at(self, level: int) -> str:
        """The formula, in brackets if it binds less tightly than `level`."""
        return self.latex if self.level >= level else wrap(self.latex)


def wrap(latex: str) -> str:
    tall = any(command in latex for command in (r"\frac", r"\sum", r"\prod", r"\begin"))
    return rf"\left( {latex} \right)" if tall else f"({latex})"


def join_product(left: Phrase, right: Phrase) -> Phrase:
    """Juxtaposition, with a dot before digits."""
    a, b = left.at(PRODUCT), right.at(PRODUCT)
    if left.latex.startswith("-"):
        a = left.latex
    if right.latex.startswith("-"):
        b = wrap(right.latex)
    dotted = b[0].isdigit()
    big = a.startswith((r"\sum", r"\prod")) or r" \sum" in a
    if big and left.level == PRODUCT:
        a = wrap(a)
    return Phrase(rf"{a} \cdot {b}" if dotted else f"{a} {b}", PRODUCT)


def attach_index(base: str, indices: list[str]) -> str:
    """`A` and `i, j` → `A_{ij}`; a base that has an index already is put in brackets."""
    letters = all(len(index) == 1 and index.isalpha() for index in indices)
    text = ("" if letters else ",").join(indices)
    if "_" in base or "^" in base or " " in base or base.endswith("'"):
        base = wrap(base)
    return f"{base}_{text}" if len(text) == 1 else f"{base}_{{{text}}}"
