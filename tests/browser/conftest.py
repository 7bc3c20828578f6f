"""One browser for all tests, and the sites that they look at."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from .sites import ROOT, Built, build_site, copy_forms, require

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """The system's Chromium, driven by Playwright."""
    chromium = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    require(chromium, "Chromium isn't installed")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=chromium, args=OPTIONS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, which judges a page's accessibility."""
    installed = ROOT / "tests" / "js" / "node_modules" / "axe-core" / "axe.min.js"
    script = Path(os.environ.get("AXE_SCRIPT") or installed)
    require(script.is_file(), "axe-core isn't installed: npm ci in tests/js")
    return script.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def pictures() -> Path:
    """Where pictures of the pages are left for people to look at."""
    folder = Path(os.environ.get("BROWSER_PICTURES") or ROOT / "build" / "pictures")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """This project's own site, as it is committed."""
    return build_site(ROOT, tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def forms(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The fixture notes, under a base URL with a path, and many on a page of the feed."""
    folder = copy_forms(tmp_path_factory.mktemp("forms") / "site")
    settings = folder / "hugo.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("notesPerPage = 5", "notesPerPage = 20"), encoding="utf-8")
    return build_site(folder, folder / "public", "https://example.org/lab/")
