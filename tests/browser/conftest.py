"""The sites that the browser looks at, and what judges them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.programs import require

from .sites import ROOT, Built, build_site, copy_forms


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, which judges a page's accessibility."""
    installed = ROOT / "tests" / "js" / "node_modules" / "axe-core" / "axe.min.js"
    script = Path(os.environ.get("AXE_SCRIPT") or installed)
    require(script.is_file(), "axe-core isn't installed: npm install in tests/js")
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
