"""Pieces of LaTeX with their binding strength, and how to join them."""

from __future__ import annotations

from generator.frozen import dataclass

OR, AND, NOT, RELATION, SUM, ELEMENT, PRODUCT, POWER, ATOM = range(9)
"""Binding strengths, from loose to tight; `\\odot` and its like bind less than juxtaposition."""


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
    is_open: bool = False
    """Whether it ends in a sum or its like, which would take in any factor behind it."""

    def at(self, level: int) -> str:
        """The formula, in brackets if it binds less tightly than `level`, or is open."""
        if self.is_open and level > SUM:
            return wrap(self.latex)
        return self.last(level)

    def last(self, level: int) -> str:
        """The same where nothing follows that an open formula could take in."""
        return self.latex if self.level >= level else wrap(self.latex)


def wrap(latex: str) -> str:
    tall = any(command in latex for command in (r"\frac", r"\sum", r"\prod", r"\begin"))
    return rf"\left( {latex} \right)" if tall else f"({latex})"


def join_product(left: Phrase, right: Phrase) -> Phrase:
    """Juxtaposition, with a dot before digits."""
    a = left.latex if left.latex.startswith("-") and not left.is_open else left.at(PRODUCT)
    b = wrap(right.latex) if right.latex.startswith("-") else right.last(PRODUCT)
    text = rf"{a} \cdot {b}" if b[0].isdigit() else f"{a} {b}"
    return Phrase(text, PRODUCT, is_open=right.is_open and b == right.latex)


def attach_index(base: str, indices: list[str]) -> str:
    """`A` and `i, j` → `A_{ij}`; a base that has an index already is put in brackets."""
    letters = all(len(index) == 1 and index.isalpha() for index in indices)
    text = ("" if letters else ",").join(indices)
    if "_" in base or "^" in base or " " in base or base.endswith("'"):
        base = wrap(base)
    return f"{base}_{text}" if len(text) == 1 else f"{base}_{{{text}}}"
