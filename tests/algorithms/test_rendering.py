"""Random algorithms, and the samples, as readers see them: nothing is lost, numbers agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from generator.algorithms import block_of
from generator.algorithms.block import Algorithm
from generator.algorithms.words import words

from .loading import load
from .mutants import SOURCES
from .readers import expect_lines, see_in_browser_library, see_in_theme, squeeze

WORDS = st.sampled_from(
    sorted(
        words(
            r"""
        Add every entry; take 5\% of it (at most) — don't “here”: a/b is \#1, top\_p \& co
        Größe k=3 end-of-line [brackets] * 1. <b> ! \textbf{bold}
        \(x_i\lt{}y\) \(\alpha^{2}\) \(M_{a,b}\),
        """
        )
    )
)
FORMULAS = st.sampled_from(
    [r"\(x \leftarrow x + 1\)", r"by \(\frac{a}{b}\), that is \(c\)", r"\(\{x : x \gt 0\}\)"]
)
VALUES = st.sampled_from(
    ["a + b", "a * (b - x)", "np.sqrt(a) / 2", "a ** 2 - b", "-x", "f(a, b)", "max(a, 3)", "x % 2"]
)
TESTS = st.sampled_from(["a < b", "x > 0 and a != b", "not x == 2", "a <= x <= b"])
# A first word in square brackets would be a label.
prose = st.lists(WORDS, max_size=5).map(lambda found: " ".join(["So", *found]))


@st.composite
def simple(draw: st.DrawFn) -> list[str]:
    lines = [f"# {draw(prose)}"] if draw(st.booleans()) else []
    statement = f"{draw(st.sampled_from('abx'))} = {draw(VALUES)}"
    if draw(st.booleans()):
        statement += f"  #~ {draw(FORMULAS)} {draw(prose)}"
    if draw(st.integers(0, 4)) == 0:
        lines.append("")
    return [*lines, statement]


@st.composite
def construct(draw: st.DrawFn, inner: st.SearchStrategy[list[str]]) -> list[str]:
    lines = [f"# {draw(prose)}"] if draw(st.booleans()) else []
    bodies = st.lists(inner, min_size=1, max_size=3).map(
        lambda parts: [f"    {line}" if line else "" for part in parts for line in part]
    )
    kind = draw(st.sampled_from(["for", "while", "if", "elif", "else", "repeat"]))
    if kind == "for":
        return [*lines, f"for i in range({draw(st.integers(2, 9))}):", *draw(bodies)]
    if kind == "while":
        return [*lines, f"while {draw(TESTS)}:", *draw(bodies)]
    if kind == "repeat":
        return [*lines, "while True:", *draw(bodies), f"    if {draw(TESTS)}:", "        break"]
    lines += [f"if {draw(TESTS)}:", *draw(bodies)]
    if kind == "elif":
        above = [f"# {draw(prose)}"] if draw(st.booleans()) else []
        lines += [*above, f"elif {draw(TESTS)}:", *draw(bodies)]
    if kind != "if":
        above = [f"# {draw(prose)}"] if draw(st.booleans()) else []
        lines += [*above, "else:", *draw(bodies)]
    return lines


statements = st.recursive(simple(), construct, max_leaves=8)


@st.composite
def program(draw: st.DrawFn) -> str:
    """The source of an algorithm that no run is asked of."""
    parts = draw(st.lists(statements, min_size=1, max_size=5))
    head = [
        "import numpy as np",
        "from generator import algorithm",
        "def f(a, b): return a",
        f"@algorithm({draw(prose)!r})",
        "def g(a, b, x):",
        '    r"""',
        f"    Require: {draw(prose)}",
        f"    Ensure: {draw(prose)}",
        '    """',
    ]
    body = [f"    {line}" if line else "" for part in parts for line in part]
    return "\n".join([*head, *body, "    return x, a", ""])


QUICK = settings(
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],
)
"""Without shrinking: a failing program is short enough to read."""


@settings(QUICK, max_examples=6)
@given(sources=st.lists(program(), min_size=8, max_size=8))
def test_nothing_of_a_random_algorithm_is_lost(sources: list[str], tmp_path: Path) -> None:
    blocks = []
    for source in sources:
        block = block_of(load(tmp_path, source).g)
        assert block is not None
        assert not [p for p in block.problems() if "never" not in p.message], source
        lines = [squeeze(line.text) for line in block.lines]
        for comment in re.findall(r"# (.*)|#~ (.*)|(?:Require|Ensure): (.*)", source):
            text = squeeze("".join(comment))
            assert any(text in line for line in lines), (text, lines)
        assert sum(line.command == "State" for line in block.lines) >= source.count(" = ")
        blocks.append(block)
    for block, seen in zip(blocks, see_in_browser_library(blocks), strict=True):
        assert seen == expect_lines(block)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[Algorithm]:
    """Every algorithm of the samples and the demos, and some random ones."""
    folder = tmp_path_factory.mktemp("samples")
    found = []
    for name, (path, _) in sorted(SOURCES.items()):
        module = load(folder, path.read_text("utf-8"), name)
        found += [
            block
            for value in vars(module).values()
            if (block := block_of(value)) and value.__module__ == module.__name__
        ]
    return found


def test_the_samples_read_the_same_in_both_renderers(
    samples: list[Algorithm], tmp_path: Path
) -> None:
    expected = [expect_lines(block) for block in samples]
    assert see_in_browser_library(samples) == expected
    assert see_in_theme(tmp_path / "site", samples) == expected


def test_steps_have_the_numbers_that_readers_see(samples: list[Algorithm]) -> None:
    seen = see_in_browser_library(samples)
    cited = 0
    for block, lines in zip(samples, seen, strict=True):
        for line in block.lines:
            if line.label:
                cited += 1
                first = block.step(line.label)
                assert any(number == first and text for number, text in lines)
                prose = next(other for other in block.lines if other.label == line.label)
                texts = dict(lines)
                assert texts[first] == expect_lines(block)[block.lines.index(prose)][1]
    assert cited > 20


@settings(QUICK, max_examples=2)
@given(sources=st.lists(program(), min_size=12, max_size=12))
def test_the_embedded_theme_loses_nothing_either(
    sources: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("random")
    blocks = [block for source in sources if (block := block_of(load(folder, source).g))]
    seen = see_in_theme(folder / "site", blocks)
    assert seen == [expect_lines(block) for block in blocks]
