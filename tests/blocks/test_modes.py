"""Figures in a browser: one file on light and dark pages, at desk and phone width."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from generator.blocks.figure import Figure
from generator.blocks.style import DARK, INK, PALETTE, subplots

GROUNDS = {"light": (255, 255, 255), "dark": (55, 56, 62)}
PAGE = (
    '<!doctype html><html style="color-scheme:{mode}">'
    '<body style="margin:0;background:rgb{ground}">'
    '<img src="loss.svg" style="display:block;width:100%">'
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    figure, axes = subplots()
    sizes = np.geomspace(1e6, 1e9, 20)
    for number in range(len(PALETTE)):
        axes.plot(sizes, sizes ** (-0.02 * (number + 1)), lw=5, ls="-", label=f"series {number}")
    axes.set(xscale="log", xlabel="parameters $N$", ylabel="loss against the first (ratio)")
    axes.legend(loc="lower left")
    made = tmp_path_factory.mktemp("modes")
    (made / "loss.svg").write_bytes(Figure(figure, alt="six falling lines").files()[".svg"])
    return made


def take_picture(
    browser: Any, folder: Path, mode: str, system: str, width: int = 640
) -> np.ndarray:
    """The page's pixels (height, width, 3) with the figure as an image of the full width."""
    (folder / "page.html").write_text(PAGE.format(mode=mode, ground=GROUNDS[mode]))
    page = browser.new_page(viewport={"width": width, "height": 300}, color_scheme=system)
    page.goto((folder / "page.html").as_uri())
    data = page.screenshot(full_page=True)
    (folder / f"{mode}-{width}.png").write_bytes(data)
    page.close()
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


def count(pixels: np.ndarray, color: str) -> int:
    wanted = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    return int((np.abs(pixels - wanted).max(axis=2) <= 2).sum())


@pytest.mark.parametrize("system", ["light", "dark"])
def test_the_page_s_mode_decides_and_not_the_system_s(
    browser: Any, folder: Path, system: str
) -> None:
    light = take_picture(browser, folder, "light", system)
    dark = take_picture(browser, folder, "dark", system)
    for color in (*PALETTE, INK):
        assert count(light, color) > 100 and count(dark, DARK[color]) > 100, color
    for color in PALETTE[:-1]:  # greys turn up where text is smoothed
        assert count(light, DARK[color]) < 30 and count(dark, color) < 30, color


@pytest.mark.parametrize(("mode", "system"), [("light", "dark"), ("dark", "light")])
def test_the_ground_is_the_pages(browser: Any, folder: Path, mode: str, system: str) -> None:
    pixels = take_picture(browser, folder, mode, system)
    assert pixels.shape == (400, 640, 3)
    assert all(tuple(pixels[y, x]) == GROUNDS[mode] for y, x in ((0, 0), (-1, -1), (390, 5)))
    assert (pixels == GROUNDS[mode]).all(axis=2).mean() > 0.7


def test_opened_alone_it_follows_the_system(browser: Any, folder: Path) -> None:
    page = browser.new_page(color_scheme="dark")
    page.goto((folder / "loss.svg").as_uri())
    pixels = np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("RGB")).astype(int)
    page.close()
    assert pixels[5, 5].max() < 60 and count(pixels, DARK[PALETTE.blue]) > 100


@pytest.mark.parametrize("width", [640, 350])
def test_text_is_whole_and_large_enough(browser: Any, folder: Path, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 600})
    svg = (folder / "loss.svg").read_text()
    page.set_content(f"<body style='margin:0'>{svg}")
    page.evaluate("document.querySelector('svg').setAttribute('width', '100%')")
    page.evaluate("document.querySelector('svg').removeAttribute('height')")
    boxes = page.evaluate(
        "[...document.querySelectorAll('text')].map(t => [t.textContent,"
        " t.getBoundingClientRect().toJSON(), parseFloat(getComputedStyle(t).fontSize)])"
    )
    page.close()
    assert len(boxes) > 8
    for text, box, size in boxes:
        assert box["left"] >= 0 and box["right"] <= width, text
        assert box["top"] >= 0 and box["bottom"] <= 400 * width / 640, text
        assert size * width / 640 >= 9, text


def test_screen_readers_find_its_name(browser: Any, folder: Path) -> None:
    page = browser.new_page()
    page.set_content((folder / "loss.svg").read_text())
    assert page.get_by_role("img", name="six falling lines").count() == 1
    page.close()
