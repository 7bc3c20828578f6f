"""Images that resolve on the note's page, but not on a card or under a path."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.addresses import is_local, local_path, page_resources
from generator.lint.facts import Facts
from generator.lint.images import Image, find_images
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for image in find_images(note):
        if is_local(image.target) and (message := _fault(image, note, facts)):
            hint = "write a Markdown image of a file under `assets/` (or `static/`, mounted there)"
            yield Finding(image.target_at, message, hint)


def _fault(image: Image, note: Note, facts: Facts) -> str:
    known = (facts.assets or frozenset()) | page_resources(note, facts)
    rooted, path = image.target.startswith("/"), local_path(image.target)
    if image.form == "markdown":
        if path in (facts.assets or ()) and facts.image_hook:
            return ""
        in_preview = _in_preview(note, image.at) or not facts.image_hook
        if not rooted and in_preview and path in page_resources(note, facts):
            return f"`{image.target}` does not resolve on a card of the feed"
    elif image.form == "figure" and facts.embedded_theme and path in known:
        return ""
    elif not rooted:
        return f"`{image.target}` is written as it is and does not resolve on a card of the feed"
    if rooted and facts.base_path and path in (facts.static or ()):
        return f"`{image.target}` does not resolve under the site's path `{facts.base_path}`"
    return ""


def _in_preview(note: Note, at: int) -> bool:
    inside = False
    for code in note.shortcodes:
        if code.start > at:
            break
        if code.name == "preview":
            inside = code.kind == "open"
    return inside


RULE = Rule(
    "image-address",
    "warning",
    "An image that does not resolve everywhere",
    "A note is shown on its own page and as a card on others; the site may live under a path. "
    "Relative addresses fail on cards, and those that begin with `/` fail under a path, unless the "
    "theme resolves them, which it does for Markdown images of files under `assets/`.",
    _check,
)
