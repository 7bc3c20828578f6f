"""Answer `build` at once when nothing changed: one stat a file, and nothing else imported.

This module is imported before anything else, and imports only what Python has loaded already.
`index.py` writes what it reads.
"""

import os
import sys

INDEX = ".generator/index"


def header() -> str:
    """The first line of an index that this copy of the generator may believe."""
    return f"scidraft-generator index 5 of {os.path.dirname(os.path.abspath(__file__))}"


def answer_quickly(argv: list[str]) -> int | None:
    """The exit code, when the local index shows that there is nothing to do; else None."""
    options = read_arguments(argv)
    if options is None:
        return None
    site, quiet, _ = options
    notes = count_fresh_notes(site)
    if notes is None:
        return None
    if not quiet:
        sys.stdout.write(f"{notes} {'note' if notes == 1 else 'notes'}, nothing to do\n")
    return 0


def read_arguments(argv: list[str]) -> tuple[str, bool, int | None] | None:
    """Site, quietness and jobs of a plain `build`; None for anything that asks for more."""
    if argv[:1] != ["build"]:
        return None
    site, quiet, jobs = ".", False, 0
    rest = iter(argv[1:])
    for word in rest:
        if word in ("-q", "--quiet"):
            quiet = True
        elif word in ("-j", "--jobs"):
            number = next(rest, "")
            if not (number.isascii() and number.isdigit() and int(number)):
                return None
            jobs = int(number)
        elif word == "--site":
            site = next(rest, "")
        else:
            return None
    return site, quiet, jobs or None


def count_fresh_notes(site: str) -> int | None:
    """The number of notes, if every file has the stamp that the index remembers."""
    try:
        with open(os.path.join(site, INDEX), encoding="utf-8") as file:
            lines = file.read().split("\n")
    except (OSError, ValueError):
        return None
    if lines[0] != header() or len(lines) < 3 or lines[-2] != "end":
        return None
    stat, prefix = os.stat, site.rstrip("/") + "/"
    try:
        for line in lines[2:-2]:
            kind, size, time, node, digest, path = line.split(" ", 5)
            if kind in "sp":
                where = path if path[0] == "/" else prefix + path
                found = stat(where)
                if (
                    found.st_ctime_ns != int(time)
                    or found.st_size != int(size)
                    or found.st_ino != int(node)
                    or (kind == "p" and _digest_file(where) != digest)
                ):
                    return None
            elif not _is_unchanged(kind, digest, path, path if path[0] == "/" else prefix + path):
                return None
        return int(lines[1].split(" ")[0]) or None  # no notes at all: the build says how to start
    except (OSError, ValueError, IndexError):
        return None


def _is_unchanged(kind: str, digest: str, name: str, path: str) -> bool:
    """Whether a file is still absent, a folder still one, or a variable still as it was."""
    if kind in "ad":
        try:
            found = os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            return kind == "a"
        return kind == "d" and found.st_mode & 0o170000 == 0o040000
    if kind != "e":
        return False
    value = os.environ.get(name)
    if value is None or digest == "-":
        return value is None and digest == "-"
    return _digest(value.encode("utf-8", "surrogateescape")) == digest


def _digest_file(path: str) -> str:
    with open(path, "rb") as file:
        return _digest(file.read())


def _digest(data: bytes) -> str:
    from hashlib import blake2b

    return blake2b(data, digest_size=16).hexdigest()
