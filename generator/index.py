"""The local index: stamps of all that the notes depend on. Throw-away; never decides alone.

A line is `s SIZE TIME INODE DIGEST PATH` for a file or folder that is settled, and starts with
another letter where one stat can't tell: absent files, variables, files of the current tick.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress

from generator.errors import GeneratorError
from generator.fingerprint import (
    ABSENT,
    FOLDER,
    Digests,
    Stamp,
    is_settled,
    locate,
    own_sources,
    stamp_of,
)
from generator.publish import write_file
from generator.quick import INDEX, header
from generator.settings import Settings

_WITHOUT_STAMP = {ABSENT: "a", FOLDER: "d"}
_PATIENCE = 0.025
"""Seconds to wait for the clock to tick, so that the next answer can be quick."""


def read_index(settings: Settings) -> dict[str, tuple[Stamp, str]]:
    """Stamps and digests of files that were settled."""
    known: dict[str, tuple[Stamp, str]] = {}
    with suppress(OSError, ValueError):
        lines = (settings.root / INDEX).read_text("utf-8").split("\n")
        if lines[0] != header() or lines[-2] != "end":
            return {}
        for line in lines[2:-2]:
            kind, size, modified, node, digest, path = line.split(" ", 5)
            if kind == "s" and digest != "-":
                known[path] = (int(size), int(modified), int(node)), digest
    return known


def watch_folders(settings: Settings, digests: Digests) -> None:
    """Take the stamps of the settings and of the folders where a new file would be a new note.

    To be called before either is read: what is added meanwhile must not go unnoticed.
    """
    root, now = str(settings.root), time.time_ns()
    for path in (*_template_folders(settings), *settings.config_files):
        stamp = stamp_of(os.path.join(root, path))
        if stamp is None:
            digests.file(path)  # remembered as absent
        else:
            digests.watched[path] = stamp if is_settled(stamp, now) else None


def save_index(settings: Settings, digests: Digests, notes: int) -> None:
    """Remember what `digests` has seen; the index of a build in which all went well."""
    _settle(digests)
    lines = [_seen_line(digests, path) for path in sorted(digests.files)]
    lines += [_stamp_line(path, stamp) for path, stamp in sorted(digests.watched.items())]
    lines += [_stamp_line(path, _size_stamp(digests, path)) for path in sorted(digests.sizes)]
    lines += [_stamp_line(path, _settled_stamp(path)) for path in own_sources()]
    lines += [
        f"e - - - {digests.environment(name) or '-'} {name}" for name in sorted(digests.variables)
    ]
    text = "\n".join([header(), str(notes), *lines, "end", ""])
    if text.count("\n") != len(lines) + 3:
        drop_index(settings)  # a path with a line end in it
        return
    with suppress(GeneratorError):
        if read_text(settings) != text:
            write_file(settings.root, INDEX, text.encode("utf-8", "surrogateescape"))


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
    """Wait out the clock's tick for files just written, then read them once more."""
    late = [
        p for p, d in digests.files.items() if p not in digests.stamps and d not in _WITHOUT_STAMP
    ]
    if not late:
        return
    time.sleep(_PATIENCE)
    for path in late:
        before = digests.files.pop(path)
        is_same = before == (
            digests.folder(path[:-1]) if path.endswith("/") else digests.file(path)
        )
        if not is_same:
            digests.stamps.pop(path, None)


def _seen_line(digests: Digests, path: str) -> str:
    """The line of a file or folder that notes were built from."""
    shown = _absolute(digests.root, path)
    if path in digests.stamps:
        (size, modified, node), digest = digests.stamps[path]
        return f"s {size} {modified} {node} {digest or '-'} {shown}"
    return f"{_WITHOUT_STAMP.get(digests.files[path], 'u')} - - - - {shown}"


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
