"""One browser that goes once through every page and brings back what there is to see."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
AT_ONCE = 2
"""Pages that are open at the same time."""
HERE = Path(__file__).parent


@dataclass
class Visit:
    """One page. Without slots: Playwright leaves an attribute on the owners of its callbacks."""

    address: str
    """Where it is."""
    kind: str
    """The script that looks at it: `look` or `embedded`."""
    notes: list[dict[str, Any]] = field(default_factory=list)
    """What the script found of each note on the page."""
    faint: list[tuple[str, str, str, float]] = field(default_factory=list)
    """Mode, note, text and contrast where the contrast is low."""
    errors: list[str] = field(default_factory=list)
    """What failed, and what the page complained of."""
    strangers: list[str] = field(default_factory=list)
    """Addresses on other machines that the page asked for."""


def visit_pages(chromium: str, home: str, pages: list[tuple[str, str]]) -> dict[str, Visit]:
    """Every page (address below `home`, script), by its address.

    In a thread of its own, since other tests keep Playwright's loop running in this one.
    """
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, _visit_all(chromium, home, pages)).result()


async def _visit_all(chromium: str, home: str, pages: list[tuple[str, str]]) -> dict[str, Visit]:
    from playwright.async_api import async_playwright

    visits = {address: Visit(address, kind) for address, kind in pages}
    waiting = list(visits.values())
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=chromium, args=list(OPTIONS))
        context = await browser.new_context(viewport={"width": 900, "height": 900})

        async def work() -> None:
            while waiting:
                await _visit(context, home, waiting.pop(0))

        await asyncio.gather(*(work() for _ in range(AT_ONCE)))
        await browser.close()
    return visits


async def _visit(context: Any, home: str, visit: Visit) -> None:
    page = await context.new_page()
    page.on("request", lambda request: _keep_stranger(visit, home, request.url))
    page.on("requestfailed", lambda request: visit.errors.append(f"no answer: {request.url}"))
    page.on("response", lambda answer: _keep_missing(visit, answer))
    page.on("pageerror", lambda error: visit.errors.append(str(error)))
    try:
        await page.goto(home + visit.address)
        script = (HERE / f"{visit.kind}.js").read_text("utf-8")
        seen = await page.evaluate(script)
        visit.notes = seen["notes"]
        visit.errors += seen["errors"]
        if visit.kind == "look":
            contrast = (HERE / "contrast.js").read_text("utf-8")
            for mode in ("light", "dark"):
                await page.evaluate("mode => document.documentElement.dataset.theme = mode", mode)
                visit.faint += [(mode, *found) for found in await page.evaluate(contrast)]
        else:
            visit.notes[0]["tree"] = await _read_tree(context, page)
    except Exception as error:  # told by the test that reads this visit
        visit.errors.append(str(error))
    finally:
        await page.close()


def _keep_stranger(visit: Visit, home: str, address: str) -> None:
    if not address.startswith((home + "/", "data:", "blob:")):
        visit.strangers.append(address)


def _keep_missing(visit: Visit, answer: Any) -> None:
    if answer.status >= 400:
        visit.errors.append(f"{answer.status}: {answer.url}")


async def _read_tree(context: Any, page: Any) -> list[list[str]]:
    """The page's accessibility tree: role, name and the text below, of each node."""
    session = await context.new_cdp_session(page)
    found = await session.send("Accessibility.getFullAXTree")
    nodes = {node["nodeId"]: node for node in found["nodes"]}
    read: dict[str, str] = {}

    def text(key: str) -> str:
        if key not in read:
            node = nodes.get(key, {})
            name = str(node.get("name", {}).get("value", ""))
            role = node.get("role", {}).get("value", "")
            below = [text(child) for child in node.get("childIds", ())]
            read[key] = name if role == "StaticText" else " ".join(filter(None, below))
        return read[key]

    return [
        [
            node.get("role", {}).get("value", ""),
            str(node.get("name", {}).get("value", "")),
            text(node["nodeId"]),
        ]
        for node in found["nodes"]
        if not node.get("ignored")
    ]
