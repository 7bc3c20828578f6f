"""Every claim rests on its results: change any one that it names, and the build fails there.

A result that is printed as a literal is moved by just more than the printed precision, one that
is held against a bound to just beyond it. The results in any other condition are scaled, turned
round, cut short or replaced until the claim breaks; each one that the condition names must be
able to break it alone.
"""

from __future__ import annotations

import copy
import dataclasses
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import jinja2
import pytest
from jinja2 import nodes

from generator.blocks.base import Block
from generator.compute import Outcome
from generator.scanner import scan_template
from generator.values import Measure
from tests.demos.shipped import NOTES, render, results_of

Path = tuple[str | int, ...]
"""Keys and indices that lead to a part of the results."""
JINJA = jinja2.Environment()
FACTORS = (-1.0, 0.0, 0.5, 2.0, 1e3, -1e3, 1e-3, 1e8, 1e16)
SHIFTS = (1, -1, 1e-3, -1e-3)
STATED = re.compile(
    r"""^(?P<path>[\w.\[\]-]+)(\s*\|\s*(percent|thousands|fixed|sig|sci)(\(\d+\))?)?
    \s*\|\s*claim\(\s*["'](?P<literal>[^"']+)["']\s*(,\s*(?P<bound>below|above)=True)?\s*\)$""",
    re.VERBOSE,
)
"""A claim that prints one result, as it rounds or as a bound."""


def paths_in(source: str, results: dict[str, Any]) -> set[Path]:
    """The parts of the results that an expression names, as far as its indices are constant."""
    tree = JINJA.parse("{{ " + source + " }}")
    return {path for path in _chains(tree) if path[0] in results}


def _chains(node: nodes.Node) -> Iterator[Path]:
    path = _chain(node)
    if path:
        yield path
        return
    for child in node.iter_child_nodes():
        yield from _chains(child)


def _chain(node: nodes.Node) -> Path | None:
    if isinstance(node, nodes.Name):
        return (node.name,)
    if isinstance(node, nodes.Getattr):
        outer = _chain(node.node)
        return (*outer, node.attr) if outer else None
    if isinstance(node, nodes.Getitem):
        outer = _chain(node.node)
        try:
            key = node.arg.as_const()
        except nodes.Impossible:
            return None
        return (*outer, key) if outer and isinstance(key, (str, int)) else None
    return None


def value_at(value: Any, path: Path) -> Any:
    for key in path:
        value = getattr(value, str(key)) if isinstance(value, Measure) else value[key]
    return value


def replaced(value: Any, path: Path, change: Callable[[Any], Any]) -> Any:
    """A copy of a value with the part at `path` changed."""
    if not path:
        return change(copy.deepcopy(value))
    key, *rest = path
    inner = replaced(value_at(value, (key,)), tuple(rest), change)
    if isinstance(value, Measure):
        return dataclasses.replace(value, **{str(key): inner})
    copied = copy.copy(value)
    copied[key] = inner
    return copied


def wrong_values(value: Any) -> Iterator[Any]:
    """Other values of the same kind."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, str):
        yield value + "?"
    elif isinstance(value, (int, float)):
        yield from (type(value)(value * factor) for factor in FACTORS)
        yield from (value + shift for shift in SHIFTS)
    elif isinstance(value, Measure):
        yield from (Measure(v, value.std) for v in wrong_values(value.nominal))
        yield from (Measure(value.nominal, v) for v in wrong_values(value.std) if v >= 0)
    elif isinstance(value, list):
        yield value[:-1]
        yield [*value, *value[-1:]]
        yield value[::-1]
        yield from ([scaled(item, factor) for item in value] for factor in FACTORS)
        for i, item in enumerate(value):
            yield from ([*value[:i], wrong, *value[i + 1 :]] for wrong in wrong_values(item))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield {k: v for k, v in value.items() if k != key}
            yield from ({**value, key: wrong} for wrong in wrong_values(item))
    else:
        assert isinstance(value, Block), f"{value!r} is nothing to claim"


def scaled(value: Any, factor: float) -> Any:
    """A value with all its numbers multiplied."""
    if isinstance(value, list):
        return [scaled(item, factor) for item in value]
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value * factor if is_number else value


def unit_of(literal: str) -> float:
    """One unit in the last printed digit."""
    text = literal.replace(",", "").replace("−", "-").rstrip("%")
    scale = Decimal(1).scaleb(int(Decimal(text).as_tuple().exponent))
    return float(scale) / (100 if literal.endswith("%") else 1)


def bound_of(literal: str) -> float:
    return float(literal.replace(",", "").rstrip("%")) / (100 if literal.endswith("%") else 1)


def breaks(slug: str, results: dict[str, Any], i: int, line: int) -> bool:
    """Whether the build fails at the claim on `line`, the one at place `i`, with these results."""
    done = render(slug, results)
    at_line = any(p.is_error and p.code == "claim" and p.line == line for p in done.problems)
    return at_line and i < len(done.claims) and not done.claims[i].ok


def moves(stated: re.Match[str], value: float) -> list[float]:
    """Values just out of reach of a stated number or bound."""
    literal, bound = stated["literal"], stated["bound"]
    if bound is None:
        return [value + sign * 1.01 * unit_of(literal) for sign in (1, -1)]
    limit = bound_of(literal)
    return [limit + (abs(limit) if bound == "below" else -abs(limit)) * 1e-3]


def claims_in(template: str) -> list[tuple[int, str]]:
    """Line and expression of each claim in a template, in the order in which they are checked."""
    found: list[tuple[int, str]] = []
    open_claims: list[tuple[int, str]] = []
    for piece in scan_template(template, ""):
        text = piece.text.strip()
        if piece.kind == "statement" and text.startswith("claim "):
            open_claims.append((piece.line, text.removeprefix("claim ")))
        elif piece.kind == "statement" and text == "endclaim":
            found.append(open_claims.pop())
        elif piece.kind == "expression" and re.search(r"\|\s*claim\b", text):
            found.append((piece.line, text))
    return found


def unmoved(slug: str, results: dict[str, Any], i: int, line: int, source: str) -> Iterator[str]:
    """What the claim names, and would be made with whatever its value."""
    paths = paths_in(source, results)
    if not paths:
        yield "it names no result"
    stated = STATED.match(source)
    for path in sorted(paths, key=str):
        value = value_at(results, path)
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if stated and number:
            for wrong in moves(stated, value):
                if not breaks(slug, replaced(results, path, lambda _, w=wrong: w), i, line):
                    yield f"{path} = {wrong}"
        elif not any(
            breaks(slug, replaced(results, path, lambda _, w=wrong: w), i, line)
            for wrong in wrong_values(value)
            if path[-1] != "std" or wrong >= 0
        ):
            yield f"{path} with any value"


@pytest.mark.parametrize("slug", sorted(NOTES))
def test_perturbed_results_fail_at_their_line(slug: str, outcomes: dict[str, Outcome]) -> None:
    results = results_of(outcomes[slug])
    done = render(slug, results).claims
    made = claims_in(NOTES[slug].text)
    assert [(claim.line, " ".join(claim.source.split())) for claim in done] == [
        (line, " ".join(source.split())) for line, source in made
    ]
    assert made and all(claim.ok for claim in done)
    loose = [
        f"{slug}:{line}: {source}: nothing breaks it: {what}"
        for i, (line, source) in enumerate(made)
        for what in unmoved(slug, results, i, line, source)
    ]
    assert not loose, "\n".join(loose)


@pytest.mark.parametrize("slug", sorted(NOTES))
def test_no_claim_is_weak(slug: str, outcomes: dict[str, Outcome]) -> None:
    claims = render(slug, results_of(outcomes[slug])).claims
    assert [f"{claim.source}: {claim.weak}" for claim in claims if claim.weak] == []
