"""Lines that begin like attributes, and lose their text."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.attributes import text_behind
from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Edit, Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    if facts.config is not None and not facts.setting("markup.goldmark.parser.attribute.block"):
        return
    formulas = [(placed.at, placed.end) for placed in note.spans("math")]
    for block, passage, _ in note.scans:
        if block.tables or block.kind != "paragraph":
            continue
        for start, at in zip(passage.breaks, passage.offsets):
            text = passage.text[start:].partition("\n")[0]
            lost = text_behind(text)
            torn = any(first < at < last for first, last in formulas)
            if lost or (lost is not None and torn):
                braces = text[: text.index("}") + 1]
                what = f"`{lost[:50]}` is lost behind `{braces}`" if lost else f"`{braces}` is lost"
                if torn:
                    what += ", and the formula torn"
                hint = "join the line to the one above" if torn else "write `\\{`"
                yield Finding(at, what, hint, _edits(note, at, torn))


def _edits(note: Note, at: int, torn: bool) -> tuple[Edit, ...]:
    """A brace of prose is escaped; one of a formula is none, so that lines are joined there."""
    if not torn:
        return (Edit(at, at + 1, "\\{"),)
    above = note.text.rfind("\n", 0, at)
    between = note.text[max(above, 0) : at]
    return () if between.strip() else (Edit(above, at, " "),)


RULE = Rule(
    "attribute-line",
    "error",
    "A line begins like attributes and loses its text",
    "A line that begins with `{n=3}`, `{.name}` or `{}` is taken for the attributes of the block "
    "above; the rest of the line vanishes, in formulas too.",
    _check,
    fixes=True,
)
