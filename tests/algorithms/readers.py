"""What readers see of an algorithm: its numbered lines, in SciDraft's renderer and in Hugo's."""

from __future__ import annotations

import html
import re
from pathlib import Path

from generator.algorithms.block import Algorithm
from generator.algorithms.lines import UNNUMBERED, Line
from generator.blocks.base import Where
from tests.browser.sites import Built, build_site, copy_frame, write_note

from .node import render_algorithms

Seen = list[tuple[int | None, str]]
"""Number, if there is one, and text; formulas between dollars."""

WHERE = Where("note", "result", 3)
PAGE = "notes/algorithms/"
_AROUND = {
    "For": ("for ", " do"),
    "ForAll": ("for all ", " do"),
    "While": ("while ", " do"),
    "If": ("if ", " then"),
    "ElsIf": ("else if ", " then"),
    "Until": ("until ", ""),
    "Return": ("return ", ""),
    "Require": ("Require: ", ""),
    "Ensure": ("Ensure: ", ""),
    "EndFor": ("end for", ""),
    "EndWhile": ("end while", ""),
    "EndIf": ("end if", ""),
    "Else": ("else", ""),
    "Repeat": ("repeat", ""),
    "Break": ("break", ""),
    "Continue": ("continue", ""),
}


def expect_lines(block: Algorithm) -> Seen:
    """What the block's lines should look like to a reader."""
    seen: Seen = []
    number = 0
    for line in block.lines:
        shown = None if line.command in UNNUMBERED else (number := number + 1)
        before, after = _AROUND.get(line.command, ("", ""))
        seen.append((shown, squeeze(f"{before}{_plain(line)}{after}")))
    return seen


def _plain(line: Line) -> str:
    """The text of a line without its markup."""
    text = re.sub(r"\\hspace\{.*?\}", "", line.text)
    formulas: list[str] = []

    def keep(match: re.Match[str]) -> str:
        formulas.append(match[1])
        return f"\0{len(formulas) - 1}\0"

    text = re.sub(r"\\\((.*?)\\\)", keep, text, flags=re.DOTALL)
    text = re.sub(r"\\Call\{(.*?)\}\{(.*?)\}", r"\1(\2)", text)
    text = re.sub(r"\\text(?:bf|it|tt)\{(.*?)\}", r"\1", text)
    text = re.sub(r"\\True", "true", text)
    text = re.sub(r"\\([%_&#{}$])", r"\1", text)
    return re.sub("\0(\\d+)\0", lambda m: f"${formulas[int(m[1])]}$", text)


def squeeze(text: str) -> str:
    """The text with single blanks and straight apostrophes, however it was typeset."""
    return " ".join(text.split()).replace("’", "'")


def see_in_browser_library(blocks: list[Algorithm]) -> list[Seen]:
    """The lines as pseudocode.js writes them, below the caption."""
    texts = [block.to_markdown(WHERE).split("\n", 1)[1].rsplit("\n", 1)[0] for block in blocks]
    pages: list[Seen] = []
    for outcome in render_algorithms(texts):
        assert "error" not in outcome, outcome
        lines = [
            (line["number"], squeeze(line["text"].replace(r"$\hspace{1em}$", "")))
            for line in outcome["lines"]
        ]
        pages.append(lines[1:])
    return pages


def see_in_theme(folder: Path, blocks: list[Algorithm]) -> list[Seen]:
    """The lines as Hugo writes them with the embedded theme."""
    page = build_page(folder, blocks).html(PAGE)
    figures = re.findall(r'<figure class="algorithm">(.*?)</figure>', page, re.DOTALL)
    return [_read_figure(figure) for figure in figures]


def build_page(folder: Path, blocks: list[Algorithm]) -> Built:
    """A site with one note that holds the algorithms."""
    copy_frame(folder)
    body = "\n\n".join(block.to_markdown(WHERE) for block in blocks)
    write_note(folder, "algorithms", body + "\n", "math: true\n")
    built = build_site(folder, folder / "public")
    assert built.code == 0, built.output
    return built


def _read_figure(source: str) -> Seen:
    seen: Seen = []
    for line in re.findall(r'<div class="alg-line[^>]*>(.*?)</div>', source, re.DOTALL):
        number = re.search(r'<span class="alg-number">(\d+):</span>', line)
        line = re.sub(r'<span class="alg-number">.*?</span>', "", line)
        line = re.sub(r"(?s)<!--k-->.*?<!--/k-->", "", line)
        line = re.sub(
            r'(?s)<math.*?<annotation encoding="application/x-tex">(.*?)</annotation>.*?</math>',
            r"$\1$",
            line,
        )
        text = html.unescape(re.sub(r"<[^>]*>", "", line)).replace("\u2060", "")
        seen.append((int(number[1]) if number else None, squeeze(text)))
    return seen
