"""Notes whose summary would be raw TeX."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.formulas import ALGORITHM_FENCE
from generator.lint.note import Note
from generator.lint.pages import is_feed_note, is_readable
from generator.lint.rule import Finding, Rule

_TEX = re.compile(r"\\\(|\\\[|\$[^$]*[\\^_][^$]*\$|\\[A-Za-z]{2,}")
_SUMMARY_WORDS = 70


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    if not is_readable(note):
        return
    field = note.front.fields.get("description")
    if field and str(field.value or "").strip():
        if found := _TEX.search(str(field.value)):
            message = f"`{found[0]}` in the description is printed as it is"
            yield Finding(field.start, message, "say it in words or with Unicode letters")
    elif is_feed_note(note, facts) and (what := _first_tex(note)):
        message = f"there is no description, and the summary would hold {what}"
        at = field.at if field else note.front.end and note.text.find("\n") + 1
        yield Finding(at, message, "add a `description:` of a sentence without formulas")


def _first_tex(note: Note) -> str:
    """What of the first words of the note is TeX."""
    words = 0
    formulas = {placed.block.at for placed in note.spans("math")}
    for block in note.blocks:
        if words >= _SUMMARY_WORDS:
            break
        if block.kind == "fence" and block.language == ALGORITHM_FENCE:
            return "an algorithm's source"
        if block.at in formulas:
            return "a formula's source"
        words += len((block.text or block.content).split())
    return ""


RULE = Rule(
    "description",
    "warning",
    "A summary would be raw TeX",
    "Search engines, the feed and the search page show the `description`; without one they take "
    "the note's first words, formulas and algorithms included, as they were typed.",
    _check,
)
