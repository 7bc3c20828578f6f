"""Preview markers that the theme does not recognise."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Edit, Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for code in note.shortcodes:
        if code.name.lower() != "preview" or code.kind not in ("open", "close", "single"):
            continue
        written = note.text[code.start : code.end]
        meant = "{{< preview >}}" if code.kind != "close" else "{{< /preview >}}"
        if re.fullmatch(r"\{\{< /?preview >\}\}", written):
            continue
        edits = (Edit(code.start, code.end, meant),) if code.kind != "single" else ()
        message = f"the theme does not recognise `{written}`: the card shows the whole note"
        yield Finding(code.start, message, f"write `{meant}`", edits)


RULE = Rule(
    "preview-form",
    "warning",
    "A preview marker in a form that the theme misses",
    "The theme looks for exactly `{{< preview >}} … {{< /preview >}}`. With `{{% %}}`, other "
    "spacing, arguments or letter case the card shows the whole note, without “Read more”.",
    _check,
    fixes=True,
)
