"""Fences whose name nearly is one that the theme renders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from generator.lint.blocks import Block
from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Edit, Finding, Rule
from generator.lint.rules.mermaid_type import is_diagram

RENDERED = ("pseudo-algorithm", "mermaid")


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for fence in note.fences:
        name = fence.language or _class_name(fence)
        meant = _meant(name, fence)
        if meant and not (name == meant and fence.language):
            text = note.line(fence.first)
            at = note.starts[fence.first] + text.index(fence.info)
            edit = Edit(at, at + len(fence.info), meant)
            message = f"`{fence.info}` is nearly `{meant}`: the source will be shown"
            yield Finding(at, message, f"name the fence `{meant}`", (edit,))


def _class_name(fence: Block) -> str:
    """pandoc's form, `{.mermaid}`, which Hugo takes for an attribute."""
    found = re.match(r"\{\s*\.([\w-]+)", fence.info)
    return found[1] if found else ""


def _meant(name: str, fence: Block) -> str:
    """The rendered name that a fence's name and content both point to."""
    plain = re.sub(r"[\W_]", "", name).lower()
    if plain in ("pseudoalgorithm", "mermaid"):
        return "mermaid" if plain == "mermaid" else "pseudo-algorithm"
    near = get_close_matches(name.lower(), RENDERED, n=1, cutoff=0.8)
    algorithm = fence.content.lstrip().startswith("\\begin{algorithm")
    if algorithm and ("pseudo-algorithm" in near or plain in ("algorithm", "pseudocode", "pseudo")):
        return "pseudo-algorithm"
    return "mermaid" if "mermaid" in near and is_diagram(fence.content) else ""


RULE = Rule(
    "fence-name",
    "error",
    "A fence's name is nearly one that the theme renders",
    "Only fences named exactly `pseudo-algorithm` and `mermaid` are rendered; under any other name "
    "the reader sees their source.",
    _check,
    fixes=True,
)
