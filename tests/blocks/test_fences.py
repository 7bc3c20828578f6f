"""Whatever a text holds, its fence is one block of exactly that text."""

from __future__ import annotations

import html

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from generator.blocks.fences import fence_code, show_control

PIECES = [
    "```",
    "````",
    "~~~",
    "{{<",
    "{{%",
    "<!--more-->",
    "</pre>",
    "&lt;",
    "\n",
    "\n\n",
    " ",
    "    ",
]
TEXTS = st.lists(st.sampled_from([*PIECES, "a", "|", "- x", "# h", "$"]), max_size=12).map("".join)


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_one_block_of_exactly_the_text(text: str) -> None:
    (token,) = MarkdownIt("commonmark").parse(fence_code(text, "text"))
    if token.type == "fence":
        assert (token.content, token.info) == (text + "\n", "text")
        assert "{{<" not in text and "{{%" not in text and "<!--more-->" not in text
    else:
        assert token.type == "html_block"
        code = token.content.partition('data-lang="text">')[2].removesuffix("</code></pre>")
        assert html.unescape(code) == text + "\n"
        assert "{{" not in token.content and "<!--" not in token.content


@given(st.text())
def test_controls_are_shown_on_one_line(text: str) -> None:
    shown = show_control(text)
    assert shown.isprintable() or not shown
    assert "".join(c for c in text if c.isprintable()) == text or shown != text
