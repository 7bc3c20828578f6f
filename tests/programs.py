"""Programs that some tests need: CI must have them; elsewhere the tests skip with a reason."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

CHROMIUM = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
CHROMIUM_OPTIONS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")


def require(found: object, reason: str) -> None:
    """Skip the test without `found`; fail it under CI, where nothing may be missing."""
    if not found:
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)


def find_tool(*names: str) -> str:
    """The first of the programs that is there, beside this Python or on PATH."""
    beside = Path(sys.executable).parent
    for name in names:
        if (beside / name).is_file():
            return str(beside / name)
        if found := shutil.which(name):
            return found
    require(None, f"needs {names[0]}")
    raise AssertionError
