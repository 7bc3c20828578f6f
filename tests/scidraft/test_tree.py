"""What a screen reader is told of the shipped notes in the embedded theme."""

from __future__ import annotations

import unicodedata
from collections import Counter

import pytest

from .conftest import Seen
from .sources import NOTES, SHIPPED, read_note


def bare(text: str) -> str:
    """The text's letters and signs, whatever their style, without blanks and joiners."""
    plain = unicodedata.normalize("NFKC", text)
    return "".join(c for c in plain if not c.isspace() and unicodedata.category(c) != "Cf")


@pytest.mark.parametrize("name", SHIPPED)
def test_every_equation_is_text(seen: Seen, name: str) -> None:
    note = seen.embedded[name]
    told = Counter(bare(text) for role, _, text in note["tree"] if role in ("math", "MathMLMath"))
    plain = Counter(bare(formula) for formula, words in note["formulas"] if words is None)
    assert told == plain
    assert "" not in told
    texts = {bare(text) for role, _, text in note["tree"] if role == "StaticText"}
    for formula, words in note["formulas"]:
        assert words is None or bare(words) in texts, formula
    assert len(note["formulas"]) >= len(read_note(NOTES / f"{name}.md", "note").formulas)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_figure_is_text(seen: Seen, name: str) -> None:
    note = seen.embedded[name]
    images = [title for role, title, _ in note["tree"] if role in ("image", "img")]
    assert images == note["images"]
    assert all(len(alt) > 20 for alt in images)
    assert len(images) == read_note(NOTES / f"{name}.md", "note").images


@pytest.mark.parametrize("name", SHIPPED)
def test_every_algorithm_is_text(seen: Seen, name: str) -> None:
    note = seen.embedded[name]
    whole = "".join(bare(text) for role, _, text in note["tree"] if role == "RootWebArea")
    expected = read_note(NOTES / f"{name}.md", "note").algorithms
    assert len(note["algorithms"]) == expected
    for algorithm in note["algorithms"]:
        assert algorithm["lines"]
        for number, text in algorithm["lines"]:
            assert (f"{number}:" if number else "") + bare(text.split("$")[0]) in whole
