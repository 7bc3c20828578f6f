"""Building: what is written, and what is left alone."""

from __future__ import annotations

import pytest

from generator.errors import UsageError
from tests.conftest import Site


def statuses(report) -> dict[str, str]:  # type: ignore[no-untyped-def]
    return {note.slug: note.status for note in report.notes}


def test_a_first_build_publishes_every_note(small_site: Site) -> None:
    report = small_site.build()
    assert statuses(report) == {"prose": "built", "sums": "built", "drawn": "built"}
    assert sorted(small_site.files()) == [
        "content/notes/drawn.md",
        "content/notes/prose.md",
        "content/notes/sums.md",
        "data/notes/drawn.json",
        "data/notes/prose.json",
        "data/notes/sums.json",
        "static/figures/drawn/line.csv",
        "static/figures/drawn/line.svg",
    ]
    assert "The total is 0.125, of 3." in small_site.read("content/notes/sums.md")


def test_a_second_build_writes_nothing(small_site: Site) -> None:
    small_site.build()
    before = small_site.stamps()
    report = small_site.build()
    assert set(statuses(report).values()) == {"unchanged"}
    assert small_site.stamps() == before


@pytest.mark.parametrize(
    "path",
    [
        "content/notes/drawn.md",
        "content/notes/prose.md",
        "data/notes/sums.json",
        "static/figures/drawn/line.svg",
        "static/figures/drawn/line.csv",
    ],
)
def test_a_deleted_file_comes_back_alone_and_the_same(small_site: Site, path: str) -> None:
    small_site.build()
    before, stamps = small_site.files(), small_site.stamps()
    (small_site.root / path).unlink()
    small_site.build()
    assert small_site.files() == before
    changed = {name for name, stamp in small_site.stamps().items() if stamp != stamps[name]}
    assert changed == {path}


def test_an_unknown_slug_is_refused_with_the_near_ones(small_site: Site) -> None:
    with pytest.raises(UsageError, match="did you mean `drawn`"):
        small_site.build("drwan")


def test_a_partial_build_touches_only_its_own(small_site: Site) -> None:
    small_site.build()
    small_site.note("prose", "Other words.")
    small_site.demo("sums", 'return {"total": 0.25, "count": 3}')
    before = small_site.files()
    small_site.build("sums")
    changed = {path for path, content in small_site.files().items() if content != before[path]}
    assert changed == {"content/notes/sums.md", "data/notes/sums.json"}
    assert set(small_site.reasons()) == {"prose"}


def test_notes_of_one_demo_share_its_run(site: Site) -> None:
    site.write_demo(
        "shared",
        "from pathlib import Path\n"
        "def run(rng, n=1):\n"
        "    with open('/dev/null') as f: pass\n"
        "    with open(Path(__file__).parent.parent / 'runs', 'a') as log: log.write('x')\n"
        "    return {'n': n}\n",
    )
    for slug, params in (("a", "{n: 1}"), ("b", "{n: 1}"), ("c", "{n: 2}")):
        site.note(slug, "n is <%= n %>.", demo="shared", params=params)
    site.build()
    assert site.read("runs") == "xx"
    assert "n is 2." in site.read("content/notes/c.md")


def test_early_cut_off_renders_nothing_when_results_are_equal(small_site: Site) -> None:
    small_site.build()
    before = small_site.stamps()
    small_site.demo("sums", 'half = 0.0625\nreturn {"total": half + half, "count": 3}')
    report = small_site.build()
    assert statuses(report)["sums"] == "built"
    changed = {p for p, stamp in small_site.stamps().items() if stamp != before[p]}
    assert changed == {"data/notes/sums.json"}
    assert small_site.reasons() == {}


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [("1", "1.0", "1.0"), ("1", "True", "true"), ("0.0", "-0.0", "0"), ("[1]", "[2]", "2")],
)
def test_equal_but_different_results_are_not_cut_off(
    site: Site, before: str, after: str, shown: str
) -> None:
    site.demo("d", f"return {{'x': {before}}}")
    site.note("n", "<%= x if x is not iterable else x[0] %> is it.", demo="d")
    site.build()
    site.demo("d", f"return {{'x': {after}}}")
    site.build()
    incremental = site.files()
    site.build(force=True)
    assert site.files() == incremental


def test_mappings_keep_the_order_of_the_demo_when_rendered_from_the_record(site: Site) -> None:
    site.demo("d", "return {'sizes': {'small': 1, 'medium': 2, 'large': 3}}")
    body = "<% for name in sizes %><%= name %> <% endfor %>is it."
    site.note("n", body, demo="d")
    site.build()
    assert "small medium large is it." in site.read("content/notes/n.md")
    site.note("n", body + " Yes.", demo="d")
    site.build()
    assert "small medium large is it. Yes." in site.read("content/notes/n.md")


def test_a_note_without_tags_is_published_byte_for_byte(site: Site) -> None:
    text = b"\xef\xbb\xbf---\r\ntitle: a\r\n---\r\nText  \r\n\r\nmore"
    site.write("templates/notes/raw.md", text)
    site.build()
    assert (site.root / "content/notes/raw.md").read_bytes() == text


def test_a_renamed_note_leaves_nothing_behind(small_site: Site) -> None:
    small_site.build()
    folder = small_site.root / "templates/notes"
    (folder / "drawn.md").rename(folder / "line.md")
    report = small_site.build()
    assert statuses(report)["line"] == "built"
    assert not any("drawn" in path for path in small_site.files())
    assert not (small_site.root / "static/figures/drawn").exists()
    assert set(report.removed) == {
        "content/notes/drawn.md",
        "data/notes/drawn.json",
        "static/figures/drawn/line.csv",
        "static/figures/drawn/line.svg",
    }


def test_a_figure_that_is_no_longer_returned_is_removed(small_site: Site) -> None:
    small_site.build()
    small_site.demo("drawn", "return {'end': 2.0, 'line': 'no line'}")
    small_site.build()
    assert not any(path.startswith("static") for path in small_site.files())


def test_a_note_that_loses_its_demo_loses_its_figures(small_site: Site) -> None:
    small_site.build()
    small_site.note("drawn", "Nothing is drawn.")
    small_site.build()
    assert not any(path.startswith("static") for path in small_site.files())
    assert '"results"' not in small_site.read("data/notes/drawn.json")


def test_a_template_moved_into_a_folder_takes_its_page_along(small_site: Site) -> None:
    small_site.build()
    notes = small_site.root / "templates/notes"
    (notes / "more").mkdir()
    (notes / "drawn.md").rename(notes / "more/drawn.md")
    small_site.build()
    assert "content/notes/more/drawn.md" in small_site.files()
    assert "content/notes/drawn.md" not in small_site.files()
    assert small_site.reasons() == {}


@pytest.mark.parametrize(
    ("setting", "there"),
    [
        ('figures = "pictures"', "static/pictures/drawn/line.svg"),
        ('section = "posts"', "content/posts/drawn.md"),
    ],
)
def test_changed_folders_move_what_was_generated(
    small_site: Site, setting: str, there: str
) -> None:
    small_site.build()
    before = len(small_site.files())
    config = small_site.read("hugo.toml")
    small_site.write("hugo.toml", f"{config}[params.generator]\n{setting}\n")
    assert not small_site.build().failed
    assert there in small_site.files()
    assert len(small_site.files()) == before
    assert small_site.reasons() == {}


def test_state_is_tagged_as_a_cache_and_kept_out_of_git(small_site: Site) -> None:
    small_site.build()
    tag = small_site.read(".generator/CACHEDIR.TAG")
    assert tag.startswith("Signature: 8a477f597d28d172789f06886806bc55")
    assert small_site.read(".generator/.gitignore") == "*\n"
    assert not any(path.startswith(".") for path in small_site.files("content"))
