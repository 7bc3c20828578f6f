"""What of a site the preview watches, and which events matter."""

from __future__ import annotations

import os
from contextlib import suppress

from generator.settings import Settings

_IGNORED = {".git", ".generator", ".venv", "public", "resources", "node_modules", "__pycache__"}
"""Folders that hold outputs, caches and installed things."""


def watched_folders(settings: Settings) -> list[str]:
    """The site's folders, less those that only hold outputs."""
    left_out = {*_IGNORED, settings.content_dir.split("/")[0], settings.static_dir.split("/")[0]}
    found = [
        entry.path
        for entry in os.scandir(settings.root)
        if entry.is_dir() and entry.name not in left_out and not entry.name.startswith(".")
        if not os.path.exists(os.path.join(entry.path, "pyvenv.cfg"))
    ]
    return sorted(found) or [str(settings.root)]


def site_stamp(settings: Settings) -> tuple[object, ...]:
    """Names, sizes and times of the files right in the site's folder, and of its configuration."""
    places = [str(settings.root), os.path.join(settings.root, "config", "_default")]
    found: list[tuple[str, int, int]] = []
    for place in filter(os.path.isdir, places):
        for entry in os.scandir(place):
            with suppress(OSError):
                if entry.is_file() and not entry.name.startswith("."):
                    about = entry.stat()
                    found.append((entry.path, about.st_size, about.st_mtime_ns))
    return tuple(sorted(found))


def read_config_files(settings: Settings) -> tuple[bytes, ...]:
    """What the site's configuration files hold."""
    found: list[bytes] = []
    for path in settings.config_files:
        with suppress(OSError):
            found.append((settings.root / path).read_bytes())
    return tuple(found)


def concerns(settings: Settings, path: str) -> bool:
    """Whether an event can matter: not for outputs, caches and editors' temporary files."""
    relative = os.path.relpath(path, settings.root).replace(os.sep, "/")
    parts = relative.split("/")
    if any(part in _IGNORED for part in parts) or parts[-1].endswith((".pyc", "~", ".swp", ".tmp")):
        return False
    outputs = (settings.content_dir, settings.static_dir, f"{settings.data_dir}/notes")
    own = relative.startswith(tuple(f"{folder}/" for folder in outputs))
    return not own and not parts[-1].startswith(".")
