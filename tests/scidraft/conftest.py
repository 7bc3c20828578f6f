"""All pages are visited once; the tests read what was seen."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.browser.sites import ROOT, build_site, copy_forms
from tests.programs import CHROMIUM, find_tool, require

from .server import serving
from .sources import ALGORITHMS, FIXTURES, SHIPPED, make_site
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

    visits: tuple[Visit, ...]
    """The pages, but for that of the faults."""
    embedded: dict[str, dict[str, Any]]
    """The shipped notes, and the fixtures with algorithms, in the embedded theme."""
    sights: tuple[Sight, ...]
    """Notes under the theme's scripts, wherever they are shown."""
    faulty: tuple[Sight, ...]
    """Notes with a fault, under the same."""


@pytest.fixture(scope="session")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seen]:
    """What a browser sees of all notes."""
    chromium = find_tool(*CHROMIUM)
    require(are_installed(), "the theme's libraries aren't installed: npm install in tests/js")
    require(importlib.util.find_spec("playwright"), "Playwright isn't installed")
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
        "/forms/": folder / "forms" / "public",
    }
    with serving(folders) as home:
        forms = copy_forms(folder / "forms")
        for source, prefix in ((site, "/lab/"), (ROOT, "/embedded/"), (forms, "/forms/")):
            built = build_site(source, folders[prefix], home + prefix)
            assert built.code == 0, built.output
            assert "WARN" not in built.output, built.output
        feeds = (folder / "public" / "notes" / "page").glob("*/index.html")
        pages = sorted(f"page/{path.parent.name}/" for path in feeds)
        faults = Visit("/lab/faults/", "look")
        own = [
            *(Visit(f"/embedded/notes/{name}/", "embedded") for name in SHIPPED),
            *(Visit(f"/forms/notes/{name}/", "embedded") for name in ALGORITHMS),
        ]
        shown = [
            *(Visit(f"/lab/notes/{page}", "look") for page in ("", *pages) if page != "page/1/"),
            *(Visit(f"/lab/notes/{name}/", "look") for name in SHIPPED),
            *(Visit(f"/lab/notes/{name}/", "look", whole=False) for name in (*FIXTURES, "bundle")),
        ]
        visit_pages(chromium, home, [*own, faults, *shown])
    embedded = {
        name: visit.notes[0] if visit.notes else {}
        for name, visit in zip((*SHIPPED, *ALGORITHMS), own, strict=True)
    }
    return Seen(
        (*own, *shown),
        embedded,
        _list_sights(site / "content" / "notes", shown),
        _list_sights(site / "content" / "faults", [faults]),
    )


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
