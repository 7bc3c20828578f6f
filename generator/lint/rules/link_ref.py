"""References to pages that Hugo will not find."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from generator.errors import near_names
from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    if not facts.content or facts.pages is None or not note.content_path:
        return
    for code in note.shortcodes:
        if code.name not in ("ref", "relref") or code.kind not in ("open", "single"):
            continue
        target = (code.argument("path", 0) or "").split("#")[0]
        if target and not _exists(target, note, facts):
            names = [posixpath.splitext(path)[0] for path in facts.content]
            hint = near_names(target.strip("/").removesuffix(".md"), names)
            yield Finding(code.start, f"`{code.name}` finds no page `{target}`", hint)


def _exists(target: str, note: Note, facts: Facts) -> bool:
    plain = target.strip("/").removesuffix(".md")
    folder = posixpath.dirname(note.content_path)
    beside = posixpath.normpath(posixpath.join(folder, plain))
    for path in facts.content or ():
        stem = posixpath.splitext(path)[0]
        bundle = stem.removesuffix("/index").removesuffix("/_index")
        for name in (stem.lower(), bundle.lower()):
            if name in (plain.lower(), beside.lower()) or posixpath.basename(name) == plain.lower():
                return True
    # Notes that are about to be published have an address, but no file yet.
    addresses = (address.strip("/") for address in facts.pages or {})
    return any(address in (plain, beside, f"{folder}/{plain}") for address in addresses)


RULE = Rule(
    "link-ref",
    "error",
    "A `ref` or `relref` to a page that is not there",
    "Hugo stops at it and publishes nothing.",
    _check,
)
