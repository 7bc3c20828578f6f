"""Front matter that was read before is remembered as it was, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import generator.front_matter as reading
from generator.front_matter import FrontMatters, read_front_matter
from generator.lint.frontmatter import (
    dump_front_matter,
    front_matter_of,
    load_front_matter,
)
from generator.lint.frontmatter import read_front_matter as read_for_rules
from tests.conftest import Site

PLAIN = (
    "---\ntitle: A note\ndate: 2026-01-01T00:00:00Z\nday: 2026-01-02\nparams: {a: [1, 2.5]}\n---\n"
)
ODD = [
    "---\n1: a number as a key\n---\n",
    "---\nbytes: !!binary aGVsbG8=\n---\n",
    "---\nset: !!set {a, b}\n---\n",
    "---\nmarked: {$date: '2026-01-01'}\n---\n",
    "---\nmarked: {$time: nonsense}\n---\n",
    "+++\nat = 07:32:00\n+++\n",
]
LINES = ["title: a", "n: .nan", "d: 2026-01-01", "t: 2026-01-01 1:2:3 +5", "l: [a, 1, ~, yes]", "k"]


def reread(text: str) -> FrontMatters:
    """What a second build knows."""
    first = FrontMatters()
    first.read(text, "n.md")
    return FrontMatters(first.to_keep())


@pytest.mark.parametrize("text", [PLAIN, *ODD, '+++\ntitle = "a"\n+++\n', "---\n---\n", "none"])
def test_the_second_reading_gives_what_the_first_gave(text: str) -> None:
    assert repr(reread(text).read(text, "n.md")) == repr(read_front_matter(text, "n.md"))


@given(st.lists(st.sampled_from(LINES), max_size=4).map("\n".join))
def test_any_front_matter(body: str) -> None:
    text = f"---\n{body}\n---\n"
    try:
        expected = repr(read_front_matter(text, "n.md"))
    except reading.GeneratorError:
        return
    assert repr(reread(text).read(text, "n.md")) == expected


def test_what_is_remembered_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    known = reread(PLAIN)
    monkeypatch.setattr(reading, "_load_yaml", lambda *_: pytest.fail("it was read again"))
    front, lines = known.read(PLAIN + "Another body.\n", "n.md")
    assert front["title"] == "A note"
    assert lines == {"title": 2, "date": 3, "day": 4, "params": 5}
    with pytest.raises(pytest.fail.Exception):
        known.read(PLAIN.replace("A note", "B note"), "n.md")


@pytest.mark.parametrize(
    "text", [PLAIN, '+++\na = "b"\n+++\n', "---\nbad: [\n---\n", "---\na: 1\na: 2\n---\n"]
)
def test_the_rules_reading_comes_back(text: str) -> None:
    front = read_for_rules(text + "Body.\n")
    assert front_matter_of(text + "Body.\n") == text
    assert load_front_matter(dump_front_matter(front)) == front


def test_old_entries_go_when_there_are_too_many() -> None:
    known = {f"_dump {i}": "x" for i in range(500)}
    fronts = FrontMatters(dict(known))
    fronts.read(PLAIN, "n.md")
    assert len(fronts.to_keep()) == 1
    few = FrontMatters(dict(list(known.items())[:5]))
    few.read(PLAIN, "n.md")
    assert len(few.to_keep()) == 6


@pytest.mark.parametrize("damage", ["", "x", "{}\nend", "cut", "no tab", "no JSON"])
def test_a_damaged_memory_is_no_memory(site: Site, damage: str) -> None:
    site.note("n", "Words.")
    site.build()
    memory = site.root / ".generator/front-matter"
    text = memory.read_text()
    damaged = {
        "cut": text[: len(text) // 2],
        "no tab": text.replace("\t", " "),
        "no JSON": text.replace("\t[", "\t["[:1] + "{"),
    }
    memory.write_text(damaged.get(damage, damage))
    site.write("templates/notes/n.md", site.read("templates/notes/n.md") + "More.\n")
    assert not site.build().failed
    assert memory.read_text().endswith("end")
    assert "More." in site.read("content/notes/n.md")


def test_what_another_copy_of_the_generator_read_is_not_believed(site: Site) -> None:
    site.note("n", "Words.")
    site.build()
    memory = site.root / ".generator/front-matter"
    first, _, rest = memory.read_text().partition("\n")
    memory.write_text("0" * len(first) + "\n" + rest.replace('"n"', '"forged"'))
    site.write("templates/notes/n.md", site.read("templates/notes/n.md") + "More.\n")
    site.build()
    assert "forged" not in Path(memory).read_text()
