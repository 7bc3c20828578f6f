"""Sites built by Hugo into a folder, and shown to a browser without a server or a network."""

from __future__ import annotations

import mimetypes
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.programs import find_tool

ROOT = Path(__file__).resolve().parent.parent.parent
FORMS = ROOT / "tests" / "fixtures" / "forms"
PARTS = ("static", "assets", "data")


@dataclass(frozen=True, slots=True)
class Built:
    """What Hugo made of a site."""

    folder: Path
    """The published files."""
    base: str
    """The base URL that they were published for."""
    output: str
    """What Hugo printed, errors included."""
    code: int
    """Hugo's exit code."""

    def html(self, page: str) -> str:
        """The source of a page, named by its path (`notes/x/`)."""
        name = page if page.endswith(".html") else f"{page}index.html"
        return (self.folder / name).read_text(encoding="utf-8")

    def pages(self) -> list[str]:
        """Every page as a path relative to the base URL; aliases left out."""
        found = []
        for path in sorted(self.folder.rglob("*.html")):
            if 'http-equiv="refresh"' in path.read_text(encoding="utf-8")[:400]:
                continue
            name = path.relative_to(self.folder).as_posix()
            found.append(name.removesuffix("index.html"))
        return found


@dataclass
class Shown:
    """Serves a built site through a browser's router, and notes what a page asked for.

    Without slots: Playwright leaves an attribute on the object whose method it calls.
    """

    built: Built
    """The site; addresses under its base URL are read from its folder."""
    strangers: list[str] = field(default_factory=list)
    """Addresses that were asked for outside the site."""
    missing: list[str] = field(default_factory=list)
    """Addresses of the site where nothing is."""

    def answer(self, route: Any, request: Any) -> None:
        """Answers one request of the browser; for `context.route`."""
        url = request.url
        if not url.startswith(self.built.base):
            self.strangers.append(url)
            route.abort()
            return
        name = unquote(urlsplit(url).path.removeprefix(urlsplit(self.built.base).path))
        path = self.built.folder / name
        if path.is_dir():
            path = path / "index.html"
        if not path.is_file():
            self.missing.append(url)
            route.fulfill(status=404, body="not here")
            return
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        route.fulfill(body=path.read_bytes(), content_type=kind)


def find_hugo() -> str:
    """Hugo's path: the one of this environment, or the system's."""
    return find_tool("hugo")


def build_site(
    source: Path, target: Path, base: str = "https://example.org/", arguments: Sequence[str] = ()
) -> Built:
    """Publishes the site in `source` into `target`."""
    command = [find_hugo(), "--source", str(source), "--destination", str(target)]
    command += ["--baseURL", base, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    output = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)
    return Built(target, base, output, done.returncode)


def copy_frame(folder: Path) -> Path:
    """A site with this project's settings, theme and hand-written pages, but no notes."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = (ROOT / "hugo.toml").read_text(encoding="utf-8")
    own = re.sub(r"(?m)^sourceURL = .*\n", "", settings)  # the frame has no demos to link
    (folder / "hugo.toml").write_text(own, encoding="utf-8")
    shutil.copytree(ROOT / "themes" / "scidraft-static", folder / "themes" / "scidraft-static")
    (folder / "content" / "notes").mkdir(parents=True)
    for page in (ROOT / "content").glob("*.md"):
        shutil.copy(page, folder / "content")
    shutil.copy(ROOT / "content" / "notes" / "_index.md", folder / "content" / "notes")
    return folder


def copy_forms(folder: Path) -> Path:
    """The frame with the fixture notes, which show every form that a note may use."""
    copy_frame(folder)
    shutil.copytree(
        FORMS,
        folder / "content" / "notes",
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns(*PARTS),
    )
    for part in PARTS:
        shutil.copytree(FORMS / part, folder / part)
    return folder


def write_note(folder: Path, slug: str, body: str, front: str = "") -> Path:
    """One more note in the site; its text starts on the line after the front matter."""
    path = folder / "content" / "notes" / f"{slug}.md"
    head = f"---\ntitle: {slug}\ndate: 2026-09-01T09:00:00+09:00\n{front}---\n"
    path.write_text(head + body, encoding="utf-8")
    return path
