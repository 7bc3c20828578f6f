"""Notes that a nested section keeps from the feed."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.pages import is_feed_note
from generator.lint.rule import Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    if not is_feed_note(note, facts):
        return
    folder = posixpath.dirname(note.content_path)
    while "/" in folder:
        if folder in facts.hidden_sections:
            message = f"`content/{folder}/_index.md` hides this note from the feed"
            yield Finding(0, message, "remove it, or rename it to `index.md` if it is a note")
            return
        folder = posixpath.dirname(folder)


RULE = Rule(
    "section-hidden",
    "warning",
    "A nested `_index.md` hides notes from the feed",
    "A folder below `notes/` with an `_index.md` is a section of its own: its notes silently leave "
    "the feed and the home page.",
    _check,
)
