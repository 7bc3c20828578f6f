"""The house's colours: contrast on light and dark grounds, and apart for everyone's eyes."""

from __future__ import annotations

from itertools import combinations

import pytest

from generator.blocks.style import DARK, GRID, INK, MUTED, PALETTE

LIGHT_GROUNDS = ("#ffffff", "#f4f4f5")
DARK_GROUNDS = ("#37383e", "#1d1e20")
Rgb = tuple[float, float, float]

# Machado, Oliveira, Fernandes (2009): full protanopia, deuteranopia, tritanopia, in linear RGB.
DEFICIENCIES = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def to_linear(color: str) -> Rgb:
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return red, green, blue


def luminance(color: str) -> float:
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), to_linear(color), strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def to_oklab(rgb: Rgb) -> Rgb:
    r, g, b = (max(c, 0.0) for c in rgb)
    l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    m = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
    )


def see(color: str, matrix: tuple[Rgb, Rgb, Rgb]) -> Rgb:
    rgb = to_linear(color)
    r, g, b = (sum(w * c for w, c in zip(row, rgb, strict=True)) for row in matrix)
    return to_oklab((r, g, b))


@pytest.mark.parametrize("color", PALETTE)
def test_series_stand_out_from_both_grounds(color: str) -> None:
    assert min(contrast(color, ground) for ground in LIGHT_GROUNDS) >= 3
    assert min(contrast(DARK[color], ground) for ground in DARK_GROUNDS) >= 3


@pytest.mark.parametrize("color", [INK, MUTED])
def test_text_can_be_read_on_both_grounds(color: str) -> None:
    assert min(contrast(color, ground) for ground in LIGHT_GROUNDS) >= 4.5
    assert min(contrast(DARK[color], ground) for ground in DARK_GROUNDS) >= 4.5


def test_the_grid_stays_in_the_background() -> None:
    assert contrast(GRID, "#ffffff") < 1.6 and contrast(DARK[GRID], "#37383e") < 1.8


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_series_differ_for_everyone(mode: str, deficiency: str) -> None:
    colors = [DARK[color] if mode == "dark" else color for color in PALETTE]
    seen = [see(color, DEFICIENCIES[deficiency]) for color in colors]
    distances = {
        (PALETTE._fields[i], PALETTE._fields[j]): sum(
            (a - b) ** 2 for a, b in zip(seen[i], seen[j], strict=True)
        )
        ** 0.5
        for i, j in combinations(range(len(seen)), 2)
    }
    closest = min(distances, key=lambda pair: distances[pair])
    assert distances[closest] > 0.07, (closest, distances[closest])
