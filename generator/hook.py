"""`build --hook`: what pre-commit is told after a build."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from generator.history import find_recorded, read_known
from generator.report import Report
from generator.settings import Settings

_MANY = 8
"""Files up to which each is named."""


def end_hook(settings: Settings, report: Report) -> int:
    """The exit code: 1 when anything was written, or is not yet in git, and says what to add.

    pre-commit itself sees changes of tracked files only, so a new page would pass unnoticed.
    """
    written = {path for note in report.notes for path in note.outputs} | set(report.removed)
    missing = _find_untracked(settings)
    to_add = sorted(written | missing)
    if to_add:
        if not written:
            print("these files belong to notes in git, and are not there yet")
        print(f"add them and commit again: git add -A -- {_write_paths(settings, to_add)}")
    return int(report.failed or bool(to_add))


def _find_untracked(settings: Settings) -> set[str]:
    """Outputs that git does not know, though it knows their template."""
    outputs: dict[str, str] = {}
    for slug in find_recorded(settings):
        record = read_known(settings, slug, {}).record
        if record is not None:
            record_path = settings.record_path(slug)
            outputs |= dict.fromkeys([*record.outputs, record_path], record.template)
    new = _list_files(settings.root, ["--others", "--exclude-standard"], outputs)
    tracked = _list_files(settings.root, ["--cached"], (outputs[path] for path in new))
    return {path for path in new if outputs[path] in tracked}


def _list_files(root: Path, options: list[str], paths: Iterable[str]) -> set[str]:
    """What `git ls-files` says of the paths; nothing outside a repository."""
    wanted = sorted(set(paths))
    if not wanted:
        return set()
    command = ["git", "--literal-pathspecs", "ls-files", "-z", *options, "--", *wanted]
    with suppress(OSError):
        done = subprocess.run(command, cwd=root, capture_output=True, check=False)
        return set(filter(None, done.stdout.decode("utf-8", "surrogateescape").split("\0")))
    return set()


def _write_paths(settings: Settings, paths: list[str]) -> str:
    """The paths for a shell, relative to where git is called from: the repository's top."""
    if len(paths) > _MANY:
        given = settings
        folders = [
            given.content_path(""),
            f"{given.static_dir}/{given.figures}/",
            f"{given.data_dir}/notes/",
        ]
        paths = [folder for folder in folders if any(path.startswith(folder) for path in paths)]
    above = _prefix(settings.root)
    return shlex.join(above + path for path in paths)


def _prefix(root: Path) -> str:
    with suppress(OSError):
        command = ["git", "rev-parse", "--show-prefix"]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        return done.stdout.strip("\n")
    return ""
