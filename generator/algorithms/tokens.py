"""LaTeX formulas as tokens, with what differs only in looks made equal."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from generator.algorithms.words import words
from generator.frozen import dataclass

Kind = Literal["number", "letter", "name", "command", "sign", "text"]


class UnreadableError(Exception):
    """A formula, or a part of it, that the reader can't evaluate; the message says which."""


@dataclass(frozen=True, slots=True)
class Token:
    """One symbol of a formula."""

    kind: Kind
    """What it is; `name` is a word in `\\mathrm` or `\\operatorname`, `text` one in `\\text`."""
    text: str
    """Its text; commands with their backslash."""
    start: int
    """Offset in the formula."""
    end: int
    """Offset after it."""
    grouped: bool = False
    """Whether braces of its own stood around it."""

    @property
    def key(self) -> tuple[str, str]:
        return self.kind, self.text


_SKIPPED = frozenset(
    words(
        r"""
    \, \; \: \! \quad \qquad \displaystyle \textstyle \limits \left \right \big \Big \bigl
    \bigr \Bigl \Bigr \bigg \Bigg \mathopen \mathclose \hspace \nolimits
    """
    )
) | {"\\ "}
_SYNONYMS = {
    r"\dfrac": r"\frac",
    r"\tfrac": r"\frac",
    r"\leq": r"\le",
    r"\leqslant": r"\le",
    r"\geq": r"\ge",
    r"\geqslant": r"\ge",
    r"\ne": r"\neq",
    r"\gets": r"\leftarrow",
    r"\coloneqq": r"\leftarrow",
    r"\dots": r"\ldots",
    r"\cdots": r"\ldots",
    r"\dotsc": r"\ldots",
    r"\wedge": r"\land",
    r"\vee": r"\lor",
    r"\neg": r"\lnot",
    r"\ast": "*",
    r"\lbrace": r"\{",
    r"\rbrace": r"\}",
    r"\vert": "|",
    r"\Vert": r"\|",
    r"\intercal": r"\top",
    r"\ln": r"\log",
    r"\prime": "'",
    r"\colon": ":",
    r"\lbrack": "[",
    r"\rbrack": "]",
}
_WORDS = frozenset(
    words(
        r"""
    \mathrm \operatorname \operatorname* \mathit \mathsf \mathtt \texttt \textsc \textrm
    \textit
    """
    )
)
_LOOKS = frozenset([r"\mathbf", r"\boldsymbol", r"\bm", r"\textbf", r"\mathbfit"])
_ALPHABETS = frozenset([r"\mathcal", r"\mathbb", r"\mathfrak", r"\mathscr"])
_ATOM = re.compile(r"\\[A-Za-z]+\*?|\\.|\d+(?:\.\d+)?|\.\d+|:=|[A-Za-z]|\S", re.DOTALL)
_SIGNS = frozenset("+-*/()[]{},;:!'^_=<>|&.")


def read_tokens(formula: str) -> list[Token]:
    """The tokens of a formula. Raises UnreadableError for what is no LaTeX math."""
    raw: list[Token] = []
    position = 0
    while position < len(formula):
        if formula[position].isspace() or formula[position] == "~":
            position += 1
            continue
        match = _ATOM.match(formula, position)
        assert match is not None
        token, position = _read_atom(formula, match)
        if token is not None:
            raw.append(token)
    return _ungroup(raw)


def _read_atom(formula: str, match: re.Match[str]) -> tuple[Token | None, int]:
    text, start, end = match.group(), match.start(), match.end()
    text = _SYNONYMS.get(text, text)
    if text in _SKIPPED:
        if text in {r"\left", r"\right"} and formula[end : end + 1] == ".":
            end += 1
        return None, end
    if text in _WORDS or text == r"\text":
        word, end = _argument(formula, end)
        kind: Kind = "text" if text == r"\text" else "name"
        word = re.sub(r"\\[,;: !]|\s", "", word).replace("-", "_")
        if kind == "name" and len(word) == 1:
            kind = "letter" if word.isalpha() else "number"
        return Token(kind, word, start, end), end
    if text in _LOOKS:
        word, after = _argument(formula, end)
        if word in {"0", "1"}:
            return Token("command", rf"\mathbf{{{word}}}", start, after), after
        return None, end  # bold letters are the letters
    if text in _ALPHABETS:
        word, end = _argument(formula, end)
        return Token("command", f"{text}{{{word}}}", start, end), end
    if text in {r"\begin", r"\end"}:
        word, end = _argument(formula, end)
        return Token("command", f"{text}{{{word}}}", start, end), end
    if text.startswith("\\"):
        return Token("command", text, start, end), end
    if text == ":=":
        return Token("command", r"\leftarrow", start, end), end
    if text[0].isdigit() or (text[0] == "." and len(text) > 1):
        return Token("number", text, start, end), end
    if text.isalpha() and text.isascii():
        return Token("letter", text, start, end), end
    if text not in _SIGNS:
        raise UnreadableError(f"`{text}` is not read")
    text = {"<": r"\lt", ">": r"\gt"}.get(text, text)
    return Token("command" if text[0] == "\\" else "sign", text, start, end), end


def _argument(formula: str, position: int) -> tuple[str, int]:
    """The text of a braced or single-letter argument, and the offset after it."""
    while position < len(formula) and formula[position].isspace():
        position += 1
    if formula[position : position + 1] != "{":
        return formula[position : position + 1], position + 1
    depth = 0
    for end in range(position, len(formula)):
        depth += {"{": 1, "}": -1}.get(formula[end], 0)
        if depth == 0:
            return formula[position + 1 : end].strip(), end + 1
    raise UnreadableError("a brace is not closed")


def _ungroup(tokens: list[Token]) -> list[Token]:
    """Without empty braces, and without those around single tokens."""
    while True:
        tokens = [
            token
            for position, token in enumerate(tokens)
            if not (_is_pair(tokens, position) or _is_pair(tokens, position - 1))
        ]
        result: list[Token] = []
        position = 0
        while position < len(tokens):
            inner = tokens[position + 1 : position + 3]
            if (
                tokens[position].key == ("sign", "{")
                and len(inner) == 2
                and inner[1].key == ("sign", "}")
                and inner[0].text not in {"{", "}"}
            ):
                result.append(replace(inner[0], grouped=True))
                position += 3
            else:
                result.append(tokens[position])
                position += 1
        if len(result) == len(tokens):
            return result
        tokens = result


def _is_pair(tokens: list[Token], position: int) -> bool:
    """Whether an opening brace is followed at once by the closing one."""
    return position >= 0 and [t.key for t in tokens[position : position + 2]] == [
        ("sign", "{"),
        ("sign", "}"),
    ]
