"""A place in a formula's tokens."""

from __future__ import annotations

from collections.abc import Sequence

from generator.algorithms.tokens import Token, UnreadableError
from generator.algorithms.vocabulary import Vocabulary


class Cursor:
    """Reads tokens one after another."""

    def __init__(self, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
        self.tokens = tokens
        self.vocabulary = vocabulary
        self.position = 0
        self.bars = 0
        """How many `|` are open."""

    def peek(self, ahead: int = 0) -> Token | None:
        position = self.position + ahead
        return self.tokens[position] if position < len(self.tokens) else None

    def at(self, *texts: str, ahead: int = 0) -> bool:
        """Whether the next token is one of some signs or commands."""
        token = self.peek(ahead)
        return token is not None and token.kind in {"sign", "command"} and token.text in texts

    def accept(self, *texts: str) -> str:
        """The next token's text, if it is one of these; it is passed."""
        if not self.at(*texts):
            return ""
        self.position += 1
        return self.tokens[self.position - 1].text

    def expect(self, text: str) -> None:
        if not self.accept(text):
            token = self.peek()
            found = f"`{token.text}`" if token else "the end"
            raise UnreadableError(f"`{text}` is missing before {found}")

    def take(self) -> Token:
        token = self.peek()
        if token is None:
            raise UnreadableError("it ends too early")
        self.position += 1
        return token

    def expect_end(self) -> None:
        token = self.peek()
        if token is not None:
            raise UnreadableError(f"`{token.text}` is not read here")
