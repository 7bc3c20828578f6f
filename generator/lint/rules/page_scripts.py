"""Pages for which the theme loads no scripts."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.pages import is_feed_note, is_section_page
from generator.lint.rule import Finding, Rule
from generator.lint.rules.fence_name import RENDERED


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    outside = note.content_path and not is_feed_note(note, facts) and not is_section_page(note)
    if facts.embedded_theme or not outside or not note.front.value("description"):
        return
    for fence in note.fences:
        if fence.language in RENDERED:
            message = f"SciDraft does not render `{fence.language}` on this page"
            hint = "outside the feed's sections, leave the `description` out or move the page"
            yield Finding(fence.at, message, hint)


RULE = Rule(
    "page-scripts",
    "warning",
    "Algorithms or diagrams on a page without the scripts for them",
    "SciDraft never loads the scripts for algorithms and diagrams on pages outside `notes/` that "
    "set a `description`: the reader sees their source.",
    _check,
)
