"""A folder as a tree of names and what each file says about itself."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

from generator.blocks.base import Block, Json, Where, refuse
from generator.blocks.fences import fence_code, show_control
from generator.blocks.pipes import display_width
from generator.frozen import dataclass

IGNORED = ("__pycache__", "node_modules", "*.pyc", "*.pyo", "*.egg-info", "*~", "*.swp", ".*")
WIDEST_COLUMN = 40
"""Comments stand in one column; that of a longer name stands behind it and pushes no other."""
_FOLDER_NOTES = ("__init__.py",)


@dataclass(frozen=True, slots=True)
class Branch:
    """One line of a tree."""

    label: str
    """The box-drawing characters and the name; folders end with a slash."""
    comment: str
    """What the file says about itself; empty for nothing."""


class FileTree(Block):
    """The folder at `path`, folders first, each level in the order of its names.

    `comments` is True for what the files say about themselves, False for none, or a mapping from
    relative paths to comments of the author's own, the rest being read from the files. `depth`
    limits the levels, `ignore` adds patterns of names or relative paths to `IGNORED`.

    Raises GeneratorError when there is no such folder or nothing in it.
    """

    kind: ClassVar[str] = "filetree"

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        comments: bool | Mapping[str, str] = True,
        depth: int | None = None,
        ignore: Sequence[str] = (),
    ) -> None:
        root = find_path(path, "filetree")
        if not root.is_dir():
            raise refuse("filetree", f"`{Path(path).as_posix()}` is not a folder")
        patterns = (*IGNORED, *([ignore] if isinstance(ignore, str) else ignore))
        own = dict(comments) if isinstance(comments, Mapping) else {}
        grower = _Grower(root, patterns, own, bool(comments) or bool(own), depth)
        self._branches = [Branch(f"{root.resolve().name}/", own.get(".", "")), *grower.grow()]
        if len(self._branches) == 1:
            raise refuse("filetree", f"there is nothing to show in `{Path(path).as_posix()}`")
        grower.check_used()

    def to_data(self) -> dict[str, Json]:
        return {"branches": [[branch.label, branch.comment] for branch in self._branches]}

    @classmethod
    def from_data(cls, data: Mapping[str, Json]) -> Self:
        block = cls.__new__(cls)
        branches: Any = data["branches"]
        block._branches = [Branch(label, comment) for label, comment in branches]
        return block

    def to_markdown(self, where: Where) -> str:
        widths = [display_width(branch.label) for branch in self._branches]
        column = max((width for width in widths if width <= WIDEST_COLUMN), default=0)
        lines = []
        for branch in self._branches:
            gap = " " * (max(column - display_width(branch.label), 0) + 2)
            lines.append(branch.label + (f"{gap}# {branch.comment}" if branch.comment else ""))
        return fence_code("\n".join(lines), "bash")


class _Grower:
    """Walks a folder; remembers which of the author's comments found their file."""

    def __init__(
        self,
        root: Path,
        patterns: Sequence[str],
        own: Mapping[str, str],
        with_comments: bool,
        depth: int | None,
    ) -> None:
        self._root, self._patterns, self._own = root, patterns, own
        self._with_comments, self._depth = with_comments, depth
        self._used = {"."}

    def grow(self, folder: str = "", indent: str = "", level: int = 1) -> list[Branch]:
        """The lines below `folder`, a POSIX path relative to the root."""
        entries = self._entries(folder)
        branches: list[Branch] = []
        for number, (name, is_folder) in enumerate(entries, 1):
            last = number == len(entries)
            relative = f"{folder}{name}"
            label = indent + ("└── " if last else "├── ") + show_control(name) + "/" * is_folder
            deeper = is_folder and (self._depth is None or level < self._depth)
            branches.append(Branch(label, self._comment(relative, is_folder, deeper)))
            if deeper:
                below = indent + ("    " if last else "│   ")
                branches += self.grow(f"{relative}/", below, level + 1)
        return branches

    def check_used(self) -> None:
        """Raise GeneratorError for a comment whose file is not in the tree."""
        unused = sorted(self._own.keys() - self._used)
        if unused:
            raise refuse("filetree", f"there is no `{unused[0]}` in the tree to comment on")

    def _entries(self, folder: str) -> list[tuple[str, bool]]:
        with os.scandir(self._root / folder) as found:
            entries = [
                (entry.name, entry.is_dir(follow_symlinks=False))
                for entry in found
                if not self._is_ignored(entry.name, f"{folder}{entry.name}")
            ]
        return sorted(entries, key=lambda entry: (not entry[1], entry[0].casefold(), entry[0]))

    def _is_ignored(self, name: str, relative: str) -> bool:
        from fnmatch import fnmatchcase

        return any(
            fnmatchcase(name, pattern.rstrip("/")) or fnmatchcase(relative, pattern.rstrip("/"))
            for pattern in self._patterns
        )

    def _comment(self, relative: str, is_folder: bool, deeper: bool) -> str:
        from generator.blocks.comments import read_comment

        self._used.add(relative)
        if relative in self._own:
            return show_control(self._own[relative])
        if not self._with_comments:
            return ""
        path = self._root / relative
        if path.is_symlink():  # it shows what is here, not what lies elsewhere
            return ""
        if not is_folder:
            return show_control(read_comment(path))
        if deeper:  # its files speak for themselves
            return ""
        return next((c for name in _FOLDER_NOTES if (c := read_comment(path / name))), "")


def find_path(path: str | os.PathLike[str], code: str, hint: str = "") -> Path:
    """`path` beside the demo or in the site.

    Raises GeneratorError when there is no such thing.
    """
    from generator.site import resolve_path

    try:
        return resolve_path(path)
    except FileNotFoundError as error:
        raise refuse(code, str(error), hint) from error
