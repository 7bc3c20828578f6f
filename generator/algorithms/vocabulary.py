"""What a formula's symbols mean: Python names, `Where:` expressions, sizes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from generator.algorithms.symbols import write_symbol
from generator.algorithms.tokens import Token, read_tokens
from generator.frozen import dataclass

Pattern = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Token sequences that are one symbol, the longest first, and the names of functions."""

    symbols: tuple[tuple[Pattern, str], ...] = ()
    """Token sequence → Python name or expression, or LaTeX for a size."""
    functions: frozenset[str] = frozenset()
    """Names that can be called."""

    def match(self, tokens: Sequence[Token], position: int) -> tuple[str, int] | None:
        """The key of the symbol that starts at a position, and how many tokens it has."""
        for pattern, key in self.symbols:
            piece = tokens[position : position + len(pattern)]
            if len(piece) == len(pattern) and all(
                token.key == part for token, part in zip(piece, pattern, strict=True)
            ):
                return key, len(pattern)
        return None

    def add(self, pairs: Iterable[tuple[str, str]]) -> Vocabulary:
        """With more symbols, `(LaTeX, key)`; one that is known keeps its meaning."""
        known = dict(self.symbols)
        for latex, key in pairs:
            for pattern in spell(latex):
                known.setdefault(pattern, key)
        ordered = sorted(known.items(), key=lambda item: (-len(item[0]), item))
        return Vocabulary(tuple(ordered), self.functions)


def make_vocabulary(
    where: Iterable[tuple[str, str]], names: Iterable[str], functions: Iterable[str]
) -> Vocabulary:
    """Symbols of `Where:` before those that names have by themselves."""
    base = Vocabulary(functions=frozenset(functions))
    return base.add(where).add((write_symbol(name), name) for name in sorted(names))


def spell(latex: str) -> list[Pattern]:
    r"""Token sequences for a symbol: `d_{\mathrm{in}}` may be written `d_{in}` too."""
    tokens = read_tokens(latex)
    plain: list[tuple[str, str]] = []
    loose: list[tuple[str, str]] = []
    for position, token in enumerate(tokens):
        plain.append(token.key)
        below = position > 0 and tokens[position - 1].text == "_"
        if token.kind == "name" and below:
            letters = [("letter", letter) for letter in token.text]
            loose += [("sign", "{"), *letters, ("sign", "}")]
        else:
            loose.append(token.key)
    return [tuple(plain)] if plain == loose else [tuple(plain), tuple(loose)]


def join_tokens(tokens: Sequence[Token]) -> str:
    """LaTeX for a token sequence, the same however it was spaced or braced."""
    text = ""
    for token in tokens:
        piece = rf"\mathrm{{{token.text}}}" if token.kind == "name" else token.text
        if piece[:1].isalpha() and re.search(r"\\[A-Za-z]+$", text):
            text += " "
        text += piece
    return text
