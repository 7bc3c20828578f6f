"""`new`: what it writes works as it is, and overwrites nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import generator.scaffold as scaffold
from generator.cli import main
from generator.errors import GeneratorError, Problem
from tests.use.conftest import CONFIG, generate, write

THEMES = Path(__file__).parent.parent.parent / "themes"
KINDS = ("figure", "table", "algorithm", "tree", "plain")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    root = tmp_path / "site"
    write(root / "hugo.toml", 'title = "Site"\n')
    return root


def new(site: Path, *words: str) -> int:
    return main(["new", "--site", str(site), *words])


def build(site: Path) -> int:
    return main(["build", "--quiet", "--site", str(site)])


def test_every_kind_builds_passes_its_test_and_is_published_without_a_warning(
    site: Path, hugo: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", "--site", str(site)]) == 0
    for kind in KINDS:
        assert new(site, f"a-{kind}", "--kind", kind, "--title", f'Of "{kind}": <%= a %>') == 0
    done = generate(site, "build")
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr
    assert generate(site, "check").returncode == 0
    tests = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=site,
        capture_output=True,
        text=True,
    )
    assert tests.returncode == 0, tests.stdout
    theme = ["--themesDir", str(THEMES), "--theme", "scidraft-static"]
    shown = subprocess.run(
        [hugo, "--panicOnWarning", *theme], cwd=site, capture_output=True, text=True
    )
    assert shown.returncode == 0, shown.stderr
    for kind in KINDS:
        page = (site / f"public/notes/a-{kind}/index.html").read_text("utf-8")
        assert f"Of &#34;{kind}&#34;: &lt;%= a %&gt;" in page


def test_the_seed_is_written_out(site: Path) -> None:
    for kind in ("figure", "table", "algorithm"):
        assert new(site, kind, "--kind", kind) == 0
        assert "\nseed: 1\n" in (site / f"templates/notes/{kind}.md").read_text("utf-8")


def test_it_follows_the_folders_of_the_settings(site: Path) -> None:
    settings = '[params.generator]\ntemplates = "src"\ndemos = "py/demos"\nsection = "posts"\n'
    write(site / "hugo.toml", CONFIG + settings)
    for kind in KINDS:
        assert new(site, f"a-{kind}", "--kind", kind) == 0
    assert (site / "src/notes/a-figure.md").is_file()
    assert "py/demos/a_figure.py" in (site / "tests/test_a_figure.py").read_text("utf-8")
    assert build(site) == 0
    assert (site / "content/posts/a-figure.md").is_file()


@pytest.mark.parametrize(
    "there",
    [
        "templates/notes/walk.md",
        "templates/notes/walk/index.md",
        "templates/notes/sub/walk.md",
        "demos/walk.py",
        "tests/test_walk.py",
    ],
)
def test_it_refuses_to_overwrite(
    site: Path, capsys: pytest.CaptureFixture[str], there: str
) -> None:
    write(site / there, "mine")
    assert new(site, "walk") == 2
    assert f"{there}: is there already" in capsys.readouterr().err
    files = [path for path in site.rglob("*") if path.is_file()]
    assert sorted(path.name for path in files) == sorted(["hugo.toml", Path(there).name])
    assert (site / there).read_text() == "mine"


@pytest.mark.parametrize("slug", ["Walk", "../walk", "a b", "index", "a-", "walk.md", ""])
def test_what_is_no_slug_is_said(site: Path, capsys: pytest.CaptureFixture[str], slug: str) -> None:
    assert new(site, slug) == 2
    assert f"`{slug}` is not a slug" in capsys.readouterr().err
    assert not (site / "templates").exists()


@pytest.mark.parametrize(
    "text",
    [
        b"---\ntitle: Hand\n---\nText {date} {demos} with $5 and a tail  \n\n",
        b"\xef\xbb\xbf---\r\ntitle: Hand\r\n---\r\nBOM and CRLF.\r\n",
        b"+++\ntitle = 'Hand'\n+++\nTOML, no newline at its end",
        "Kein Vorspann, aber Umlaute: äöü — ✓\n".encode(),
    ],
)
def test_a_note_is_taken_over_byte_for_byte(site: Path, text: bytes) -> None:
    page = site / "content/notes/hand.md"
    page.parent.mkdir(parents=True)
    page.write_bytes(text)
    assert new(site, "hand", "--from", str(page)) == 0
    assert (site / "templates/notes/hand.md").read_bytes() == text


def test_a_page_of_the_site_is_taken_over_in_place(site: Path) -> None:
    text = "---\ntitle: Hand\ndate: 2026-01-01T00:00:00Z\ndescription: d\n---\nBy hand.\n"
    write(site / "content/notes/hand.md", text)
    assert new(site, "hand", "--from", str(site / "content/notes/hand.md")) == 0
    assert build(site) == 0
    assert (site / "content/notes/hand.md").read_text("utf-8") == text
    template = site / "templates/notes/hand.md"
    template.write_text(text + "\n<%= 1 + 1 %>\n")
    assert build(site) == 0
    assert (site / "content/notes/hand.md").read_text("utf-8").endswith("\n2\n")


def test_a_literal_tag_in_a_note_comes_out_again(site: Path) -> None:
    text = "---\ntitle: ERB\n---\nWrite `<%= x %>` in ERB.\n"
    write(site / "erb.md", text)
    assert new(site, "erb", "--from", str(site / "erb.md")) == 0
    assert build(site) == 0
    assert "Write `<%= x %>` in ERB." in (site / "content/notes/erb.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.md", b"---\ntitle: [\n---\n", "a.md:"),
        ("a.md", b"\xff\xfe", "can't be read"),
        ("a.txt", b"text", "neither a note (.md) nor a notebook (.ipynb)"),
        ("a.ipynb", b"{", "is not a notebook"),
        ("a.ipynb", b"[]", "is not a notebook"),
        ("missing.md", None, "can't be read"),
    ],
)
def test_what_cannot_be_taken_over_is_said(
    site: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes | None, said: str
) -> None:
    pytest.importorskip("nbformat")
    if content is not None:
        (site / name).write_bytes(content)
    assert new(site, "a", "--from", str(site / name)) == 2
    assert said in capsys.readouterr().err
    assert not (site / "templates").exists()


def cell(kind: str, source: str) -> dict[str, object]:
    code = {"execution_count": 1, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, "source": source, **code}


def notebook(*cells: dict[str, object]) -> str:
    data = {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    return json.dumps(data)


def test_a_notebook_starts_a_template_and_a_demo(site: Path) -> None:
    pytest.importorskip("nbformat")
    text = notebook(
        cell("markdown", "# Growth\n\nA line with \\(x^2\\)."),
        cell("code", "%matplotlib inline\nimport numpy as np\nx = np.arange(4)"),
        cell("code", "import math\ntext = '''one\n  two'''\n!ls\nfiles = !ls\nx?\ntotal = x.sum()"),
        cell("code", "%%bash\necho never"),
        cell("code", "%%time\ndef double(y):\n    return 2 * y\nlength = double(len(text))"),
        cell("markdown", "The total is high; `<%` stays."),
    )
    write(site / "growth.ipynb", text)
    assert new(site, "growth", "--from", str(site / "growth.ipynb")) == 0
    template = (site / "templates/notes/growth.md").read_text("utf-8")
    assert 'title: "Growth"' in template
    assert template.endswith("A line with \\(x^2\\).\n\nThe total is high; `<%%` stays.\n")
    assert build(site) == 0
    demo = site / "demos/growth.py"
    source = demo.read_text("utf-8")
    for name in ("x", "text", "total", "length"):
        assert f'# "{name}": {name},' in source
        source = source.replace(f'# "{name}"', f'"{name}"')
    write(demo, source)
    write(site / "templates/notes/growth.md", template + "\n<%= total %> <%= length %>\n")
    assert build(site) == 0
    assert (site / "content/notes/growth.md").read_text("utf-8").endswith("\n6 18\n")


def test_an_empty_notebook_is_a_start_too(site: Path) -> None:
    pytest.importorskip("nbformat")
    write(site / "empty.ipynb", notebook())
    assert new(site, "empty", "--from", str(site / "empty.ipynb")) == 0
    assert build(site) == 0


def test_a_note_that_cannot_be_written_whole_is_not_begun(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = scaffold.write_file

    def refuse(root: Path, path: str, content: bytes) -> None:
        if path.endswith(".py"):
            raise GeneratorError(Problem(path, 0, "can't be written"))
        real(root, path, content)

    monkeypatch.setattr(scaffold, "write_file", refuse)
    assert new(site, "half", "--kind", "figure") == 1
    assert not list(site.rglob("*half*"))
