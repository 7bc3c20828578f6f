"""A run of text cut out of a note, that still knows where each of its lines came from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from generator.frozen import dataclass
from generator.lint.facts import Delimiter
from generator.lint.inline import Span, scan_inline


@dataclass(frozen=True, slots=True)
class Passage:
    """Inline Markdown without the marks of the blocks around it, such as `> `."""

    text: str
    """The lines, joined by `\\n`."""
    breaks: tuple[int, ...]
    """Where each line begins in `text`."""
    offsets: tuple[int, ...]
    """Where each line begins in the note."""

    def locate(self, position: int) -> int:
        """The offset in the note of a position in `text`."""
        line = bisect_right(self.breaks, position) - 1
        return self.offsets[line] + position - self.breaks[line]

    def scan(self, delimiters: Sequence[Delimiter]) -> tuple[Span, ...]:
        return scan_inline(self.text, delimiters)


def join_lines(lines: Sequence[tuple[int, str]]) -> Passage:
    """A passage of lines, each given with its offset in the note."""
    breaks, at = [], 0
    for _, text in lines:
        breaks.append(at)
        at += len(text) + 1
    joined = "\n".join(text for _, text in lines)
    return Passage(joined, tuple(breaks) or (0,), tuple(offset for offset, _ in lines) or (0,))
