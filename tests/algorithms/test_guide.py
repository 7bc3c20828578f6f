"""The author's page on algorithms: its example runs, and what it shows is what happens."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from generator.algorithms import Algorithm, block_of, observing
from generator.blocks.base import Where

from .loading import ROOT, load, observe, run_sample

GUIDE = (ROOT / "docs" / "algorithms.md").read_text("utf-8")


def fence(language: str) -> str:
    """The first fence of a language."""
    found = re.search(rf"^```{language}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def example(tmp_path: Path) -> Algorithm:
    module = load(tmp_path, fence("python"))
    with observing():
        results = module.run(np.random.default_rng(0))
    block = block_of(results["descend"])
    assert block is not None
    assert block.problems() == ()
    assert np.allclose(results["weights"], [1, -2, 0.5], atol=1e-4)
    return block


def test_the_example_prints_what_the_page_shows(example: Algorithm) -> None:
    shown = f"```pseudo-algorithm\n{fence('pseudo-algorithm')}```"
    assert example.to_markdown(Where("note", "descend", 3)) == shown


def test_the_example_s_steps_are_those_of_the_page(example: Algorithm) -> None:
    sentence = f"Step {example.step('step')} needs a rate; lines "
    sentence += f"{example.steps('residual', 'gradient')} are the costly ones"
    assert sentence in GUIDE


def test_the_example_fails_as_the_page_says(tmp_path: Path) -> None:
    module = load(tmp_path, fence("python").replace(r"\frac{2}{n}", r"\frac{1}{n}"), "descent")
    (problem,) = observe(tmp_path, module, run_sample)
    assert str(problem).replace(problem.path, "demos/descent.py") + "\n" == fence("text")
