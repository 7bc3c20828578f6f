"""Word lists that are written as text."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text, separated by blanks and line ends."""
    return frozenset(text.split())
