"""Notes, names and values at the edge of what files can be."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest

from tests.conftest import Site

LINES = 100_000


def test_a_note_of_100_000_lines(site: Site) -> None:
    site.demo("sums", "return {'total': 0.125, 'rows': [1, 2, 3]}")
    lines = [f"Line {i} of a long note.\n" for i in range(LINES // 2)]
    for i in range(0, len(lines), 500):
        lines[i] = f"Paragraph {i}: the total is <%= total %>.\n"
    site.note("long", "\n".join(lines), demo="sums")
    report = site.build()
    assert not report.failed, report.notes[0].problems[:3]
    page = site.read("content/notes/long.md")
    assert page.count("the total is 0.125.") == len(lines) // 500
    assert page.count("\n") > LINES - 10


def test_a_note_of_100_000_lines_is_told_at_its_line(site: Site) -> None:
    site.note("long", "word\n" * LINES + "\n<%= zzz %>\n")
    (report,) = site.build().notes
    assert report.status == "failed"
    assert f":{LINES + 8}:" in str(report.problems[0]), report.problems[:1]


def test_long_names(site: Site) -> None:
    slug = "a" * 180
    site.write_demo(slug, "def run(rng):\n    return {'" + "b" * 60 + "': 0.5}\n")
    site.note(slug, f"It is <%= {'b' * 60} %>.", demo=slug)
    deep = "/".join(["folder" * 5] * 20)
    site.note(f"{deep}/deep", "Words.")
    report = site.build()
    assert not report.failed, [note.problems for note in report.notes]
    assert "It is 0.5." in site.read(f"content/notes/{slug}.md")
    assert site.reasons() == {}


def test_a_name_too_long_for_a_file_is_told(site: Site) -> None:
    site.note("a" * 251, "Words.")  # with `.json` behind it, no file system takes it
    (report,) = site.build().notes
    assert report.status == "failed"
    assert report.problems[0].message.startswith("can't be")


def test_slugs_that_some_file_systems_hold_for_one(site: Site) -> None:
    composed = unicodedata.normalize("NFC", "é")
    site.note(composed, "One.")
    site.note(unicodedata.normalize("NFD", "é"), "Another.")
    site.note("Upper", "One.")
    site.write("templates/notes/other/upper.md", site.read("templates/notes/Upper.md"))
    report = site.build()
    told = [p.message for note in report.notes for p in note.problems]
    assert len(told) == len(list((site.root / "templates/notes").rglob("*.md")))
    assert all("its slug is also that of" in message for message in told)


HOSTILE = [
    "<script>alert(1)</script>",
    "](javascript:alert(1))",
    "{{< figure src=x >}}",
    "{{% raw %}}",
    "\\(\\input{/etc/passwd}\\)",
    "<%= 1 %>",
    "---\ntitle: other\n---",
    "| a | b |\n| --- | --- |",
    "```\nend",
    "$x$ $$y$$ \\[z\\]",
    "\u202egnirts",
    "a\u0000b",
    "zz0zz",
    "&lt;b&gt; & &amp;",
    "http://example.org/?a=1&b=2",
    "x" * 50_000,
]
PLACES = [
    "Text <%= v %> on.",
    "# Heading <%= v %>",
    "`<%= v %>`",
    "```text\n<%= v %>\n```",
    "| a |\n| --- |\n| <%= v %> |",
    "[link](/notes/other/?q=<%= v %>)",
    "![<%= v %>](/figures/a.svg)",
    "- item <%= v %>",
    "> quote <%= v %>",
]


def test_hostile_values_stay_text_in_every_place(site: Site) -> None:
    """No value opens a tag, a shortcode, a formula or a heading of its own."""
    site.demo("values", f"return {{'v': {HOSTILE!r}[which]}}".replace("which", "params['which']"))
    for which in range(len(HOSTILE)):
        for place, text in enumerate(PLACES):
            front = {"demo": "values", "params": f"{{which: {which}}}"}
            site.note(f"n-{which}-{place}", text.replace(" v ", " v | string "), **front)
    report = site.build()
    for note in report.notes:
        page = site.root / "content/notes" / f"{note.slug}.md"
        if note.status == "failed":
            assert all(p.path.startswith("templates/") for p in note.problems), note.problems
            assert not page.exists()
            continue
        body = page.read_text().split("\n---\n", 1)[1]
        which, place = (int(part) for part in note.slug.split("-")[1:])
        if "`" not in PLACES[place]:
            assert "<script" not in body, note.slug
            assert "{{<" not in body, note.slug
            assert "](javascript" not in body, note.slug
        assert "zz0zz" not in body or which == HOSTILE.index("zz0zz")


def test_a_folder_that_leads_out_of_the_site_is_not_written_through(site: Site) -> None:
    outside = site.root.parent / "outside"
    outside.mkdir()
    for folder in ("content", "static", "data"):
        (site.root / folder).symlink_to(outside, target_is_directory=True)
    site.note("n", "Words.")
    (report,) = site.build().notes
    assert report.status == "failed"
    assert "leads out of the site" in report.problems[0].message
    assert not list(outside.iterdir())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_template_that_may_not_be_read_is_told(site: Site) -> None:
    site.note("n", "Words.")
    (site.root / "templates/notes/n.md").chmod(0)
    (report,) = site.build().notes
    assert "can't be read" in report.problems[0].message


def test_special_files_among_the_templates_do_not_hang_a_build(site: Site, tmp_path: Path) -> None:
    site.note("n", "Words.")
    os.mkfifo(site.root / "templates/notes/pipe.md")
    (site.root / "templates/notes/loop.md").symlink_to("loop.md")
    (site.root / "templates/notes/folder.md").mkdir()
    (site.root / "templates/notes/gone.md").symlink_to(tmp_path / "gone.md")
    finished = site.run("build")
    assert finished.returncode == 1
    assert finished.stderr.count("can't be read") == 3  # the folder is one like any other
    assert "Traceback" not in finished.stderr
    assert (site.root / "content/notes/n.md").is_file()
