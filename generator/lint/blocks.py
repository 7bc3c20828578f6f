"""The leaf blocks of a note's body: paragraphs, headings, fences, code, HTML.

Block structure comes from markdown-it's block parser. Its inline parser and its tables are not
used: Goldmark decides both otherwise once formulas are passed through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Literal

from generator.frozen import dataclass
from generator.lint.lines import Passage, join_lines
from generator.lint.tables import Table

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

BlockKind = Literal["paragraph", "heading", "fence", "code", "html", "rule"]
Lines = Sequence[tuple[int, str]]
TableReader = Callable[[Lines], tuple[list[Table], list[Passage]]]


@dataclass(frozen=True, slots=True)
class Block:
    """A block that holds text rather than other blocks."""

    kind: BlockKind
    """What it is."""
    first: int
    """Index of its first line, from 0."""
    last: int
    """Index after its last line."""
    at: int
    """Offset of its first line."""
    around: tuple[str, ...]
    """The containers around it, outermost first: `quote`, `list`."""
    passages: tuple[Passage, ...] = ()
    """Its inline text: one, or one a cell where it holds a table."""
    tables: tuple[Table, ...] = ()
    """The tables in it."""
    level: int = 0
    """A heading's level."""
    info: str = ""
    """What follows a fence's opening mark."""
    content: str = ""
    """A fence's or code block's text, indentation removed."""
    closed: bool = True
    """Whether a fence has its closing mark."""

    @property
    def language(self) -> str:
        """The first word of a fence's info."""
        words = self.info.replace("{", " {").split()
        return "" if not words or words[0].startswith("{") else words[0]

    @property
    def text(self) -> str:
        """All its inline text."""
        return "\n".join(passage.text for passage in self.passages)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    # A footnote's one-word text would pass for a link's definition and vanish.
    return MarkdownIt("commonmark").disable("reference")


_CONTAINERS = {
    "blockquote_open": "quote",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
}
_ENDS = ("blockquote_close", "bullet_list_close", "ordered_list_close")


def read_blocks(
    masked: str, starts: Sequence[int], first: int, read_tables: TableReader
) -> Iterator[Block]:
    """The leaf blocks from line `first` on."""
    if first >= len(starts):
        return
    source = masked[starts[first] :].replace("\r\n", "\n")
    parser = _parser()
    tokens: list[Token] = []
    parser.block.parse(source, parser, {}, tokens)
    reader = _Reader(masked, starts, first, read_tables)
    around: list[str] = []
    for index, token in enumerate(tokens):
        if token.type in _CONTAINERS:
            around.append(_CONTAINERS[token.type])
        elif token.type in _ENDS:
            around.pop()
        elif token.map and (block := reader.read(token, tokens, index, tuple(around))):
            yield block


def _split_definitions(lines: Lines) -> Iterator[Lines]:
    """A paragraph's lines; those of a definition list, term by term and text by text."""
    start = 0
    for index, (_, text) in enumerate(lines):
        if index and text.startswith(": "):
            yield lines[start:index]
            start = index
    yield lines[start:]


@dataclass(frozen=True, slots=True)
class _Reader:
    """Turns markdown-it's tokens into blocks with positions in the note."""

    masked: str
    starts: Sequence[int]
    first: int
    read_tables: TableReader

    def read(
        self, token: Token, tokens: Sequence[Token], index: int, around: tuple[str, ...]
    ) -> Block | None:
        assert token.map is not None
        top, end = (line + self.first for line in token.map)
        at = self.starts[top]
        if token.type == "paragraph_open":
            tables: list[Table] = []
            passages: list[Passage] = []
            for lines in _split_definitions(self._inline_lines(tokens[index + 1])):
                more = self.read_tables(lines)
                tables += more[0]
                passages += more[1]
            return Block("paragraph", top, end, at, around, tuple(passages), tuple(tables))
        if token.type == "heading_open":
            passage = join_lines(self._inline_lines(tokens[index + 1]))
            level = int(token.tag[1:])
            return Block("heading", top, end, at, around, (passage,), level=level)
        if token.type == "fence":
            closed = self._is_closed(token, top, end)
            info = token.info.strip()
            content = token.content
            return Block("fence", top, end, at, around, info=info, content=content, closed=closed)
        if token.type == "code_block":
            return Block("code", top, end, at, around, content=token.content)
        if token.type == "html_block":
            return Block("html", top, end, at, around, content=token.content)
        return Block("rule", top, end, at, around) if token.type == "hr" else None

    def line(self, index: int) -> str:
        end = self.starts[index + 1] if index + 1 < len(self.starts) else len(self.masked)
        return self.masked[self.starts[index] : end].rstrip("\r\n")

    def _inline_lines(self, token: Token) -> list[tuple[int, str]]:
        assert token.map is not None
        top = token.map[0] + self.first
        lines = []
        for number, piece in enumerate(token.content.split("\n"), start=top):
            core = piece.strip()
            source = self.line(number)
            column = source.rfind(core)
            if not source.rstrip().endswith(core):
                column = source.find(core)
            lines.append((self.starts[number] + max(column, 0), core))
        return lines

    def _is_closed(self, token: Token, top: int, end: int) -> bool:
        if end - 1 <= top:
            return False
        last = self.line(end - 1).strip(" \t>")
        return len(last) >= len(token.markup) and not last.strip(token.markup[0])
