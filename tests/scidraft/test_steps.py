"""The step numbers that sentences cite are those that readers see, in both renderers."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from generator.algorithms.block import Algorithm
from generator.results import decode
from tests.algorithms.readers import expect_lines, squeeze
from tests.browser.sites import ROOT

from .conftest import Seen
from .sources import ALGORITHMS, SHIPPED

CALL = re.compile(r"[Ss]teps? <%= (\w+)\.(steps?)\(([^)]*)\) %>")
CITED = re.compile(r"[Ss]teps? (\d+(?:–\d+)?)")

Lines = list[tuple[int | None, str]]


def read_blocks(name: str) -> dict[str, Algorithm]:
    """The algorithms in a note's record, by the name of the result."""
    record = json.loads((ROOT / "data" / "notes" / f"{name}.json").read_text("utf-8"))
    results = {key: decode(value) for key, value in record["results"].items()}
    return {key: value for key, value in results.items() if isinstance(value, Algorithm)}


def find_citations(name: str) -> list[tuple[Algorithm, list[str], str]]:
    """Each citation of a step in the template: block, labels, and the number to be printed."""
    template = (ROOT / "templates" / "notes" / f"{name}.md").read_text("utf-8")
    blocks = read_blocks(name)
    aliases = dict(re.findall(r"<% set (\w+) = (\w+)\.as_list\(\) %>", template))
    found = []
    for block_name, method, arguments in CALL.findall(template):
        block = blocks.get(aliases.get(block_name, block_name))
        assert block is not None, f"{name}: {block_name} is no algorithm of the record"
        if block_name in aliases:
            block = block.as_list()
        labels = re.findall(r'"([^"]*)"', arguments)
        found.append((block, labels, str(getattr(block, method)(*labels))))
    return found


def lines_of(found: dict[str, Any]) -> Lines:
    return [(number or None, squeeze(text)) for number, text in found["lines"]]


CITING = [name for name in SHIPPED if find_citations(name)]


@pytest.mark.parametrize("name", CITING)
def test_cited_numbers_are_those_of_the_lines_that_readers_see(seen: Seen, name: str) -> None:
    citations = find_citations(name)
    numbers = [number for _, _, number in citations]
    alone = next(s for s in seen.sights if (s.name, s.region) == (name, "note"))
    embedded = seen.embedded[name]
    assert CITED.findall(alone.seen["words"]) == numbers
    assert CITED.findall(embedded["words"]) == numbers
    for block, labels, number in citations:
        first, _, last = number.partition("–")
        if block.form == "list":
            steps = dict.fromkeys(line.step for line in block.lines if line.label == labels[0])
            assert list(steps) == [int(first)]
            prose = next(line for line in block.lines if line.label == labels[0]).text
            start = re.split(r"\\\(|[.:]", prose)[0].strip()
            for view in (alone.seen, embedded):
                outlines = [
                    items for items in view["outlines"] if len(items) == block.lines[-1].step
                ]
                assert any(squeeze(items[int(first) - 1]).startswith(start) for items in outlines)
            continue
        expected = expect_lines(block)
        views = [lines_of(one)[1:] for one in alone.seen["algorithms"]]
        assert expected in views
        inside = [lines_of(one) for one in embedded["algorithms"]]
        assert any(lines[-len(expected) :] == expected for lines in inside)
        labelled = [
            at for at, line in zip(expected, block.lines, strict=True) if line.label in labels
        ]
        assert labelled[0][0] == int(first)
        assert labelled[-1][0] == int(last or first)


def test_some_notes_cite_steps() -> None:
    assert sum(len(find_citations(name)) for name in CITING) >= 8


def compare(seen: Seen, name: str) -> list[Lines]:
    """The lines of a note's algorithms, equal in both renderers, without the captions."""
    alone = next(s for s in seen.sights if (s.name, s.region) == (name, "note"))
    theirs = [lines_of(one)[1:] for one in alone.seen["algorithms"]]
    ours = [lines_of(one) for one in seen.embedded[name]["algorithms"]]
    assert theirs == ours
    return theirs


@pytest.mark.parametrize("name", SHIPPED)
def test_both_renderers_number_a_note_s_algorithms_alike(seen: Seen, name: str) -> None:
    printed = [expect_lines(block) for block in read_blocks(name).values()]
    assert all(lines in printed for lines in compare(seen, name))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_both_renderers_number_hand_written_algorithms_alike(seen: Seen, name: str) -> None:
    assert all(compare(seen, name))
