"""Images without alt text, or with formulas in it."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.images import find_images
from generator.lint.inline import scan_inline
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for image in find_images(note):
        if image.form == "html" and image.alt == "":
            continue
        if not (image.alt or "").strip():
            hint = "say in the brackets what the image shows"
            yield Finding(image.at, "the image has no alt text", hint)
        elif any(span.kind == "math" for span in scan_inline(image.alt or "", note.delimiters)):
            message = "formulas are dropped from alt text"
            yield Finding(image.at, message, "say it in words or with Unicode letters")


RULE = Rule(
    "image-alt",
    "warning",
    "An image without alt text, or with a formula in it",
    "Readers who cannot see the image are told its alt text. Markdown drops formulas from it. An "
    'explicit `alt=""` in HTML marks decoration and is left alone.',
    _check,
)
