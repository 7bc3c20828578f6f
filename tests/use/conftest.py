"""Sites, commands and tools for trying the package as its users do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.markup import MARKUP

LAYOUTS = {
    "single.html": "<html><head></head><body>{{ .Content }}</body></html>\n",
    "list.html": "<html><head></head><body>{{ range .Pages }}{{ .Title }}{{ end }}</body></html>\n",
}
CONFIG = f"""\
title = "Site"
disableKinds = ["taxonomy", "term", "rss", "sitemap"]
{MARKUP}"""
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
