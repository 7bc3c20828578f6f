"""Discovery: templates, slugs and front matter."""

from __future__ import annotations

import pytest

from generator.errors import GeneratorError, UsageError
from generator.front_matter import mask_tags, read_front_matter
from generator.notes import discover_notes, select_notes
from generator.settings import load_settings
from tests.conftest import Site


def discover(site: Site):  # type: ignore[no-untyped-def]
    return discover_notes(load_settings(site.root))


def test_notes_are_found_in_folders_and_bundles_and_sorted(site: Site) -> None:
    for path in ("b", "deep/a", "bundle/index"):
        site.note(path, "Words.")
    site.write("templates/notes/.hidden.md", "x")
    site.write("templates/notes/image.png", "x")
    site.write("templates/macros/m.md", "x")
    found = discover(site).notes
    assert [(note.slug, note.page) for note in found] == [
        ("a", "content/notes/deep/a.md"),
        ("b", "content/notes/b.md"),
        ("bundle", "content/notes/bundle/index.md"),
    ]


@pytest.mark.parametrize(
    ("text", "front", "lines"),
    [
        ("no front matter", {}, {}),
        ("---\ntitle: a\nseed: 3\n---\n", {"title": "a", "seed": 3}, {"title": 2, "seed": 3}),
        ("\ufeff---\r\ntitle: a\r\n---\r\n", {"title": "a"}, {"title": 2}),
        ('+++\ntitle = "a"\n+++\n', {"title": "a"}, {"title": 2}),
        ("---\n---\n", {}, {}),
        ("---\ntitle: <%= x %>\n---\n", {"title": "xxxxxxxx"}, {"title": 2}),
    ],
)
def test_front_matter(text: str, front: dict[str, object], lines: dict[str, int]) -> None:
    assert read_front_matter(text, "n.md") == (front, lines)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\ntitle: a\n", 1),
        ("---\na: b\ntitle: a: b\n---\n", 3),
        ("---\n- a\n---\n", 2),
        ("+++\ntitle = \n+++\n", 2),
        ("---\na: b\n<<<<<<< x\n=======\n>>>>>>> y\n---\n", 3),
    ],
)
def test_front_matter_that_is_not_valid(text: str, line: int) -> None:
    with pytest.raises(GeneratorError) as told:
        read_front_matter(text, "n.md")
    assert [(p.path, p.line) for p in told.value.problems] == [("n.md", line)]


def test_masked_tags_keep_their_length_and_lines() -> None:
    assert mask_tags("a: <%= x\ny %> b") == "a: xxxxx\nxxxx b"


def test_what_the_generator_reads_of_the_front_matter(site: Site) -> None:
    site.demo("d", "return {}")
    site.note("n", "x", demo="d", seed=0, timeout=1.5, memory=64, freeze="true", large="['*.bin']")
    (note,) = discover(site).notes
    assert (note.demo, note.seed, note.timeout) == ("demos/d.py", 0, 1.5)
    assert (note.memory, note.freeze, note.large) == (64, True, ("*.bin",))


def test_several_problems_of_one_note_are_all_told(site: Site) -> None:
    site.note("n", "x", demo="none", seed="true", params="[1]", memory=0)
    (problems,) = discover(site).problems.values()
    assert [problem.line for problem in problems] == [6, 7, 8, 9]


def test_select_notes(site: Site) -> None:
    site.note("a", "x")
    site.write("templates/notes/b.md", "---\n")
    everything = discover(site)
    assert select_notes(everything, []) is everything
    assert [note.slug for note in select_notes(everything, ["a"]).notes] == ["a"]
    assert set(select_notes(everything, ["b"]).problems) == {"b"}
    with pytest.raises(UsageError, match="there is no note `c`"):
        select_notes(everything, ["a", "c"])
