"""Shortcodes in code, where they run all the same."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Edit, Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    code_parts = [(placed.at, placed.end) for placed in note.spans("code")]
    for block in note.blocks:
        if block.kind in ("fence", "code"):
            last = note.starts[block.last] if block.last < len(note.starts) else len(note.text)
            code_parts.append((block.at, last))
    for code in note.shortcodes:
        if code.kind in ("comment", "broken"):
            continue
        if any(start <= code.start < end for start, end in code_parts):
            inner = note.text[code.start + 3 : code.end - 3]
            mark, end = code.mark, ">" if code.mark == "<" else "%"
            edit = Edit(code.start, code.end, f"{{{{{mark}/*{inner}*/{end}}}}}")
            message = f"the shortcode `{code.name}` runs, though it stands in code"
            yield Finding(code.start, message, f"to show it write `{edit.text}`", (edit,))


RULE = Rule(
    "shortcode-in-code",
    "warning",
    "A shortcode stands in code",
    "Hugo runs shortcodes in fences and code spans too: the reader sees what it made, not the "
    "shortcode. `{{</* … */>}}` shows it.",
    _check,
    fixes=True,
)
