"""Headings with formulas and no id of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.lint.anchors import heading_slug
from generator.lint.blocks import Block
from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Edit, Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    formulas = {placed.block.at for placed in note.spans("math") if placed.block.kind == "heading"}
    taken: set[str] = set()
    for heading in note.headings:
        passage = heading.passages[0]
        if heading.at in formulas and not re.search(r"\{[^{}]*#[\w-]", passage.text):
            edits = tuple(edit for edit in _edits(heading) if edit.text not in taken)
            taken |= {edit.text for edit in edits}
            message = "the formula is left out of this heading's anchor"
            yield Finding(heading.at, message, "end it with `{#name}`", edits)


def _edits(heading: Block) -> tuple[Edit, ...]:
    passage = heading.passages[0]
    words = re.sub(r"\\\(.*?\\\)|\$.*?\$", " ", passage.text)
    slug = heading_slug(" ".join(re.sub(r"[^\w\s-]", " ", words).split()))
    if len(slug) < 3 or "{" in passage.text[-1:] or "\n" in passage.text:
        return ()
    at = passage.locate(len(passage.text) - 1) + 1
    return (Edit(at, at, f" {{#{slug}}}"),)


RULE = Rule(
    "heading-math",
    "warning",
    "A heading holds a formula and has no id",
    "Goldmark makes the anchor of what is left without the formula, such as `#the-case`; two "
    "headings that differ in it alone get the same name and a number.",
    _check,
    fixes=True,
)
