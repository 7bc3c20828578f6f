"""Braces at the end of a heading, which vanish."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.lint.attributes import ATTRIBUTES
from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Edit, Finding, Rule

_AT_END = re.compile(rf"(?<!\\)({ATTRIBUTES.pattern})\s*$")
_MEANT = re.compile(r"[{\s,][.#]")


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    maths = [placed for placed in note.spans("math") if placed.block.kind == "heading"]
    for heading in note.headings:
        passage = heading.passages[0]
        found = _AT_END.search(passage.text)
        if not found or _MEANT.search(found[1]) or found[1] == "{}":
            continue
        at = passage.locate(found.start())
        if not any(placed.at <= at < placed.end for placed in maths):
            message = f"`{found[1]}` vanishes: it is taken for the heading's attributes"
            yield Finding(at, message, "write `\\{`", (Edit(at, at + 1, "\\{"),))


RULE = Rule(
    "heading-braces",
    "error",
    "Braces at the end of a heading vanish",
    "Goldmark takes `{n=3}` at a heading's end for attributes of the HTML element. `{#id}` and "
    "`{.class}` are meant that way and left alone.",
    _check,
    fixes=True,
)
