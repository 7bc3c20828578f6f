"""Index fields that are half filled, or belong to no index."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.errors import near_names
from generator.lint.facts import EntrySet, Facts
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule

_LIKELY = re.compile(r"([a-z]\w*?)(Title|Category|Aliases|Summary)")
_OTHER_NAMES = "showTitle linkTitle hideSummary showSummary metaTitle subTitle seoTitle"
_OTHERS = frozenset(_OTHER_NAMES.split())


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for entry_set in facts.entry_sets:
        yield from _check_set(note, entry_set)
    if facts.config is not None:
        yield from _check_strays(note, facts)


def _check_set(note: Note, entry_set: EntrySet) -> Iterator[Finding]:
    fields = note.front.fields
    title = fields.get(entry_set.title_field.lower())
    if title is None:
        rest = [fields[key.lower()] for key in entry_set.fields()[1:] if key.lower() in fields]
        if rest:
            message = f"`{rest[0].key}` without `{entry_set.title_field}` makes no entry"
            yield Finding(rest[0].at, message, f"add `{entry_set.title_field}:`")
        return
    if not str(title.value or "").strip():
        yield Finding(title.at, f"`{title.key}` is blank: the entry has no name")
    category = entry_set.category_field
    if category and not str(note.front.value(category) or "").strip():
        message = f"without `{category}` the entry lands under “Uncategorised”"
        yield Finding(title.at, message, f"add `{category}:`")


def _check_strays(note: Note, facts: Facts) -> Iterator[Finding]:
    known = {key for entry_set in facts.entry_sets for key in entry_set.fields()}
    lower = {key.lower() for key in known}
    stems: dict[str, int] = {}
    for field in note.front.fields.values():
        if found := _LIKELY.fullmatch(field.key):
            stems[found[1]] = stems.get(found[1], 0) + 1
    for field in note.front.fields.values():
        if field.key.lower() in lower or field.key in _OTHERS:
            continue
        found = _LIKELY.fullmatch(field.key)
        near = near_names(field.key, known)
        if (found and stems[found[1]] > 1) or _is_slip(field.key, known):
            message = f"`{field.key}` is a field of no index of the site"
            yield Finding(field.at, message, near or "see `[params.entrySets]` in the settings")


def _is_slip(key: str, known: set[str]) -> bool:
    """Whether it differs from a known field by very little."""
    from difflib import get_close_matches

    return bool(get_close_matches(key, known, n=1, cutoff=0.85))


RULE = Rule(
    "index-fields",
    "warning",
    "Index fields are half filled, or belong to no index",
    "A note is an entry of an index when it has the set's title field; without a category it lands "
    "under “Uncategorised”. A misspelt field counts for nothing, without a word.",
    _check,
)
