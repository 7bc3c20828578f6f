"""What a run depended on, as lines to read: long lists of one folder's files as their number."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from posixpath import dirname

from generator.fingerprint import Lookup
from generator.plan import describe_change
from generator.record import Inputs
from generator.terminal import style

MOST_LISTED = 3
"""More files of one folder are told by their number."""


def list_inputs(
    inputs: Inputs, now: Lookup, *, main: str = "", verbose: bool = False
) -> Iterator[str]:
    """One line an input. Files that changed, and `main`, always have a line of their own."""
    changed = {
        path: describe_change(path, digest, after).removeprefix(f"{path} ")
        for path, digest in inputs.files.items()
        if (after := now.file(path)) != digest
    }
    for path, told in changed.items():
        yield path + style(f"  ({told})", "yellow")
    same = [path for path, digest in inputs.files.items() if digest and path not in changed]
    folders = {path for path in inputs.files if inputs.files[path] == "folder"} | {*inputs.folders}
    files = [path for path in same if path not in folders]
    groups = {} if verbose else group_files(files, apart=[main, *changed])
    yield from _lines(files, groups)
    for path in inputs.folders:
        if not any(f"{path}/".startswith(group) for group in groups):
            yield f"{path or '.'}/  (its listing)"
    for name in inputs.environment:
        yield f"${name}"
    if verbose:
        for path, digest in inputs.files.items():
            if not digest and path not in changed:
                yield f"{path}  (looked for, not there)"


def _lines(files: Sequence[str], groups: Mapping[str, int]) -> Iterator[str]:
    told: set[str] = set()
    for path in files:
        group = next((name for name in groups if path.startswith(name)), "")
        if not group:
            yield path
        elif group not in told:
            told.add(group)
            yield f"{group} ({groups[group]} files)"


def group_files(files: Iterable[str], *, apart: Collection[str] = ()) -> dict[str, int]:
    """The highest folders that hold more than `MOST_LISTED` of the files at any depth, and nothing
    that stands apart; with their numbers of files."""
    counts: dict[str, int] = {}
    for path in files:
        for folder in _folders_above(path):
            counts[folder] = counts.get(folder, 0) + 1
    closed = {folder for path in apart for folder in _folders_above(path)}
    many = {f for f, count in counts.items() if count > MOST_LISTED and f not in closed}
    return {
        folder: counts[folder]
        for folder in sorted(many)
        if not any(folder != other and folder.startswith(other) for other in many)
    }


def _folders_above(path: str) -> Iterator[str]:
    folder = dirname(path)
    while folder:
        yield f"{folder}/"
        folder = dirname(folder)
