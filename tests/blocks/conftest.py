"""Tools that some tests need: Hugo and a browser. CI must have them; elsewhere tests skip."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


def find_tool(*names: str) -> str:
    """The first of the programs that is there; skips the test, or in CI fails it."""
    beside = Path(sys.executable).parent
    for name in names:
        if (beside / name).exists():
            return str(beside / name)
        found = shutil.which(name)
        if found:
            return found
    reason = f"needs {names[0]}"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def hugo() -> str:
    return find_tool("hugo")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    program = find_tool("chromium", "chromium-browser", "google-chrome")
    from playwright.sync_api import sync_playwright

    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=flags)
        yield running
        running.close()
