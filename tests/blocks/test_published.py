"""Blocks as Hugo publishes them, with the settings that SciDraft asks for."""

from __future__ import annotations

import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from generator.blocks.base import Where
from generator.blocks.figure import Figure
from generator.blocks.filetree import FileTree
from generator.blocks.listing import Listing
from generator.blocks.style import subplots
from generator.blocks.table import Table
from generator.values import Md, Tex
from tests.markup import MARKUP

HERE = Where("note", "block", 4)
CONFIG = f"""
baseURL = "https://example.org/lab/"
disableKinds = ["taxonomy", "term", "RSS", "sitemap", "404"]
{MARKUP}
[[module.mounts]]
source = "static"
target = "static"
[[module.mounts]]
source = "static"
target = "assets"
"""
CELLS = [
    "y|n", "a\\|b", "*x* _y_ `z`", "<b>&amp;</b>", "it costs $10 or $20", r"\(x|y\)", "{{< x >}}",
    "{{% x %}}", "https://example.org/a_b", "![a](b)", "[^1]", "~~s~~", ":smile:",
    "'q' -- \"r\"...",
    "<!--more-->", "# x", "1. x", "| --- |", "{.table-striped}", "\\", "http://a|b",
]  # fmt: skip
CODE = [
    "{{%s|token}}", "{{< ref >}}", "{{</* x */>}}", "{{%/* x */%}}", "a\n\n<!--more-->\n\nb",
    "```\nin\n```", "<b>&amp;</b> </pre></code>", "tab\tand  spaces  \n   indent",
    "$x$ \\(y\\) $$z$$",
    "a\n\n\nb", "{{", "`{{<`", "{#id .class}", "&lt;", "{{%s|token}}\n\n    code\n\n- list",
]  # fmt: skip


class Reader(HTMLParser):
    """Cells of tables, text of code, and the tags with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.codes: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag == "pre":
            self.codes.append("")

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.text += data
        if "pre" in self._open:
            self.codes[-1] += data
        elif {"td", "th"} & set(self._open):
            self.rows[-1][-1] += data

    def attributes(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def publish(hugo: str, site: Path, notes: dict[str, str]) -> dict[str, Reader]:
    """Each note's page, read; any warning of Hugo's fails."""
    (site / "content").mkdir(parents=True)
    (site / "layouts").mkdir()
    (site / "hugo.toml").write_text(CONFIG)
    (site / "layouts" / "single.html").write_text("{{ .Content }}")
    for kind in ("home", "section"):
        (site / "layouts" / f"{kind}.html").write_text("list")
    for name, markdown in notes.items():
        (site / "content" / f"{name}.md").write_text(f"---\ntitle: {name}\n---\n\n{markdown}\n")
    done = subprocess.run([hugo], cwd=site, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "WARN" not in done.stdout + done.stderr, done.stderr
    pages = {}
    for name in notes:
        pages[name] = Reader()
        pages[name].feed((site / "public" / name / "index.html").read_text())
    return pages


@pytest.fixture(scope="module")
def pages(hugo: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Reader]:
    """All of this module's notes, published in one run."""
    folder = tmp_path_factory.mktemp("published")
    tree = folder / "tree"
    (tree / "{{< x >}}").mkdir(parents=True)
    (tree / "{{< x >}}" / "a.py").write_text("# {{% y %}}\n")
    (tree / "```").write_text("")
    figure, axes = subplots()
    axes.plot([1, 2], [3, 4])
    axes.set(xlabel="x", ylabel="y")
    drawn = Figure(figure, alt='A "line" <b> [up] *now* $5', caption=r"Loss of \(x_1\).")
    math = Table(
        {
            r"\(|V|\)": [Tex("|V|"), Tex(r"\|x\|"), Tex("a<b")],
            "m": [Md(r"**a|b**"), Md("`c|d`"), "e"],
        },
        variant="academic",
        caption="Sizes.",
    )
    notes = {
        "cells": Table({"a|b": CELLS, "n": range(len(CELLS))}).to_markdown(HERE),
        "math": math.to_markdown(HERE),
        "striped": Table({"a": [1]}, variant="striped").to_markdown(HERE),
        "figure": drawn.to_markdown(HERE),
        "tree": FileTree(tree).to_markdown(HERE),
        "numbered": Listing("a = 1\nb = 2", language="python", numbered=True).to_markdown(HERE),
    }
    for number, code in enumerate(CODE):
        listing = Listing(code, language="go").to_markdown(HERE)
        notes[f"code-{number}"] = f"before\n\n{listing}\n\nafter"
    return publish(hugo, folder / "site", notes)


def test_cells_come_out_to_the_letter(pages: dict[str, Reader]) -> None:
    rows = pages["cells"].rows
    assert rows[0] == ["a|b", "n"]
    assert rows[1:] == [[cell, str(number)] for number, cell in enumerate(CELLS)]


def test_math_and_markdown_in_cells(pages: dict[str, Reader]) -> None:
    page = pages["math"]
    assert page.rows == [
        [r"\(\vert V\vert\)", "m"],
        [r"\(\vert V\vert \)", "a|b"],
        [r"\(\Vert x\Vert \)", "c|d"],
        [r"\(a\lt b\)", "e"],
    ]
    assert page.attributes("table") == [{"class": "table-academic"}]
    assert page.attributes("p") == [{"class": "table-caption"}]


def test_the_variant_reaches_the_table(pages: dict[str, Reader]) -> None:
    assert pages["striped"].attributes("table") == [{"class": "table-striped"}]
    assert "{" not in pages["striped"].text


def test_a_figure_is_one_paragraph_with_its_image_caption_and_data(
    pages: dict[str, Reader],
) -> None:
    page = pages["figure"]
    assert page.attributes("p") == [{"class": "figure"}]
    (image,) = page.attributes("img")
    assert image["alt"] == 'A "line" <b> [up] *now* $5'
    assert str(image["src"]).endswith("/figures/note/block.svg")
    (link,) = page.attributes("a")
    assert str(link["href"]).endswith("/figures/note/block.csv")
    assert "Loss of" in page.text and len(page.attributes("em")) == 1


@pytest.mark.parametrize("number", range(len(CODE)))
def test_code_comes_out_to_the_letter(pages: dict[str, Reader], number: int) -> None:
    page = pages[f"code-{number}"]
    assert page.codes == [CODE[number].strip("\n") + "\n"]
    assert page.text.strip().startswith("before") and page.text.strip().endswith("after")


def test_a_tree_with_hostile_names_comes_out_to_the_letter(pages: dict[str, Reader]) -> None:
    assert pages["tree"].codes == ["tree/\n├── {{< x >}}/\n│   └── a.py    # {{% y %}}\n└── ```\n"]


def test_line_numbers(pages: dict[str, Reader]) -> None:
    assert [code.split() for code in pages["numbered"].codes] == [
        ["1", "2"],
        ["a", "=", "1", "b", "=", "2"],
    ]
