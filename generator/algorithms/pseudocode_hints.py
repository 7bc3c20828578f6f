"""What to write instead of what pseudocode.js does not read."""

from __future__ import annotations

from generator.algorithms.words import words
from generator.errors import near_names

_HINTS = {
    r"\statex": r"use `\State`; every line is numbered",
    r"\foreach": r"use `\ForAll{…}`",
    r"\loop": r"use `\While{\True}` or `\Repeat … \Until{…}`",
    r"\endloop": r"use `\EndWhile`",
    r"\emph": r"use `\textit{…}`",
    r"\gets": r"put it in a formula: `\(x \gets 1\)`",
    r"\leftarrow": r"put it in a formula: `\(x \leftarrow 1\)`",
    r"\quad": "leave it out",
    r"\qquad": "leave it out",
    r"\ref": "algorithms can't be referred to",
    r"\mbox": "leave it out, or use `\\textrm{…}`",
    r"\hspace": r"`\hspace{…}` stands outside formulas, and without `*`",
    r"\[": r"write `\(…\)`",
    r"\]": r"write `\(…\)`",
    r"\,": "leave it out",
    r"\;": "leave it out",
    r"\ ": "leave it out",
    r"\)": r"there is no `\(` before it",
    "&": r"write `\&`",
    "#": r"write `\#`",
    "_": r"write `\_`, or a formula `\(x_i\)`",
    "^": r"put it in a formula: `\(x^2\)`",
    r"\textunderscore": r"write `\_`",
    r"\vspace": "leave it out",
    r"\kwto": r"use `\To`",
    r"\end": "an environment or a construct is closed too early",
}
_KNOWN = words(
    r"""
    \State \Return \Print \Break \Continue \If \ElsIf \ElseIf \Elif \Else \EndIf \For
    \ForAll \EndFor \While \EndWhile \Repeat \Until \Upon \EndUpon \Function \EndFunction
    \Procedure \EndProcedure \Call \Comment \And \Or \Not \True \False \To \DownTo \textbf
    \textit \texttt \textsc \Require \Ensure \Input \Output \caption
    """
)
_IN_MATH = frozenset(
    words(
        r"""
    \frac \sqrt \sum \alpha \beta \eta \theta \lambda \mathbb \mathrm \in \times \cdot \le
    \ge
    """
    )
)


def hint_for(text: str) -> str:
    """What to do about a piece of text, or nothing."""
    hint = _HINTS.get(text.lower(), "")
    if hint:
        return hint
    if text in _IN_MATH:
        return r"put it in a formula: `\(…\)`"
    if text.startswith("\\") and text[1:].isalpha():
        near = near_names(text, _KNOWN)
        return near or r"a macro of mathematics belongs in `\(…\)`"
    if text and not text.startswith("\\"):
        return r"text stands behind `\State`, `\Require` and their like"
    return ""
