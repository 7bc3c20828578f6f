"""A scratch site in a temporary folder, for the tests that build."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.markup import MARKUP
from tests.programs import CHROMIUM, CHROMIUM_OPTIONS, find_tool, require

REPOSITORY = Path(__file__).parent.parent
CONFIG = f"""\
baseURL = "https://example.org/"
title = "Scratch"
timeZone = "UTC"
[outputs]
home = ["HTML", "RSS", "JSON"]
[params]
mainSections = ["notes"]
{MARKUP}"""
FRONT = 'title: {title}\ndescription: "A scratch note."\ndate: 2026-01-02T03:04:05Z\ntags: [Test]\n'


@dataclass(frozen=True)
class Site:
    """A Hugo site made for one test."""

    root: Path

    def write(self, path: str, text: str | bytes) -> Path:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode())
        return target

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def note(self, slug: str, body: str, **front: object) -> str:
        """Write a template; its path."""
        more = "".join(f"{key}: {value}\n" for key, value in front.items())
        path = f"templates/notes/{slug}.md"
        self.write(path, f"---\n{FRONT.format(title=slug)}{more}---\n{body}\n")
        return path

    def demo(self, name: str, body: str) -> str:
        """Write a demo whose `run` has this body; its path."""
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        return self.write_demo(name, f"def run(rng, **params):\n{lines}")

    def write_demo(self, name: str, source: str) -> str:
        path = f"demos/{name}.py"
        self.write(path, source)
        return path

    def build(self, *slugs: str, force: bool = False, jobs: int = 2):  # type: ignore[no-untyped-def]
        """Build in this process; the report."""
        from generator.build import Options, build_site
        from generator.settings import load_settings

        options = Options(slugs=slugs, jobs=jobs, force=force)
        return build_site(load_settings(self.root), options)

    def reasons(self) -> dict[str, tuple[str, ...]]:
        """The stale notes, each with its reasons, from the records alone."""
        from generator.build import plan_steps
        from generator.fingerprint import Digests
        from generator.notes import discover_notes
        from generator.settings import load_settings

        settings = load_settings(self.root)
        steps = plan_steps(settings, discover_notes(settings), Digests(str(self.root)))
        return {step.note.slug: step.reasons for step in steps if step.reasons}

    def run(
        self, *arguments: str, env: dict[str, str] | None = None, **options: object
    ) -> subprocess.CompletedProcess[str]:
        """Run the command line in a process of its own."""
        command = [sys.executable, "-m", "generator", *arguments]
        return subprocess.run(
            command,
            cwd=self.root,
            env=environment(env),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            **options,  # type: ignore[call-overload]
        )

    def start(self, *arguments: str, env: dict[str, str] | None = None) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "generator", *arguments],
            cwd=self.root,
            env=environment(env),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=heed_ctrl_c,
        )

    def files(self, *folders: str) -> dict[str, bytes]:
        """What is published: content, figures and records, by path."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for folder in folders or ("content", "static", "data")
            for path in sorted((self.root / folder).rglob("*"))
            if path.is_file()
        }

    def stamps(self) -> dict[str, int]:
        """Times at which the published files were written."""
        return {path: (self.root / path).stat().st_mtime_ns for path in self.files()}


def heed_ctrl_c() -> None:
    """A shell's background jobs ignore Ctrl-C, and so would what they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def environment(more: dict[str, str] | None = None) -> dict[str, str]:
    """This process's environment, with the package importable and bytecode as users have it."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(REPOSITORY), **(more or {})}


def make_site(root: Path) -> Site:
    root.mkdir(parents=True, exist_ok=True)
    site = Site(root.resolve())
    site.write("hugo.toml", CONFIG)
    return site


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """An empty site with sound settings."""
    yield make_site(tmp_path / "site")


@pytest.fixture
def small_site(site: Site) -> Site:
    """Three notes: one of prose, two with demos, of which one has a figure."""
    site.note("prose", "Words only.")
    site.demo("sums", 'return {"total": 0.125, "count": 3}')
    site.note("sums", "The total is <%= total %>, of <%= count %>.", demo="sums")
    site.write_demo("drawn", DRAWN)
    site.note("drawn", "The end is <%= end %>.\n\n<%= line %>", demo="drawn")
    return site


DRAWN = """\
from generator import Figure, subplots

def run(rng):
    figure, axes = subplots()
    axes.plot([0, 1], [0, 2])
    axes.set(xlabel="x", ylabel="y")
    return {"end": 2.0, "line": Figure(figure, alt="A rising line from zero to two")}
"""


@pytest.fixture(scope="session")
def hugo() -> str:
    """Hugo's program."""
    return find_tool("hugo")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One Chromium for all tests: a second driver can't run beside it."""
    program = find_tool(*CHROMIUM)
    require(importlib.util.find_spec("playwright"), "Playwright isn't installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=program, args=list(CHROMIUM_OPTIONS))
        yield running
        running.close()
