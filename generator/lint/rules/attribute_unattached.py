"""Block attributes with nothing to hold on to."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.attributes import ATTRIBUTES, text_behind
from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Edit, Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    before = None
    for block in note.blocks:
        passage = block.passages[0] if block.passages else None
        if block.kind == "paragraph" and passage and text_behind(passage.text) == "":
            blank = before is not None and before.last < block.first
            edits: tuple[Edit, ...] = ()
            if before and before.kind == "paragraph" and before.around == block.around:
                edits = (Edit(note.starts[before.last], note.starts[block.first], ""),)
            if blank:
                message = f"`{passage.text}` is lost: a blank line stands above it"
                hint = "put it on the line right below what it belongs to"
                yield Finding(passage.locate(0), message, hint, edits)
        before = block
    for image in note.spans("image"):
        behind = ATTRIBUTES.match(image.passage.text, image.span.end)
        if behind and len(behind[0]) > 2:
            message = f"`{behind[0]}` is printed as text behind the image"
            yield Finding(image.end, message, "put it on the next line, at the paragraph's end")


RULE = Rule(
    "attribute-unattached",
    "warning",
    "A block attribute belongs to nothing",
    "An attribute such as `{.table-academic}` counts for the block right above it. With a blank "
    "line between the two it vanishes, and the table looks like any other.",
    _check,
    fixes=True,
)
