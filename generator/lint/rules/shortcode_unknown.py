"""Shortcodes that neither the site nor its theme has."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for code in note.shortcodes:
        if code.kind not in ("open", "single") or facts.shortcodes is None:
            continue
        if code.name.removesuffix(".html") not in facts.shortcodes:
            message = f"neither the site nor its theme has a shortcode `{code.name}`"
            yield Finding(code.start, message, facts.near_shortcode(code.name))


RULE = Rule(
    "shortcode-unknown",
    "error",
    "A shortcode that neither the site nor its theme has",
    "Hugo stops at it and publishes nothing.",
    _check,
)
