"""Where the site is, for code that is given relative paths."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_ROOT: ContextVar[Path | None] = ContextVar("site_root", default=None)
_BASE: ContextVar[Path | None] = ContextVar("site_base", default=None)
_CONFINED: ContextVar[bool] = ContextVar("site_confined", default=False)


@contextmanager
def standing_in(root: Path, base: Path | None = None, *, confined: bool = False) -> Iterator[None]:
    """Resolve relative paths against `base` (a demo's folder), then against `root`.

    `confined`, as for templates, which are not trusted like code, refuses what lies outside `root`.
    """
    root_token, base_token = _ROOT.set(root), _BASE.set(base)
    confined_token = _CONFINED.set(confined)
    try:
        yield
    finally:
        _ROOT.reset(root_token)
        _BASE.reset(base_token)
        _CONFINED.reset(confined_token)


def site_root() -> Path:
    """The site's folder; the working directory outside a build."""
    return _ROOT.get() or Path.cwd()


def resolve_path(path: str | os.PathLike[str]) -> Path:
    """`path` as it is when absolute, else beside the demo, else in the site.

    Raises FileNotFoundError when it is in neither place, or where it must not be.
    """
    given = Path(path)
    places = [base / given for base in (_BASE.get(), site_root()) if base is not None]
    for candidate in places:
        if _exists(candidate):
            _check_confined(candidate, given)
            return candidate
    looked = " or ".join(f"`{relative_path(place.parent) or '.'}`" for place in places)
    raise FileNotFoundError(f"no `{given.as_posix()}` in {looked}")


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # too long a name, a null character
        return False


def _check_confined(found: Path, given: Path) -> None:
    if _CONFINED.get() and not found.resolve().is_relative_to(site_root().resolve()):
        raise FileNotFoundError(
            f"`{given.as_posix()}` lies outside the site: only a demo may read it"
        )


def relative_path(path: str | os.PathLike[str]) -> str:
    """`path` as POSIX text relative to the site; unchanged when it lies outside."""
    absolute = os.path.abspath(path)
    root = os.path.abspath(site_root())
    if absolute == root:
        return ""
    if absolute.startswith(root + os.sep):
        return absolute[len(root) + 1 :].replace(os.sep, "/")
    return absolute.replace(os.sep, "/")
