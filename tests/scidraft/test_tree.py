"""What a screen reader is told of the shipped notes in the embedded theme."""

from __future__ import annotations

import pytest

from .conftest import Seen
from .sources import NOTES, SHIPPED, read_note


def bare(text: str) -> str:
    return "".join(text.split()).replace("\u2060", "").replace("\u2061", "")


@pytest.mark.parametrize("name", SHIPPED)
def test_every_equation_figure_and_algorithm_is_text(seen: Seen, name: str) -> None:
    expected = read_note(NOTES / f"{name}.md", "note")
    note = seen.embedded[name]
    tree = note["tree"]
    told = [bare(text) for role, _, text in tree if role in ("math", "MathMLMath")]
    assert len(told) >= len(expected.formulas)
    assert [bare(formula) for formula in note["formulas"]] == told
    assert all(told)
    images = [title for role, title, _ in tree if role in ("image", "img")]
    assert images == note["images"]
    assert all(len(alt) > 20 for alt in images)
    assert len(images) == expected.images
    whole = "".join(bare(text) for role, _, text in tree if role == "RootWebArea")
    assert len(note["algorithms"]) == expected.algorithms
    for algorithm in note["algorithms"]:
        assert algorithm["lines"]
        for number, text in algorithm["lines"]:
            words = bare(text.split("$")[0])
            assert (f"{number}:" if number else "") + words in whole
