"""Whatever the cells hold, the Markdown parses back to a table of the same cells."""

from __future__ import annotations

import html

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from generator.blocks.base import Where
from generator.blocks.table import Table

HERE = Where("note", "", 6)
HOSTILE = st.sampled_from(
    ["y|n", "\\", "a\\|b", "`|`", "**x**", "<b>", "&amp;", "$x$", r"\(x|y\)", "{{< x >}}", "![]()"]
)
BLOCKS = st.sampled_from(
    ["| --- |", "{.table}", "# h", "- x", "1.", "~~s~~", "[a](b)", "_u_", "a  b", "'q'", "#", ":-:"]
)
TEXT = st.text(
    st.characters(exclude_categories=["C", "Zl", "Zp", "Zs"], include_characters=" "), max_size=12
)
CELLS = st.one_of(HOSTILE, BLOCKS, TEXT, st.tuples(HOSTILE, TEXT).map("".join))


def parse_table(markdown: str) -> tuple[list[list[str]], str]:
    """The text of each row's cells, and what the parser found after the table."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown)
    assert tokens[0].type == "table_open", markdown
    end = next(i for i, token in enumerate(tokens) if token.type == "table_close")
    rows: list[list[str]] = []
    for token in tokens[:end]:
        if token.type == "tr_open":
            rows.append([])
        if token.type == "inline":
            rows[-1].append("".join(map(show, token.children or ())))
    return rows, " ".join(token.content for token in tokens[end:] if token.type == "inline")


def show(token: object) -> str:
    """What a reader sees of an inline token; spans around single characters are invisible."""
    kind, content = getattr(token, "type", ""), getattr(token, "content", "")
    if kind == "html_inline":
        assert content in ("<span>", "</span>")
        return ""
    assert kind in ("text", "text_special"), (kind, content)
    return html.unescape(content) if kind == "text_special" else content


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_cells_survive(data: st.DataObject) -> None:
    width = data.draw(st.integers(1, 4))
    rows = data.draw(
        st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=4)
    )
    sides = data.draw(st.text("lcr", min_size=width, max_size=width))
    table = Table(rows, columns=[f"h{i}" for i in range(width)], align=sides)
    found, after = parse_table(table.to_markdown(HERE))
    assert found[0] == [f"h{i}" for i in range(width)]
    assert found[1:] == [[" ".join(cell.split()) for cell in row] for row in rows]
    assert after == ""


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(st.integers(), st.floats(allow_nan=False)), min_size=1, max_size=5))
def test_numbers_stay_numbers_of_one_cell(numbers: list[float]) -> None:
    found, _ = parse_table(Table({"x": numbers}).to_markdown(HERE))
    assert len(found) == len(numbers) + 1
    for number, (text,) in zip(numbers, found[1:], strict=True):
        assert text and not set(text) & set("|e`*_<"), text
        assert text.startswith("−") == (number < 0)
