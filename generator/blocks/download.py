"""A folder as an archive that readers can download: the same bytes on every machine."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, ClassVar, Self
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from generator.blocks.base import Block, Json, Where, refuse
from generator.blocks.filetree import IGNORED, find_path

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive: the oldest that the format knows."""
_UNIX = 3
_PLAIN_FILE = 0o100644 << 16


class Download(Block):
    """The folder at `path` as a zip archive, without what `FileTree` leaves out.

    Files are stored uncompressed, in the order of their names, with one date and one mode, so that
    the archive depends on nothing but their names and bytes. `ignore` adds patterns of names or
    relative paths.

    Raises GeneratorError when there is no such folder or no file in it.
    """

    kind: ClassVar[str] = "download"

    def __init__(self, path: str | os.PathLike[str], *, ignore: Sequence[str] = ()) -> None:
        root = find_path(path, "download")
        if not root.is_dir():
            raise refuse("download", f"`{Path(path).as_posix()}` is not a folder")
        patterns = (*IGNORED, *([ignore] if isinstance(ignore, str) else ignore))
        paths = sorted(_find_files(root, patterns))
        if not paths:
            raise refuse("download", f"there is no file in `{Path(path).as_posix()}`")
        top = root.resolve().name
        archive = pack_files({f"{top}/{path}": (root / path).read_bytes() for path in paths})
        self._count, self._size = len(paths), len(archive)
        self._digest = hashlib.sha256(archive).hexdigest()
        self._archive: bytes | None = archive

    def to_data(self) -> dict[str, Json]:
        return {"count": self._count, "size": self._size, "digest": self._digest}

    @classmethod
    def from_data(cls, data: Mapping[str, Json]) -> Self:
        block = cls.__new__(cls)
        fields: dict[str, Any] = dict(data)
        block._count, block._size = fields["count"], fields["size"]
        block._digest, block._archive = fields["digest"], None
        return block

    def to_markdown(self, where: Where) -> str:
        if not where.name:
            raise refuse(
                "download",
                "an archive made in a template has no name to be saved under",
                "return it from the demo's `run`",
            )
        files = "1 file" if self._count == 1 else f"{self._count} files"
        address = f"/{where.figures}/{where.slug}/{where.name}.zip"
        return f"[{where.name}.zip]({address}) ({files}, {self._size / 1000:.1f} kB)"

    def files(self) -> dict[str, bytes]:
        return {} if self._archive is None else {".zip": self._archive}


def pack_files(files: Mapping[str, bytes]) -> bytes:
    """A zip archive of `files`, by POSIX path, that depends on nothing else."""
    stream = io.BytesIO()
    with ZipFile(stream, "w", ZIP_STORED) as archive:
        for name in sorted(files):
            entry = ZipInfo(name, _EPOCH)
            entry.create_system, entry.external_attr = _UNIX, _PLAIN_FILE
            archive.writestr(entry, files[name])
    return stream.getvalue()


def _find_files(root: Path, patterns: Sequence[str], folder: str = "") -> Iterator[str]:
    with os.scandir(root / folder) as entries:
        for entry in entries:
            relative = f"{folder}{entry.name}"
            if any(fnmatchcase(name, p) for name in (entry.name, relative) for p in patterns):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _find_files(root, patterns, f"{relative}/")
            elif entry.is_file():
                yield relative
