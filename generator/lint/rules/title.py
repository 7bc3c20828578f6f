"""Titles that are missing or hold markup."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.pages import is_feed_note, is_readable
from generator.lint.rule import Finding, Rule

_MARKUP = re.compile(r"\\\(|\\[A-Za-z]{2,}|\$[^$]*[\\^_{][^$]*\$|\*\*\S|`[^`]+`|\]\(|</?[a-z]+>")


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    if not note.front.language and not note.front.fault and is_feed_note(note, facts):
        hint = "start it with `---`, `title: …`, `date: …` and `---`, each on a line"
        yield Finding(0, "the note has no front matter, and so no title", hint)
    if not is_readable(note):
        return
    title = note.front.fields.get("title")
    if title is None:
        if is_feed_note(note, facts):
            yield Finding(0, "the note has no title", "add `title:` to the front matter")
    elif found := _MARKUP.search(str(title.value)):
        message = f"`{found[0]}` in the title is printed as it is"
        yield Finding(title.start, message, "a title is plain text; Unicode letters are fine")
    if title and not title.quoted and note.front.language == "yaml":
        rest = note.text[title.end :].split("\n", 1)[0]
        if rest.strip().startswith("#"):
            message = f"`{rest.strip()}` is cut off the title: YAML takes it for a comment"
            yield Finding(title.end, message, "put the title in quotation marks")


RULE = Rule(
    "title",
    "warning",
    "A title is missing or holds markup",
    "Titles are plain text: in browser tabs, in the feed and in links from other pages Markdown "
    "and TeX show as they were typed. A bare ` #` cuts the rest off. A note without front matter "
    "has no title at all, and no date.",
    _check,
)
