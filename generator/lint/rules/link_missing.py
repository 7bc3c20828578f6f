"""Internal links that lead nowhere."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from generator.errors import near_names
from generator.lint.addresses import is_local, local_path, page_address, page_resources
from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    if facts.pages is None or not note.content_path:
        return
    for link in note.spans("link"):
        target = link.target
        if note.shortcode_at(link.at, link.end) or not is_local(target):
            continue
        path = local_path(target)
        if path.endswith(".md"):
            if not (facts.link_hook and _content_file(note, target, facts)):
                message = f"`{target}` stays as it is and leads nowhere"
                hint = f'write `{{{{< relref "{path}" >}}}}`'
                yield Finding(link.target_at, message, hint)
        elif not _leads_somewhere(note, target, facts):
            hint = near_names(_address(note, target), facts.pages)
            yield Finding(link.target_at, f"`{target}` leads to no page of the site", hint)


def _address(note: Note, target: str) -> str:
    base = page_address(note.content_path)
    path = posixpath.normpath(posixpath.join(base, target.split("#")[0].split("?")[0]))
    return path if path == "/" else path + "/"


def _leads_somewhere(note: Note, target: str, facts: Facts) -> bool:
    address = _address(note, target)
    path = address.strip("/")
    if facts.base_path and target.startswith(facts.base_path):
        address = "/" + target.removeprefix(facts.base_path).split("#")[0]
        path = address.strip("/")
        address = f"/{path}/" if path else "/"
    files = (facts.static or frozenset()) | page_resources(note, facts)
    if path in files or local_path(target) in files or address in (facts.pages or {}):
        return True
    made = ("index.xml", "index.json", "sitemap.xml", "robots.txt", "404.html")
    return (
        path.endswith(made)
        or any(
            address.startswith(prefix) or f"{prefix.rstrip('/')}/" == address
            for prefix in facts.open_sections
        )
        or "/page/" in address
    )


def _content_file(note: Note, target: str, facts: Facts) -> bool:
    folder = posixpath.dirname(note.content_path)
    path = local_path(target)
    beside = posixpath.normpath(posixpath.join(folder, path))
    content = facts.content or frozenset()
    return path in content or beside in content


RULE = Rule(
    "link-missing",
    "warning",
    "An internal link that leads nowhere",
    "The reader gets “page not found”. Hugo does not check links, and leaves those to `.md` files "
    "as they are unless the theme has a render hook for them.",
    _check,
)
