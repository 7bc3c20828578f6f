"""What newcomers do wrong, and what they are told: one line with the place, and what to do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.cli import main
from tests.conftest import Site

HEAD = "---\ntitle: T\ndate: 2026-01-01T00:00:00Z\ndescription: D.\ntags: [A]\n"
RESULTS = "def run(rng):\n    return {'left': 0.125, 'names': ['a']}\n"


def tell(site: Site, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str]]:
    """The exit code of a command and the lines of its problems."""
    capsys.readouterr()
    code = main([*words, "--site", str(site.root)])
    told = capsys.readouterr().err
    assert "Traceback" not in told
    return code, told.splitlines()


@pytest.mark.parametrize(
    ("body", "told", "hint"),
    [
        ("It is <%= lefd %>.", "nothing here is called `lefd`", "did you mean `left`?"),
        ("<%= left | fixd(2) %>", "there is no format `fixd`", "did you mean `fixed`?"),
        ("<%= left | upper_case %>", "there is no format `upper_case`", ""),
        (
            'It is <%= left | claim("0.1", below=True) %>.',
            "false claim: expected below 0.1, found 0.125",
            "“It is 0.1.”",
        ),
        (
            'It is <%= left | claim("1%", below=True) %>.',
            "false claim: expected below 1%, found 12.5%",
            "“It is 1%.”",
        ),
        ("<%= left", "this tag has no `%>`", "close it"),
        ("<% if left %>a", "`if` is never closed", "<% endif %>"),
        ("<% for n in names %>a", "`for` is never closed", "<% endfor %>"),
        ("<% claim left > 0 %>a", "`claim` is never closed", "<% endclaim %>"),
        ("<% endif %>", "`endif` closes nothing", ""),
        ("<% iff left %>a<% endif %>", "there is no statement `iff`", "did you mean `if`?"),
        ("<%= left.mean %>", "there is no `mean` in this value", ""),
        ('<%= left | fixed("two") %>', "'two' is not a number of digits", ""),
        ("<%= left | fixed(2 %>", "this tag is not valid: unexpected end of the tag", ""),
    ],
)
def test_a_mistake_in_a_tag(
    site: Site, capsys: pytest.CaptureFixture[str], body: str, told: str, hint: str
) -> None:
    site.write_demo("d", RESULTS)
    site.write("templates/notes/n.md", f"{HEAD}demo: d\n---\n{body}\n")
    code, lines = tell(site, capsys, "build")
    assert code == 1
    assert re.fullmatch(rf"templates/notes/n\.md:8: {re.escape(told)}.*", lines[0])
    assert hint in "\n".join(lines[1:])


def test_a_result_in_a_note_without_a_demo(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.write_demo("d", RESULTS)
    site.write("templates/notes/n.md", f"{HEAD}---\nIt is <%= left %>.\n")
    code, lines = tell(site, capsys, "build")
    assert code == 1
    assert lines[0].startswith("templates/notes/n.md:7: nothing here is called `left`")
    assert "the note has no demo: name one in its front matter, `demo: …`" in lines[1]


@pytest.mark.parametrize(
    ("text", "line", "told", "hint"),
    [
        ("---\ntitle: T\n\tdate: 2026-01-01\n---\nx\n", 3, "found a tab", "indent with blanks"),
        ("---\ntitle: A: b\n---\nx\n", 2, "not YAML", "quote values"),
        ("---\ntitle: A\nx\n", 1, "the front matter has no end", "end it with a line `---`"),
        ("---\n- a\n---\nx\n", 2, "the front matter is not a mapping", "`key: value`"),
        ("---\ntitle: A\ndemo: dd\n---\nx\n", 3, "there is no demo `dd`", "did you mean `d`?"),
        ("---\ntitle: A\ndemo: e-dash\n---\nx\n", 3, "there is no demo `e-dash`", ""),
    ],
)
def test_a_mistake_in_the_front_matter(
    site: Site,
    capsys: pytest.CaptureFixture[str],
    text: str,
    line: int,
    told: str,
    hint: str,
) -> None:
    site.write_demo("d", RESULTS)
    site.write("templates/notes/n.md", text)
    code, lines = tell(site, capsys, "build")
    assert code == 1
    assert lines[0].startswith(f"templates/notes/n.md:{line}: ") and told in lines[0]
    assert hint in "\n".join(lines[1:])


PLOT = """\
import matplotlib.pyplot as plt
from generator import Figure, Table, algorithm
def run(rng):
    fig, ax = plt.subplots()
    ax.plot([1, 2])
    return {"x": MISTAKE}
"""
ALT = 'alt="A line that rises from one to two."'


@pytest.mark.parametrize(
    ("mistake", "line", "told"),
    [
        (f"Figure(ax, {ALT})", 6, "takes a matplotlib figure, not `Axes`"),
        (f"Figure(plt, {ALT})", 6, "takes a matplotlib figure, not `matplotlib.pyplot`"),
        ("Figure(fig)", 6, "'alt'"),
        ('Figure(fig, alt="")', 6, "alt text says nothing"),
        (
            "fig",
            6,
            '`x` is a matplotlib.figure.Figure; return it as a block: `Figure(fig, alt="…")`',
        ),
        ('Table({"a": [1, 2], "b": [1]})', 6, "the columns differ in length: `a` 2, `b` 1"),
        ("object()", 6, "`x` is a object; results are numbers"),
        ("algorithm(run)", 6, 'takes a title: write `@algorithm("Title")`'),
    ],
)
def test_a_mistake_in_a_result(
    site: Site, capsys: pytest.CaptureFixture[str], mistake: str, line: int, told: str
) -> None:
    site.write_demo("d", PLOT.replace("MISTAKE", mistake))
    site.write("templates/notes/n.md", f"{HEAD}demo: d\n---\n<%= x %>\n")
    code, lines = tell(site, capsys, "build")
    assert code == 1
    assert lines[0].startswith(f"demos/d.py:{line}: ") and told in lines[0]


@pytest.mark.parametrize("text", ["Just text.\n", "\n", "# A heading\n"])
def test_a_note_without_front_matter_is_told(
    site: Site, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    site.write("templates/notes/n.md", text)
    code, lines = tell(site, capsys, "build")
    assert code == 0
    assert lines[0].startswith("templates/notes/n.md:1: warning: the note has no front matter")
    assert "title:" in lines[1] and "date:" in lines[1]


def test_a_demo_with_a_dash_is_found(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.write_demo("my-demo", RESULTS)
    site.write("templates/notes/n.md", f"{HEAD}demo: my-demo\n---\nIt is <%= left %>.\n")
    assert tell(site, capsys, "build") == (0, [])


@pytest.mark.parametrize(
    ("slug", "hint"),
    [
        ("My Note", "such as `my-note`"),
        ("my_note", "such as `my-note`"),
        ("Größe", "such as `grosse`"),
        ("index", "Hugo takes `index` for a folder's own page"),
        ("日本", "use lower-case letters"),
    ],
)
def test_new_proposes_a_slug(
    site: Site, capsys: pytest.CaptureFixture[str], slug: str, hint: str
) -> None:
    code, lines = tell(site, capsys, "new", slug)
    assert code == 2
    assert lines[0] == f"`{slug}` is not a slug"
    assert hint in lines[1]


def test_a_template_with_a_blank_in_its_name(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.write("templates/notes/My note.md", f"{HEAD}---\nText.\n")
    code, lines = tell(site, capsys, "build")
    assert code == 1
    assert lines[0].startswith("templates/notes/My note.md:1: `My note` is not a safe slug")
    assert "letters, digits" in lines[1]


def test_a_slug_in_capitals_is_published(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.write("templates/notes/MyNote.md", f"{HEAD}---\nText.\n")
    assert tell(site, capsys, "build") == (0, [])
    assert "Text." in site.read("content/notes/MyNote.md")


def test_new_from_a_file_that_is_not_there(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = tell(site, capsys, "new", "n", "--from", "nothing.md")
    assert (code, lines) == (2, ["nothing.md: can't be read: No such file or directory"])


def test_a_folder_that_is_no_site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = tell(Site(tmp_path), capsys, "init")
    assert code == 2
    assert lines[0] == "no Hugo site here: there is no hugo.toml"
    assert "hugo new site" in lines[1]


def test_a_site_without_notes_says_how_to_start_one(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", "--force", "--site", str(site.root)]) == 0
    assert "start one: python -m generator new first-note" in capsys.readouterr().out
