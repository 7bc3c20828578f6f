"""Step numbers as a reader's browser shows them, in both renderers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from generator.algorithms import block_of
from generator.algorithms.block import Algorithm
from tests.browser.sites import Shown
from tests.programs import require

from .loading import ROOT, load
from .mutants import SOURCES
from .readers import PAGE, WHERE, Seen, build_page, expect_lines

pytestmark = pytest.mark.browser

SCRIPTS = ROOT / "tests" / "js" / "node_modules"
READ_THEME = """() => [...document.querySelectorAll('figure.algorithm')].map((figure) =>
  [...figure.querySelectorAll('.alg-line')].map((line) =>
    [line.querySelector('.alg-number')?.innerText ?? '', line.innerText]))"""
READ_LIBRARY = """(texts) => texts.map((text) => {
  const place = document.createElement('div');
  document.body.append(place);
  pseudocode.render(text, place, {lineNumber: true});
  return [...place.querySelectorAll('.ps-line')].slice(1).map((line) =>
    [line.querySelector('.ps-linenum')?.innerText ?? '', line.innerText]);
})"""


@pytest.fixture(scope="module")
def blocks(tmp_path_factory: pytest.TempPathFactory) -> list[Algorithm]:
    folder = tmp_path_factory.mktemp("algorithms")
    found = []
    for name, (path, _) in sorted(SOURCES.items()):
        module = load(folder, path.read_text("utf-8"), name)
        found += [block for value in vars(module).values() if (block := block_of(value))]
    return found


def compare(seen: list[list[list[str]]], expected: list[Seen]) -> int:
    """Numbers agree, and so do the words of lines without formulas; how many were compared."""
    words = 0
    assert len(seen) == len(expected)
    for lines, wanted in zip(seen, expected, strict=True):
        numbers = [number.rstrip(":") for number, _ in lines]
        assert numbers == ["" if number is None else str(number) for number, _ in wanted]
        for (number, text), (_, plain) in zip(lines, wanted, strict=True):
            if "$" not in plain:
                words += 1
                shown = " ".join(text.removeprefix(number).split())
                assert shown.replace("’", "'") == plain
    return words


def test_the_embedded_theme_numbers_steps_as_they_are_cited(
    browser: Any,
    blocks: list[Algorithm],
    tmp_path: Path,
) -> None:
    built = build_page(tmp_path / "site", blocks)
    context = browser.new_context()
    try:
        context.route("**/*", Shown(built).answer)
        page = context.new_page()
        page.goto(built.base + PAGE)
        seen = page.evaluate(READ_THEME)
    finally:
        context.close()
    assert compare(seen, [expect_lines(block) for block in blocks]) > 40


def test_scidraft_s_renderer_numbers_steps_as_they_are_cited(
    browser: Any,
    blocks: list[Algorithm],
) -> None:
    katex = SCRIPTS / "katex" / "dist" / "katex.min.js"
    library = SCRIPTS / "pseudocode" / "build" / "pseudocode.min.js"
    require(library.is_file(), "pseudocode.js isn't installed: npm install in tests/js")
    context = browser.new_context()
    try:
        page = context.new_page()
        page.set_content("<!doctype html><title>Algorithms</title>")
        page.add_script_tag(path=str(katex))
        page.add_script_tag(path=str(library))
        fences = [block.to_markdown(WHERE) for block in blocks]
        texts = [clean_up(fence.split("\n", 1)[1].rsplit("\n", 1)[0]) for fence in fences]
        seen = page.evaluate(READ_LIBRARY, texts)
    finally:
        context.close()
    assert compare(seen, [expect_lines(block) for block in blocks]) > 40


def clean_up(text: str) -> str:
    """What the theme does to a text before it hands it over."""
    from generator.algorithms.cleaned import clean_up as clean

    return clean(text).text
