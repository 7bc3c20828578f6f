"""The pages of a site, for links to be checked against: read when a note first asks for them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import PurePosixPath

from generator.lint.addresses import page_address
from generator.lint.anchors import find_anchors

_FRONT = re.compile(r"\ufeff?\s*^(---|\+\+\+)[ \t]*\r?\n(.*?)^\1[ \t]*$", re.DOTALL | re.MULTILINE)
_ADDRESS = re.compile(r"^(url|slug)\s*[:=]\s*[\"']?([^\s\"']+)", re.MULTILINE)
_ALIASES = re.compile(r"^aliases\s*[:=](.*(?:\n[ \t]*-.*)*)", re.MULTILINE)
_LONGEST_FRONT_MATTER = 16_384


class SitePages(Mapping[str, frozenset[str]]):
    """Each page's address with its anchors.

    Nothing is read before an address is looked up, and a page's anchors only when they are asked
    for: most notes link to no other page, and a site may have thousands.
    """

    def __init__(self, sources: Sequence[tuple[str, str]]) -> None:
        """`sources`: path below `content/` and file of each note, those of templates too."""
        self._sources = sources
        self._anchors: dict[str, frozenset[str]] = {}

    @cached_property
    def _files(self) -> dict[str, list[str]]:
        """The files behind each address; a section without a page of its own has none."""
        found: dict[str, list[str]] = {"/": []}
        folders: set[str] = set()
        for path, file in self._sources:
            if not path.endswith((".md", ".html")):
                continue
            folders.add(path.rpartition("/")[0])
            for address in _addresses(path, _read(file, _LONGEST_FRONT_MATTER)):
                found.setdefault(address, []).append(file)
        for folder in folders:
            for parent in (PurePosixPath(folder), *PurePosixPath(folder).parents):
                if parent.name:
                    found.setdefault(page_address(f"{parent}/_index.md"), [])
        return found

    def __getitem__(self, address: str) -> frozenset[str]:
        if address not in self._anchors:
            texts = map(_read, self._files[address])
            self._anchors[address] = frozenset().union(*map(find_anchors, texts))
        return self._anchors[address]

    def __contains__(self, address: object) -> bool:
        return address in self._files

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


def _read(file: str, size: int = -1) -> str:
    try:
        with open(file, encoding="utf-8", errors="replace", newline="") as stream:
            return stream.read(size)
    except OSError:
        return ""


def _addresses(path: str, text: str) -> list[str]:
    address = page_address(path)
    if not (front := _FRONT.match(text)):
        return [address]
    given = {found[1]: found[2].strip("/").lower() for found in _ADDRESS.finditer(front[2])}
    if "url" in given:
        address = f"/{given['url']}/" if given["url"] else "/"
    elif "slug" in given:
        address = address.rstrip("/").rpartition("/")[0] + f"/{given['slug']}/"
    found = _ALIASES.search(front[2])
    aliases = re.findall(r"[\w./-]*/[\w./-]*", found[1]) if found else []
    return [address, *(f"/{alias.strip('/')}/" for alias in aliases)]


def walk_files(folder: str) -> Iterator[str]:
    """The files below a folder, as POSIX paths relative to it; hidden ones are left out."""
    pending = [""]
    while pending:
        below = pending.pop()
        try:
            with os.scandir(os.path.join(folder, below)) as entries:
                for entry in entries:
                    if entry.is_dir():
                        if not entry.name.startswith("."):
                            pending.append(f"{below}{entry.name}/")
                    else:
                        yield below + entry.name
        except OSError:
            continue
