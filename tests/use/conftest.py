"""Sites, commands and tools for trying the package as its users do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

LAYOUTS = {
    "single.html": "<html><head></head><body>{{ .Content }}</body></html>\n",
    "list.html": "<html><head></head><body>{{ range .Pages }}{{ .Title }}{{ end }}</body></html>\n",
}
CONFIG = """\
title = "Site"
disableKinds = ["taxonomy", "term", "rss", "sitemap"]

[markup.goldmark.renderer]
unsafe = true

[markup.goldmark.parser.attribute]
block = true

[markup.goldmark.extensions.passthrough]
enable = true

[markup.goldmark.extensions.passthrough.delimiters]
block = [['$$', '$$'], ['\\[', '\\]']]
inline = [['\\(', '\\)']]
"""
DEMO = """\
import time
def run(rng, *, wait=0.0):
    time.sleep(wait)
    return {"answer": 42}
"""
NOTE = """\
---
title: First
date: 2026-01-01T00:00:00+00:00
demo: first
---
The answer is <%= answer | claim("42") %>, in words zero.
"""


def find_tool(*names: str) -> str:
    """The first of the programs that is there; skips the test, or in CI fails it."""
    beside = Path(sys.executable).parent
    for name in names:
        if (beside / name).exists():
            return str(beside / name)
        if found := shutil.which(name):
            return found
    if os.environ.get("CI"):
        pytest.fail(f"needs {names[0]}")
    pytest.skip(f"needs {names[0]}")


@pytest.fixture(scope="session")
def hugo() -> str:
    return find_tool("hugo")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    program = find_tool("chromium", "chromium-browser", "google-chrome")
    from playwright.sync_api import sync_playwright

    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=flags)
        yield running
        running.close()


def make_site(root: Path, *, config: str = CONFIG) -> Path:
    """A small Hugo site with one note that has a demo."""
    files = {
        "hugo.toml": config,
        "demos/first.py": DEMO,
        "templates/notes/first.md": NOTE,
        **{f"layouts/{name}": text for name, text in LAYOUTS.items()},
    }
    for path, text in files.items():
        write(root / path, text)
    return root


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def generate(site: Path, *words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """`python -m generator …` in the site."""
    return subprocess.run(
        [sys.executable, "-m", "generator", *words],
        cwd=site,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **options,
    )
