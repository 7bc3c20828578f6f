"""Digests of what notes depend on, read once and remembered by file stamp."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import field
from fnmatch import fnmatch
from hashlib import blake2b
from typing import Protocol

from generator.frozen import dataclass

ABSENT = ""
"""The digest of what is not there."""

Stamp = tuple[int, int, int]
"""Size, time of the last change in ns, inode. The change time, unlike that of the content, can't be
set: tools that copy a file with its times, or restore them, are seen."""

_TICK = 20_000_000
"""Nanoseconds within which a file system may give two writes the same time."""

COMPUTING = (
    "algorithms",
    "blocks",
    "compute.py",
    "frozen.py",
    "observe.py",
    "results.py",
    "site.py",
    "spots.py",
    "values",
    "workers.py",
)
"""The parts of the generator that decide what a demo's results are."""

RENDERING = (
    "algorithms",
    "blocks",
    "claim_tag.py",
    "claims",
    "environment.py",
    "facts.py",
    "finish.py",
    "front_matter.py",
    "frozen.py",
    "lint",
    "notes.py",
    "numerals",
    "places",
    "record.py",
    "render.py",
    "results.py",
    "sandbox.py",
    "scanner.py",
    "sentences.py",
    "site.py",
    "site_layouts.py",
    "site_pages.py",
    "spots.py",
    "template.py",
    "values",
)
"""The parts of the generator that turn results into a page."""


def digest_bytes(content: bytes) -> str:
    """Digest of some bytes: BLAKE2b, 128 bits, in hexadecimal."""
    return blake2b(content, digest_size=16).hexdigest()


def digest_names(names: Iterable[str]) -> str:
    return digest_bytes("\0".join(sorted(names)).encode("utf-8", "surrogateescape"))


CONFLICT_LINE = re.compile(r"^(<{7}|={7}|>{7}|\|{7})(?: |\r?$)", re.MULTILINE)


def has_conflict(text: str) -> bool:
    """Whether a merge left its marks in `text`."""
    marks = {found.group(1)[0] for found in CONFLICT_LINE.finditer(text)}
    return {"<", "=", ">"} <= marks


def stamp_of(path: str) -> Stamp | None:
    """The file's stamp; None when it is not there."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_size, found.st_ctime_ns, found.st_ino


def is_settled(stamp: Stamp, now: int) -> bool:
    """Whether a later write must get another stamp: the clock has ticked since the last one."""
    coarse = stamp[1] % 1_000_000 == 0
    return now - stamp[1] > (2_000_000_000 if coarse else _TICK)


class Lookup(Protocol):
    """Digests as they are now."""

    def file(self, path: str) -> str: ...
    def folder(self, path: str) -> str: ...
    def environment(self, name: str) -> str: ...
    def conflicted(self, path: str) -> bool: ...


FOLDER = "folder"
"""The digest of a folder where a file was looked for."""


@dataclass(slots=True)
class Digests:
    """Digests of the site's files, each read at most once."""

    root: str
    """The site's folder."""
    known: Mapping[str, tuple[Stamp, str]] = field(default_factory=dict)
    """Stamps and digests from the local index."""
    files: dict[str, str] = field(default_factory=dict)
    """Digests found so far; a folder's path ends with a slash."""
    stamps: dict[str, tuple[Stamp, str]] = field(default_factory=dict)
    """Stamps that are good enough to remember."""
    late: dict[str, Stamp] = field(default_factory=dict)
    """Stamps of files that may still change without getting another one."""
    sizes: dict[str, str] = field(default_factory=dict)
    """Size and time of files that are not compared by content."""
    watched: dict[str, Stamp | None] = field(default_factory=dict)
    """Stamps of the settings and of folders, from before they were read."""
    variables: set[str] = field(default_factory=set)
    """Environment variables that were asked for."""

    def file(self, path: str) -> str:
        """Digest of the file at `path`, relative to the site; ABSENT when there is none."""
        if path not in self.files:
            self.files[path] = self._read(path)
        return self.files[path]

    def folder(self, path: str) -> str:
        """Digest of the names in the folder at `path`; ABSENT when there is none."""
        key = path + "/"
        if key not in self.files:
            where = locate(self.root, path)
            stamp, now = stamp_of(where), time.time_ns()
            try:
                digest = digest_names(listed_names(where, top=path in ("", ".")))
            except OSError:
                digest = ABSENT
            if stamp is not None and is_settled(stamp, now):
                self.stamps[key] = stamp, digest
            self.files[key] = digest
        return self.files[key]

    def size(self, path: str) -> str:
        """Size and time of a file that is too large to be read; ABSENT when there is none."""
        try:
            found = os.stat(locate(self.root, path))
        except (OSError, ValueError):
            self.sizes[path] = ABSENT
        else:
            self.sizes[path] = f"size {found.st_size}, time {found.st_mtime_ns}"
        return self.sizes[path]

    def environment(self, name: str) -> str:
        """Digest of an environment variable; ABSENT when it is not set."""
        self.variables.add(name)
        value = os.environ.get(name)
        return ABSENT if value is None else digest_bytes(value.encode("utf-8", "surrogateescape"))

    def conflicted(self, path: str) -> bool:
        """Whether a merge left its marks in the file."""
        try:
            with open(locate(self.root, path), encoding="utf-8", errors="replace") as file:
                return has_conflict(file.read())
        except OSError:
            return False

    def forget(self, path: str) -> None:
        """Read `path` anew when it is next asked for."""
        for remembered in (self.files, self.stamps, self.late):
            remembered.pop(path, None)

    def expect(self, path: str, digest: str) -> None:
        """Don't remember `path` unless it is as a note was built from it: it may just change."""
        if self.file(path) != digest:
            self.stamps.pop(path, None)
            self.late.pop(path, None)

    def _read(self, path: str) -> str:
        where = locate(self.root, path)
        stamp = stamp_of(where)
        if stamp is None:
            return ABSENT
        remembered = self.known.get(path)
        if remembered is not None and remembered[0] == stamp:
            self.stamps[path] = remembered
            return remembered[1]
        now = time.time_ns()
        try:
            with open(where, "rb") as file:
                digest = digest_bytes(file.read())
        except IsADirectoryError:
            return FOLDER
        except OSError:
            return ABSENT
        if is_settled(stamp, now):
            self.stamps[path] = stamp, digest
        else:
            self.late[path] = stamp
        return digest


@dataclass(frozen=True, slots=True)
class Sized:
    """Digests in which files that match one of some patterns go by size and time."""

    digests: Digests
    """The digests of all others."""
    large: tuple[str, ...]
    """The patterns."""

    def file(self, path: str) -> str:
        if any(fnmatch(path, pattern) for pattern in self.large):
            return self.digests.size(path)
        return self.digests.file(path)

    def folder(self, path: str) -> str:
        return self.digests.folder(path)

    def environment(self, name: str) -> str:
        return self.digests.environment(name)

    def conflicted(self, path: str) -> bool:
        return self.digests.conflicted(path)


def locate(root: str, path: str) -> str:
    """Where an input is: in the site, or in the place of an editable install."""
    if not path.startswith("module:"):
        return os.path.join(root, path)
    from importlib.util import find_spec

    name = path.removeprefix("module:")
    top = name.split("/")[0].removesuffix(".py")
    try:
        spec = find_spec(top)
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        return os.path.join(root, path)
    places = list(spec.submodule_search_locations or ())
    home = os.path.dirname(places[0]) if places else os.path.dirname(spec.origin or "")
    return os.path.join(home, name)


IGNORED_NAMES = frozenset({"__pycache__", ".git", ".generator", ".DS_Store", ".hugo_build.lock"})
IGNORED_AT_TOP = frozenset({"public", "resources", ".venv", "node_modules"})


def listed_names(folder: str, *, top: bool = False) -> list[str]:
    """The names in a folder that a demo may depend on; caches and lock files aside."""
    ignored = IGNORED_NAMES | IGNORED_AT_TOP if top else IGNORED_NAMES
    return [
        name
        for name in os.listdir(folder)
        if name not in ignored and not name.endswith((".generator-tmp", ".pyc"))
    ]


def digest_parts(parts: Iterable[str]) -> str:
    """One digest of some parts of the generator's own source."""
    contents: list[bytes] = []
    for path in sorted(path for part in parts for path in _sources(part)):
        with open(path, "rb") as file:
            name = path[len(_HOME) + 1 :].replace(os.sep, "/")
            contents.append(name.encode() + b"\0" + file.read())
    return digest_bytes(b"\0".join(contents))


def own_sources() -> list[str]:
    """Absolute paths of all sources of the generator that count."""
    return [path for part in sorted({*COMPUTING, *RENDERING}) for path in _sources(part)]


def _sources(part: str) -> list[str]:
    path = os.path.join(_HOME, part)
    if part.endswith(".py"):
        return [path] if os.path.isfile(path) else []
    found = [
        os.path.join(parent, name)
        for parent, _, names in os.walk(path)
        for name in names
        if name.endswith(".py")
    ]
    return sorted(found)


_HOME = os.path.dirname(os.path.abspath(__file__))
