"""A source file as lines, comments and the ends of its logical lines."""

from __future__ import annotations

import io
import re
import tokenize

from generator.frozen import dataclass

_SPACED = re.compile(r"# ([~?&-])(?:\s|$)")


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment."""

    line: int
    """Line, from 1."""
    column: int
    """Column of the `#`, from 0."""
    text: str
    """The comment with its `#`."""
    alone: bool
    """Whether it has the line to itself."""

    @property
    def mark(self) -> str:
        """`:`, `~`, `?`, `-` or `&` for an annotation, `#` for a private one, else nothing.

        Formatters put a blank behind the `#`: `# ? x > 0` is `#? x > 0`. A comment of its own
        that starts with a dash is a list item, though.
        """
        tight = self.text[1:2]
        if tight and tight in ":~?-&#!":
            return tight
        spaced = _SPACED.match(self.text)
        if spaced and not (self.alone and spaced[1] in "-&"):
            return spaced[1]
        return ""

    @property
    def body(self) -> str:
        text = self.text[1:].lstrip()
        return text[len(self.mark) :].strip()


@dataclass(frozen=True, slots=True)
class SourceFile:
    """What tokenizing a file tells and its syntax tree does not."""

    text: str
    """The file's text."""
    lines: tuple[str, ...]
    """Its lines."""
    comments: dict[int, Comment]
    """Comments by line."""
    ends: dict[int, int]
    """First line of a logical line → its last line: where a `for …:` header ends."""
    elses: tuple[tuple[int, int], ...]
    """Lines and columns of `else`."""


def read_source(text: str) -> SourceFile:
    """Tokenizes the text of a Python file. Raises SyntaxError or tokenize.TokenError."""
    comments: dict[int, Comment] = {}
    ends: dict[int, int] = {}
    elses: list[tuple[int, int]] = []
    start = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        line, column = token.start
        if token.type == tokenize.COMMENT:
            alone = not token.line[:column].strip()
            comments[line] = Comment(line, column, token.string.rstrip(), alone)
        elif token.type == tokenize.NEWLINE:
            ends[start] = line
            start = 0
        elif token.type not in {tokenize.NL, tokenize.INDENT, tokenize.DEDENT}:
            start = start or line
            if token.string == "else" and not token.line[:column].strip():
                elses.append((line, column))
    return SourceFile(text, tuple(text.split("\n")), comments, ends, tuple(elses))
