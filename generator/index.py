"""The local index: stamps of all that the notes depend on. Throw-away; never decides alone.

A line is `s SIZE TIME INODE DIGEST PATH` for a file or folder that is settled, and starts with
another letter where one stat can't tell: absent files, variables, files of the current tick. A
file written in the current tick, `p`, is read once more each time, until a build finds it settled.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import field

from generator.errors import GeneratorError
from generator.fingerprint import (
    ABSENT,
    COMPUTING,
    FOLDER,
    RENDERING,
    Digests,
    Stamp,
    digest_parts,
    is_settled,
    locate,
    own_sources,
    stamp_of,
)
from generator.frozen import dataclass
from generator.publish import write_file
from generator.quick import INDEX, header
from generator.settings import Settings

_WITHOUT_STAMP = {ABSENT: "a", FOLDER: "d"}
_PATIENCE = 0.025
"""Seconds to wait for the clock to tick, so that the next answer can be quick."""
FRONT_MATTER = ".generator/front-matter"
"""Front matter as JSON, by its source's digest: reading it anew costs more than all the rest."""


@dataclass(frozen=True, slots=True)
class Index:
    """What the index remembers."""

    known: Mapping[str, tuple[Stamp, str]] = field(default_factory=dict)
    """Stamps and digests of files that were settled."""
    parts: Mapping[str, str] = field(default_factory=dict)
    """Digests of the generator's computing and rendering parts; empty if a source changed."""


def read_index(settings: Settings) -> Index:
    """The index that the last build left; an empty one when it can't be believed."""
    known: dict[str, tuple[Stamp, str]] = {}
    own: dict[str, Stamp] = {}
    with suppress(OSError, ValueError):
        lines = (settings.root / INDEX).read_text("utf-8").split("\n")
        if lines[0] != header() or lines[-2] != "end":
            return Index()
        for line in lines[2:-2]:
            kind, size, modified, node, digest, path = line.split(" ", 5)
            if kind == "s":
                stamp = int(size), int(modified), int(node)
                if digest != "-":
                    known[path] = stamp, digest
                elif os.path.isabs(path):
                    own[path] = stamp
        _, compute, render = lines[1].split(" ")
        unchanged = own == {path: stamp_of(path) for path in own_sources()}
        return Index(known, {"compute": compute, "render": render} if unchanged else {})
    return Index()


def digest_generator() -> dict[str, str]:
    """Digests of the generator's computing and rendering parts."""
    return {"compute": digest_parts(COMPUTING), "render": digest_parts(RENDERING)}


def read_fronts(settings: Settings, parts: Mapping[str, str]) -> dict[str, str]:
    """Front matter that this copy of the generator read before, by its source's digest."""
    try:
        lines = (settings.root / FRONT_MATTER).read_text("ascii").split("\n")
    except (OSError, ValueError):
        return {}
    if lines[0] != parts["render"] or lines[-1] != "end":
        return {}
    pairs = (line.partition("\t") for line in lines[1:-1])
    return {key: front for key, _, front in pairs}


def save_fronts(settings: Settings, parts: Mapping[str, str], fronts: Mapping[str, str]) -> None:
    lines = [f"{key}\t{front}" for key, front in sorted(fronts.items())]
    with suppress(GeneratorError):
        text = "\n".join([parts["render"], *lines, "end"])
        write_file(settings.root, FRONT_MATTER, text.encode("ascii"), lasting=False)


def watch_folders(settings: Settings, digests: Digests) -> None:
    """Take the stamps of the settings, of the folders where a new file would be a new note, and of
    the generator's own sources.

    To be called before any is read: what changes meanwhile must not go unnoticed.
    """
    root, now = str(settings.root), time.time_ns()
    for path in (*_template_folders(settings), *settings.config_files, *own_sources()):
        stamp = stamp_of(os.path.join(root, path))
        if stamp is None:
            digests.file(path)  # remembered as absent
        else:
            digests.watched[path] = stamp if is_settled(stamp, now) else None


def save_index(settings: Settings, digests: Digests, notes: int, parts: Mapping[str, str]) -> None:
    """Remember what `digests` has seen; the index of a build in which all went well."""
    _settle(digests)
    lines = [_seen_line(digests, path) for path in sorted(digests.files)]
    lines += [_stamp_line(path, stamp) for path, stamp in sorted(digests.watched.items())]
    lines += [_stamp_line(path, _size_stamp(digests, path)) for path in sorted(digests.sizes)]
    lines += [
        f"e - - - {digests.environment(name) or '-'} {name}" for name in sorted(digests.variables)
    ]
    counted = f"{notes} {parts['compute']} {parts['render']}"
    text = "\n".join([header(), counted, *lines, "end", ""])
    if text.count("\n") != len(lines) + 3:
        drop_index(settings)  # a path with a line end in it
        return
    with suppress(GeneratorError):
        if read_text(settings) != text:
            data = text.encode("utf-8", "surrogateescape")
            write_file(settings.root, INDEX, data, lasting=False)


def read_text(settings: Settings) -> str:
    try:
        return (settings.root / INDEX).read_text("utf-8")
    except (OSError, ValueError):
        return ""


def drop_index(settings: Settings) -> None:
    """Forget; the next build looks at everything."""
    with suppress(OSError):
        (settings.root / INDEX).unlink()


def _settle(digests: Digests) -> None:
    """Wait out the clock's tick for folders that just changed, then list them once more."""
    late = [p for p in digests.files if p.endswith("/") and p not in digests.stamps]
    late = [p for p in late if digests.files[p] not in _WITHOUT_STAMP]
    if late:
        time.sleep(_PATIENCE)
    for path in late:
        before = digests.files.pop(path)
        if digests.folder(path[:-1]) != before:
            digests.stamps.pop(path, None)


def _seen_line(digests: Digests, path: str) -> str:
    """The line of a file or folder that notes were built from."""
    shown = _absolute(digests.root, path)
    if path in digests.stamps:
        (size, modified, node), digest = digests.stamps[path]
        return f"s {size} {modified} {node} {digest or '-'} {shown}"
    digest = digests.files[path]
    stamp = digests.late.get(path)
    if stamp is None or digest in _WITHOUT_STAMP:
        return f"{_WITHOUT_STAMP.get(digest, 'u')} - - - - {shown}"
    return f"p {stamp[0]} {stamp[1]} {stamp[2]} {digest} {shown}"


def _absolute(root: str, path: str) -> str:
    return locate(root, path) if path.startswith("module:") else path


def _stamp_line(path: str, stamp: Stamp | None) -> str:
    """The line of a file that is known by its stamp alone."""
    return f"s {stamp[0]} {stamp[1]} {stamp[2]} - {path}" if stamp else f"u - - - - {path}"


def _settled_stamp(path: str) -> Stamp | None:
    stamp = stamp_of(path)
    return stamp if stamp is not None and is_settled(stamp, time.time_ns()) else None


def _size_stamp(digests: Digests, path: str) -> Stamp | None:
    """The stamp of a large file, if it is still that of the file which the note was built from."""
    expected = digests.sizes[path]
    stamp = _settled_stamp(locate(digests.root, path))
    return stamp if digests.size(path) == expected else None


def _template_folders(settings: Settings) -> list[str]:
    """The folders in which a new template would be a new note."""
    root = str(settings.root)
    start = os.path.join(root, settings.notes_templates)
    return [os.path.relpath(parent, root) for parent, _, _ in os.walk(start)]
