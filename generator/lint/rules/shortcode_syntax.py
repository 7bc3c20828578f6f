"""Shortcodes that never end."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for code in note.shortcodes:
        if code.kind == "broken":
            hint = "where it is meant as text, write `&#123;{`, in code a raw `<pre>` block"
            yield Finding(code.start, code.fault, hint)
        elif len({bool(key) for key, _ in code.arguments}) > 1:
            message = f"`{code.name}` mixes named and positional arguments"
            yield Finding(code.start, message, "name all of them, or none")


RULE = Rule(
    "shortcode-syntax",
    "error",
    "A shortcode that Hugo cannot read",
    "Hugo reads shortcodes before Markdown, in code as well: `{{<` or `{{%` without its end stops "
    "the build of the whole site.",
    _check,
)
