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
    whole: bool = True
    """Whether the page is loaded anew, or its notes are put into the page that is there."""
    notes: list[dict[str, Any]] = field(default_factory=list)
    """What the script found of each note on the page."""
    faint: list[tuple[str, str, str, float]] = field(default_factory=list)
    """Mode, note, text and contrast where the contrast is low."""
    errors: list[str] = field(default_factory=list)
    """What failed, and what the page complained of."""
    strangers: list[str] = field(default_factory=list)
    """Addresses on other machines that the page asked for."""


def visit_pages(chromium: str, home: str, visits: list[Visit]) -> None:
    """Fills in the visits of pages below `home`.

    In a thread of its own, since other tests keep Playwright's loop running in this one.
    """
    with ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, _visit_all(chromium, home, visits)).result()


async def _visit_all(chromium: str, home: str, visits: list[Visit]) -> None:
    from playwright.async_api import async_playwright

    waiting = list(visits)
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=chromium, args=list(OPTIONS))
        context = await browser.new_context(viewport={"width": 900, "height": 900})
        await asyncio.gather(*(_work(context, home, waiting) for _ in range(AT_ONCE)))
        await browser.close()


async def _work(context: Any, home: str, waiting: list[Visit]) -> None:
    """Goes through the pages that wait, in one tab."""
    page = await context.new_page()
    now: Visit | None = None

    def keep(what: str, stranger: bool = False) -> None:
        if now is not None:
            (now.strangers if stranger else now.errors).append(what)

    def ask(address: str) -> None:
        if not address.startswith((home + "/", "data:", "blob:")):
            keep(address, stranger=True)

    def answer(response: Any) -> None:
        if response.status >= 400:
            keep(f"{response.status}: {response.url}")

    page.on("request", lambda request: ask(request.url))

    def fail(request: Any) -> None:
        if request.failure != "net::ERR_ABORTED":  # the browser left the page before its icon came
            keep(f"no answer: {request.url}")

    page.on("requestfailed", fail)
    page.on("response", answer)
    page.on("pageerror", lambda error: keep(str(error)))
    while waiting:
        last, now = now, waiting.pop(0)
        try:
            if now.whole or last is None or last.kind != now.kind:
                await page.goto(home + now.address)
            else:
                await page.evaluate("address => show(address)", now.address)
            await _look(context, page, now)
        except Exception as error:  # told by the test that reads this visit
            now.errors.append(str(error))


async def _look(context: Any, page: Any, visit: Visit) -> None:
    seen = await page.evaluate((HERE / f"{visit.kind}.js").read_text("utf-8"))
    visit.notes = seen["notes"]
    visit.errors += seen["errors"]
    if visit.kind == "embedded":
        visit.notes[0]["tree"] = await _read_tree(context, page)
        return
    contrast = (HERE / "contrast.js").read_text("utf-8")
    for mode in ("light", "dark"):
        await page.evaluate("mode => document.documentElement.dataset.theme = mode", mode)
        visit.faint += [(mode, *found) for found in await page.evaluate(contrast)]


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
