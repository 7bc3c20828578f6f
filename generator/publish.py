"""Publish: the only place that writes the site. Atomic, no more than needed, only what is ours.

Each file is written beside its target and moved over it. A journal names what is being written,
so that a build killed in between is not mistaken for somebody's edits.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from generator.errors import GeneratorError, Problem
from generator.fingerprint import digest_bytes, has_conflict
from generator.frozen import dataclass

STATE = ".generator"
"""Local, throw-away state: lock, journal, index, displaced files."""
TEMPORARY = ".generator-tmp"
_TAG = (
    "Signature: 8a477f597d28d172789f06886806bc55\n# Local state of the generator; safe to delete.\n"
)


@dataclass(frozen=True, slots=True)
class Publication:
    """What one note's files are to be."""

    slug: str
    """The note."""
    files: Mapping[str, bytes]
    """Content by path, relative to the site."""
    record: tuple[str, bytes]
    """Path and content of the record."""
    owned: Mapping[str, frozenset[str]]
    """Digests under which an existing file counts as the generator's own."""
    obsolete: tuple[str, ...] = ()
    """Files of the last build that are no longer wanted."""
    replaces: bool = False
    """Whether hand-edited files are replaced; what they held is kept aside."""


@dataclass(frozen=True, slots=True)
class Published:
    """What was done."""

    written: tuple[str, ...] = ()
    """Paths of files that were written."""
    removed: tuple[str, ...] = ()
    """Paths of files that were deleted."""
    displaced: tuple[str, ...] = ()
    """Where hand-edited text is kept that was replaced."""
    edited: tuple[str, ...] = ()
    """Files in the way that someone edited; then nothing was written."""
    left: tuple[str, ...] = ()
    """Files that are no longer wanted, but that someone edited."""


def publish_note(root: Path, publication: Publication) -> Published:
    """Bring the note's files to what they are to be.

    Raises GeneratorError when a file can't be written; each file is then old or new.
    """
    record_path, record = publication.record
    wanted = {**publication.files, record_path: record}
    current = {path: _read(root, path) for path in (*wanted, *publication.obsolete)}
    changed = [path for path, content in wanted.items() if current[path] != content]
    gone = [path for path in publication.obsolete if current[path] is not None]
    foreign = {
        path
        for path in (*changed, *gone)
        if path != record_path and not _is_own(publication, path, current[path])
    }
    displaced = {p for p in foreign if publication.replaces or _has_marks(current[p])}
    if _has_marks(current[record_path]):
        displaced.add(record_path)
    edited = [path for path in changed if path in foreign - displaced]
    if edited:
        return Published(edited=tuple(edited))
    left = [path for path in gone if path in foreign - displaced]
    gone = [path for path in gone if path not in left]
    if not changed and not gone:
        return Published(left=tuple(left))
    with _journal(root, publication.slug, {p: digest_bytes(wanted[p]) for p in changed}):
        kept = tuple(_keep_aside(root, path, current[path] or b"") for path in sorted(displaced))
        for path in changed:
            if path != record_path:
                write_file(root, path, wanted[path])
        for path in gone:
            remove_file(root, path)
        if record_path in changed:
            write_file(root, record_path, record)  # last: what it lists is then there
    return Published(tuple(changed), tuple(gone), kept, left=tuple(left))


def write_file(root: Path, path: str, content: bytes, *, lasting: bool = True) -> None:
    """Write one file whole: beside its target, flushed, then moved over it.

    What can be made again need not be `lasting`: it is not flushed to the disk itself.
    """
    target = _inside(root, path)
    temporary = _temporary(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with open(temporary, "wb") as file:
            file.write(content)
            file.flush()
            if lasting:
                os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink()
        if not isinstance(error, OSError):
            raise
        message = f"can't be written: {error.strerror or error}"
        hint = "free the space or the permission"
        raise GeneratorError(Problem(path, 0, message, hint, "write")) from None


def _temporary(target: Path) -> Path:
    return target.with_name(f".{target.name[:200]}{TEMPORARY}")


def remove_file(root: Path, path: str) -> None:
    """Delete a file, and the folders that it leaves empty."""
    target = _inside(root, path)
    try:
        target.unlink(missing_ok=True)
    except OSError as error:
        message = f"can't be deleted: {error.strerror}"
        hint = "free the permission"
        raise GeneratorError(Problem(path, 0, message, hint, "write")) from None
    with suppress(OSError):
        for parent in target.parents:
            if parent == root or parent.parent == root:
                break
            parent.rmdir()


def prune_orphan(
    root: Path,
    slug: str,
    record_path: str,
    outputs: Mapping[str, frozenset[str]],
    *,
    force: bool = False,
) -> Published:
    """Delete what a note left behind that is gone; edited files stay, and the record with them."""
    removed: list[str] = []
    edited: list[str] = []
    displaced: list[str] = []
    for path, digests in outputs.items():
        content = _read(root, path)
        if content is None:
            continue
        if digest_bytes(content) not in digests:
            if not force:
                edited.append(path)
                continue
            displaced.append(_keep_aside(root, path, content))
        remove_file(root, path)
        removed.append(path)
    if not edited and _read(root, record_path) is not None:
        remove_file(root, record_path)
        removed.append(record_path)
    return Published((), tuple(removed), tuple(displaced), tuple(edited))


@contextmanager
def locked(root: Path, on_wait: Callable[[str], None]) -> Iterator[None]:
    """Hold the site's lock; wait for another build, and say for whom.

    Raises GeneratorError when the site can't be written.
    """
    folder = root / STATE
    try:
        folder.mkdir(exist_ok=True)
        file = open(folder / "lock", "a+", encoding="utf-8")  # noqa: SIM115 -- closed below
    except OSError as error:
        message = f"the site can't be written: {error.strerror}"
        raise GeneratorError(Problem(STATE, 0, message, "`check` works without writing")) from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            on_wait(file.read().strip() or "another build")
            fcntl.flock(file, fcntl.LOCK_EX)
        with suppress(OSError):  # for the other build to read; the lock holds without it
            os.ftruncate(file.fileno(), 0)
            os.write(file.fileno(), f"process {os.getpid()}".encode())
        _tag_state(root)
        yield


Journal = Mapping[str, frozenset[str]]
"""Digests that a killed build may have left, by path."""


def read_journals(root: Path) -> dict[str, Journal]:
    """What builds that were killed meant to write, by slug."""
    found = {p.stem: _read_journal(p) for p in sorted((root / STATE / "journal").glob("*.json"))}
    return {slug: journal for slug, journal in found.items() if journal}


def _read_journal(entry: Path) -> Journal:
    with suppress(OSError, ValueError, AttributeError, TypeError, RecursionError):
        data = json.loads(entry.read_text("utf-8"))
        return {str(path): frozenset(map(str, digests)) for path, digests in data.items()}
    return {}


def clear_journals(root: Path, slugs: Iterable[str]) -> None:
    """Forget killed builds of notes that are whole again, and sweep up half-written files."""
    for slug in slugs:
        entry = root / STATE / "journal" / f"{slug}.json"
        for path in _read_journal(entry):
            with suppress(OSError):
                _temporary(root / path).unlink(missing_ok=True)
        with suppress(OSError):
            entry.unlink()


@contextmanager
def _journal(root: Path, slug: str, digests: Mapping[str, str]) -> Iterator[None]:
    """Name what is about to be written; the entry stays when that does not end well."""
    entry = root / STATE / "journal" / f"{slug}.json"
    before = _read_journal(entry)
    data = {
        path: sorted(
            before.get(path, frozenset()) | ({digests[path]} if path in digests else set())
        )
        for path in sorted({*before, *digests})
    }
    write_file(root, entry.relative_to(root).as_posix(), json.dumps(data).encode())
    yield
    with suppress(OSError):
        entry.unlink()


def _tag_state(root: Path) -> None:
    """Mark the folder of the local state as a cache, for backups and for git."""
    for name, text in (("CACHEDIR.TAG", _TAG), (".gitignore", "*\n")):
        if not (root / STATE / name).exists():
            write_file(root, f"{STATE}/{name}", text.encode())


def _inside(root: Path, path: str) -> Path:
    """The target; links must not lead out of the site."""
    target = root / path
    real = os.path.realpath(target.parent)
    home = os.path.realpath(root)
    if real != home and not real.startswith(home + os.sep):
        message = "its folder leads out of the site"
        raise GeneratorError(Problem(path, 0, message, "replace the link by a folder"))
    return target


def _read(root: Path, path: str) -> bytes | None:
    try:
        return (root / path).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise GeneratorError(Problem(path, 0, f"can't be read: {error.strerror}")) from None


def _is_own(publication: Publication, path: str, content: bytes | None) -> bool:
    """Whether a build wrote what is there."""
    return content is None or digest_bytes(content) in publication.owned.get(path, frozenset())


def _has_marks(content: bytes | None) -> bool:
    return content is not None and has_conflict(content.decode("utf-8", "replace"))


def _keep_aside(root: Path, path: str, content: bytes) -> str:
    """Keep a copy of `content` under the local state; its path, relative to the site."""
    stem = f"{STATE}/displaced/{path}"
    name, number = stem, 1
    while (existing := _read(root, name)) is not None and existing != content:
        number += 1
        name = f"{stem}.{number}"
    if existing is None:
        write_file(root, name, content)
    return name
