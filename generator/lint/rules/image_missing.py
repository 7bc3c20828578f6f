"""Images that are not there."""

from __future__ import annotations

from collections.abc import Iterator

from generator.errors import near_names
from generator.lint.addresses import is_local, local_path, page_resources
from generator.lint.facts import Facts
from generator.lint.images import find_images
from generator.lint.note import Note
from generator.lint.rule import Edit, Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for image in find_images(note):
        if not is_local(image.target):
            continue
        if "\\" in image.target:
            fixed = image.target.replace("\\", "/")
            edit = Edit(image.target_at, image.target_at + len(image.target), fixed)
            message = f"`\\` in an address becomes `%5C`: {image.target}"
            yield Finding(image.target_at, message, f"write `{fixed}`", (edit,))
        elif facts.static is not None and facts.assets is not None:
            files = facts.static | facts.assets
            path = local_path(image.target)
            if path in files or path in page_resources(note, facts):
                continue
            slash = "/" if image.target.startswith("/") else ""
            near = near_names(slash + path, (slash + file for file in files))
            hint = near or "it is looked for beside the note, in `assets/` and in `static/`"
            yield Finding(image.target_at, f"there is no image `{image.target}`", hint)


RULE = Rule(
    "image-missing",
    "error",
    "An image that is not there",
    "Hugo says nothing, and the page shows a broken picture. Addresses are written with `/`.",
    _check,
    fixes=True,
)
