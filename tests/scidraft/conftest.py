"""All pages are visited once; the tests read what was seen."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import CHROMIUMS
from tests.browser.sites import ROOT, build_site, require

from .server import serving
from .sources import FIXTURES, SHIPPED, make_site
from .visits import Visit, visit_pages

PACKAGES = ROOT / "tests" / "js" / "node_modules"


@dataclass(frozen=True, slots=True)
class Sight:
    """A note as it is seen somewhere."""

    name: str
    """The note."""
    region: str
    """`note`, `card` or `preview`."""
    source: Path
    """Its Markdown."""
    seen: dict[str, Any]
    """What the browser found."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Everything that was seen."""

    visits: dict[str, Visit]
    """Pages under the theme's scripts."""
    embedded: dict[str, dict[str, Any]]
    """Notes in the embedded theme."""
    sights: tuple[Sight, ...]
    """Notes under the theme's scripts, wherever they are shown."""
    faulty: tuple[Sight, ...]
    """Notes with a fault, under the same."""


@pytest.fixture(scope="session")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seen]:
    """What a browser sees of all notes."""
    chromium = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    require(chromium, "Chromium isn't installed")
    require(are_installed(), "the theme's libraries aren't installed: npm install in tests/js")
    pytest.importorskip("playwright.async_api")
    assert chromium is not None
    yield look(chromium, tmp_path_factory.mktemp("scidraft"))


def are_installed() -> bool:
    """Whether each package is there in exactly the version that is pinned."""
    pins = json.loads((PACKAGES.parent / "package.json").read_text("utf-8"))["dependencies"]
    for name, pin in pins.items():
        package = PACKAGES / name / "package.json"
        if not package.is_file() or json.loads(package.read_text("utf-8"))["version"] != pin:
            return False
    return True


def look(chromium: str, folder: Path) -> Seen:
    """Publishes the notes twice, below a path, and visits their pages."""
    site = make_site(folder / "site")
    folders = {
        "/lab/npm/": PACKAGES,
        "/lab/": folder / "public",
        "/embedded/": folder / "embedded",
    }
    with serving(folders) as home:
        for source, prefix in ((site, "/lab/"), (ROOT, "/embedded/")):
            built = build_site(source, folders[prefix], home + prefix)
            assert built.code == 0, built.output
            assert "WARN" not in built.output, built.output
        notes = [f"/lab/notes/{name}/" for name in (*SHIPPED, *FIXTURES, "bundle")]
        feeds = (folder / "public" / "notes" / "page").glob("*/index.html")
        cards = [f"/lab/notes/page/{path.parent.name}/" for path in feeds]
        cards = ["/lab/notes/", *(card for card in sorted(cards) if card != "/lab/notes/page/1/")]
        faults = "/lab/faults/"
        own = [f"/embedded/notes/{name}/" for name in SHIPPED]
        # Long pages first, so that the two workers end together.
        pages = [(page, "look") for page in (*cards, faults, *notes)] + [
            (page, "embedded") for page in own
        ]
        visits = visit_pages(chromium, home, pages)
    faulty = _list_sights(site / "content" / "faults", [visits.pop(faults)])
    shown = [visit for visit in visits.values() if visit.kind == "look"]
    sights = _list_sights(site / "content" / "notes", shown)
    embedded = {
        name: visits[page].notes[0] if visits[page].notes else {}
        for name, page in zip(SHIPPED, own, strict=True)
    }
    return Seen(visits, embedded, sights, faulty)


def _list_sights(folder: Path, visits: list[Visit]) -> tuple[Sight, ...]:
    """The notes of some pages, each with its Markdown in the folder."""
    return tuple(
        Sight(note["name"], note["region"], _find_source(folder, note["name"]), note)
        for visit in visits
        for note in visit.notes
    )


def _find_source(folder: Path, name: str) -> Path:
    single = folder / f"{name}.md"
    return single if single.exists() else folder / name / "index.md"
