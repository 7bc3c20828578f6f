"""A note as the rules see it: parsed once, every part with its position."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import PurePosixPath

from generator.frozen import dataclass
from generator.lint.blocks import Block, read_blocks
from generator.lint.facts import SCIDRAFT_DELIMITERS, Delimiter
from generator.lint.frontmatter import FrontMatter, read_front_matter
from generator.lint.inline import Kind, Span
from generator.lint.lines import Passage
from generator.lint.shortcodes import Shortcode, mask_shortcodes, read_shortcodes
from generator.lint.tables import Table, read_tables

_LONE_RETURN = re.compile(r"\r(?!\n)")


@dataclass(frozen=True, slots=True)
class Placed:
    """An inline span with the passage and the block that it stands in."""

    span: Span
    """The span, positioned in its passage."""
    passage: Passage
    """The text that was scanned."""
    block: Block
    """The block around it."""
    at: int
    """Offset in the note."""
    end: int
    """Offset after it."""

    @property
    def source(self) -> str:
        """What stands between its marks."""
        return self.passage.text[slice(*self.span.inner)]

    @property
    def target(self) -> str:
        """The address of a link or an image."""
        return self.passage.text[slice(*self.span.target)]

    @property
    def inner_at(self) -> int:
        return self.passage.locate(self.span.inner[0])

    @property
    def target_at(self) -> int:
        return self.passage.locate(self.span.target[0])

    @property
    def shown(self) -> str:
        """The span as written, shortened to fit a message."""
        text = " ".join(self.passage.text[self.span.start : self.span.end].split())
        return text if len(text) <= 60 else text[:57] + "…"


# Not slotted: `cached_property` keeps what only some rules need.
@dataclass(frozen=True)
class Note:
    """One Markdown note."""

    path: str
    """POSIX path, relative to the site where it lies inside."""
    text: str
    """All of it, front matter and line endings included."""
    front: FrontMatter
    """Its front matter."""
    shortcodes: tuple[Shortcode, ...]
    """All shortcode tags of the body."""
    masked: str
    """`text` with shortcodes blotted out, so that they are not read as Markdown."""
    starts: tuple[int, ...]
    """Offset of each line."""
    blocks: tuple[Block, ...]
    """The leaf blocks of the body, in order."""
    delimiters: tuple[Delimiter, ...]
    """The formula delimiters in force."""

    @property
    def name(self) -> str:
        return PurePosixPath(self.path).name

    @property
    def content_path(self) -> str:
        """The path below `content/`, or empty for a note elsewhere."""
        _, found, tail = ("/" + self.path).partition("/content/")
        return tail if found else ""

    def line_of(self, at: int) -> int:
        """The line of an offset, from 1."""
        return bisect_right(self.starts, at)

    def column_of(self, at: int) -> int:
        """The column of an offset, from 1."""
        return at - self.starts[self.line_of(at) - 1] + 1

    def line(self, index: int) -> str:
        """A line by its index from 0, shortcodes blotted out, without its ending."""
        end = self.starts[index + 1] if index + 1 < len(self.starts) else len(self.masked)
        return self.masked[self.starts[index] : end].rstrip("\r\n")

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        return tuple(table for block in self.blocks for table in block.tables)

    @cached_property
    def scans(self) -> tuple[tuple[Block, Passage, tuple[Span, ...]], ...]:
        """Every passage with its block and its spans."""
        return tuple(
            (block, passage, passage.scan(self.delimiters))
            for block in self.blocks
            for passage in block.passages
        )

    @cached_property
    def placed(self) -> tuple[Placed, ...]:
        """Every inline span of the body, in order."""
        return tuple(self._place())

    def _place(self) -> Iterator[Placed]:
        for block, passage, spans in self.scans:
            for span in spans:
                at, end = passage.locate(span.start), passage.locate(span.end - 1) + 1
                yield Placed(span, passage, block, at, end)

    @cached_property
    def by_kind(self) -> dict[Kind, tuple[Placed, ...]]:
        kinds: dict[Kind, list[Placed]] = {}
        for placed in self.placed:
            kinds.setdefault(placed.span.kind, []).append(placed)
        return {kind: tuple(found) for kind, found in kinds.items()}

    def spans(self, kind: Kind) -> tuple[Placed, ...]:
        return self.by_kind.get(kind, ())

    @cached_property
    def fences(self) -> tuple[Block, ...]:
        return tuple(block for block in self.blocks if block.kind == "fence")

    @cached_property
    def headings(self) -> tuple[Block, ...]:
        return tuple(block for block in self.blocks if block.kind == "heading")

    def shortcode_at(self, at: int, end: int) -> bool:
        """Whether a shortcode stands somewhere between two offsets."""
        return any(code.start < end and at < code.end for code in self.shortcodes)


def read_note(
    path: str,
    text: str,
    delimiters: Sequence[Delimiter] = SCIDRAFT_DELIMITERS,
    front: FrontMatter | None = None,
) -> Note:
    """Parses a note, but for `front` where that is given; never raises, whatever the text holds."""
    front = front or read_front_matter(text)
    shortcodes = read_shortcodes(text, front.end)
    masked = mask_shortcodes(text, shortcodes)
    masked = _LONE_RETURN.sub(" ", masked).replace("\0", "\ufffd")
    starts = _line_starts(text)
    first = bisect_right(starts, front.end) - 1 if front.end < len(text) else len(starts)
    blocks = tuple(read_blocks(masked, starts, first, read_tables))
    return Note(path, text, front, shortcodes, masked, starts, blocks, tuple(delimiters))


def _line_starts(text: str) -> tuple[int, ...]:
    starts, at = [0], text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return tuple(starts)
