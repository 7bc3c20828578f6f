"""Dates that are missing, unreadable, without offset, or in the future."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.frontmatter import Field
from generator.lint.note import Note
from generator.lint.pages import is_feed_note, is_readable
from generator.lint.rule import Finding, Rule

_DATE = re.compile(
    r"(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}:\d{2})(?:\.\d+)?)?(?: ?(Z|z|[+-]\d{2}:?\d{2}))?"
)
# Hugo reads some forms with the month's name as well.
_NAMED = re.compile(r"\d{1,2}[ -][A-Z][a-z]{2}[ -]\d{2}|[A-Z][a-z]{2} [A-Z][a-z]{2}")


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    if not is_readable(note):
        return
    for key in ("date", "publishdate"):
        if field := note.front.fields.get(key):
            yield from _check_field(field, facts)
    if "date" not in note.front.fields and is_feed_note(note, facts):
        message = "the note has no date: it shows “Jan 1, 0001” and comes last"
        yield Finding(0, message, "add `date: 2026-09-21T15:12:00+09:00`")


def _check_field(field: Field, facts: Facts) -> Iterator[Finding]:
    found = _DATE.fullmatch(str(field.value).strip())
    if not found:
        if str(field.value or "").strip() and not _NAMED.search(str(field.value)):
            message = f"`{field.value}` is no date: Hugo stops at it"
            yield Finding(field.start, message, "write 2026-09-21T15:12:00+09:00", severity="error")
        return
    from datetime import UTC, datetime

    offset = found[3] or ""
    if not offset and not facts.time_zone:
        message = f"`{field.value}` has no offset, and the site sets no `timeZone`"
        yield Finding(field.start, message, "add the offset from UTC, such as `+09:00`")
    try:
        when = datetime.fromisoformat(
            f"{found[1]}T{found[2] or '00:00:00'}{offset.replace('z', 'Z') or 'Z'}"
        )
    except ValueError:
        yield Finding(field.start, f"there is no such date: {field.value}", severity="error")
        return
    now = facts.now.astimezone(UTC) if facts.now else None
    if now and when > now and not facts.build_future:
        message = f"`{field.value}` is in the future: Hugo leaves the page out"
        yield Finding(field.start, message, "set a past date, or build with `--buildFuture`")


RULE = Rule(
    "date",
    "warning",
    "A date is missing, has no offset, or lies in the future",
    "A note without a date comes last and shows “Jan 1, 0001”. Without an offset the time is read "
    "as UTC, so that a note of this morning may lie in the future, and a page of the future is "
    "left out without a word. What is no date at all stops Hugo (an error).",
    _check,
)
