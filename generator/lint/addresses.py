"""Where the addresses in a note lead."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from generator.lint.facts import Facts
from generator.lint.note import Note

_BLANKS = re.compile(r"\s+")
_SCHEME = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:|//)")


def is_local(target: str) -> bool:
    """Whether an address is a path, not a URL, a bare anchor or a shortcode's output."""
    return bool(target) and not _SCHEME.match(target) and not target.startswith(("#", "?", "xxx"))


def local_path(target: str) -> str:
    """The path of an address, without slash in front, query and anchor, percent-signs decoded."""
    path = decode(re.split(r"[?#]", target, maxsplit=1)[0])
    return str(PurePosixPath(path.lstrip("/"))) if path.strip("/") else ""


def decode(text: str) -> str:
    """Percent signs of an address decoded."""
    if "%" not in text:
        return text
    from urllib.parse import unquote

    return unquote(text)


def is_bundle(note: Note) -> bool:
    """Whether files beside the note are its resources."""
    return note.name in ("index.md", "_index.md")


def page_resources(note: Note, facts: Facts) -> frozenset[str]:
    """The files beside a bundle's note, by their path relative to it."""
    if not is_bundle(note) or not facts.content or not note.content_path:
        return frozenset()
    folder = str(PurePosixPath(note.content_path).parent) + "/"
    files = (path for path in facts.content if path.startswith(folder))
    return frozenset(path.removeprefix(folder) for path in files if not path.endswith(".md"))


def page_address(content_path: str) -> str:
    """The address at which Hugo publishes a file of `content/` by default."""
    *folders, name = [part for part in content_path.split("/") if part not in ("", ".")]
    stem = name[:at] if 0 < (at := name.rfind(".")) < len(name) - 1 else name
    parts = folders if stem in ("index", "_index") else [*folders, stem]
    return "/" + "".join(f"{_BLANKS.sub('-', part).lower()}/" for part in parts)
