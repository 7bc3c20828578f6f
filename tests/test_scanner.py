"""Templates as pieces: what is handed on untouched, and what vanishes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import GeneratorError
from generator.scanner import Piece, has_tags, scan_template


def pieces(text: str) -> list[tuple[str, str, int]]:
    return [(piece.kind, piece.text, piece.line) for piece in scan_template(text, "a.md")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("words", [("text", "words", 1)]),
        ("a <%= x %> b", [("text", "a ", 1), ("expression", " x ", 1), ("text", " b", 1)]),
        ("a\n<%= x %>", [("text", "a\n", 1), ("expression", " x ", 2)]),
        ("<%# no %>", [("comment", " no ", 1)]),
        ("<%% x %>", [("text", "<%", 1), ("text", " x %>", 1)]),
        ("<%= '%>' %>", [("expression", " '%>' ", 1)]),
        ('<%= "\\"%>" %>', [("expression", ' "\\"%>" ', 1)]),
        (
            "a\n<% if x %>\nb\n",
            [("text", "a\n", 1), ("statement", " if x ", 2), ("text", "b\n", 2)],
        ),
        (
            "a\r\n  <% if x %>  \r\nb",
            [("text", "a\r\n", 1), ("statement", " if x ", 2), ("text", "b", 2)],
        ),
        ("<% a %> <%# b %>\nx", [("statement", " a ", 1), ("comment", " b ", 1), ("text", "x", 1)]),
        ("y <% a %>\nx", [("text", "y ", 1), ("statement", " a ", 1), ("text", "\nx", 1)]),
        ("<% a %> y\nx", [("statement", " a ", 1), ("text", " y\nx", 1)]),
    ],
)
def test_pieces(text: str, expected: list[tuple[str, str, int]]) -> None:
    assert pieces(text) == expected


@pytest.mark.parametrize(("text", "line"), [("<%= x", 1), ("a\n\nb <% x", 3)])
def test_a_tag_without_end_is_told_with_its_line(text: str, line: int) -> None:
    with pytest.raises(GeneratorError) as told:
        scan_template(text, "a.md")
    assert [(p.path, p.line) for p in told.value.problems] == [("a.md", line)]


@given(st.text(alphabet="ab \t\r\n%<>=#'\"\u2028é"))
def test_text_without_tags_is_one_piece(text: str) -> None:
    if has_tags(text):
        return
    assert "".join(piece.text for piece in scan_template(text, "a.md")) == text


@given(st.lists(st.sampled_from(["word", "\n", " ", "<%= x %>", "<%%", "%>", "\r\n", "é"])))
def test_expressions_lose_none_of_the_text_around(parts: list[str]) -> None:
    shown = {"expression": lambda p: f"<%={p.text}%>", "text": lambda p: p.text}

    def show(piece: Piece) -> str:
        return shown[piece.kind](piece)

    whole = "".join(show(piece) for piece in scan_template("".join(parts), "a.md"))
    assert whole == "".join("<%" if part == "<%%" else part for part in parts)
