"""The house style of figures: one set of colours and sizes for light and dark, phone and desk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH = 640
"""Width of a figure in SVG units, which are CSS pixels at its intrinsic size."""
HEIGHT = 400
"""Height of a figure with one row of axes."""
PHONE_WIDTH = 350
"""Width at which a phone shows a figure."""
TEXT_SIZE = 17
"""Size of a figure's text: a little over 9 pixels on a phone."""


class Palette(NamedTuple):
    """Colours of series, in the order in which they are taken.

    They stay apart under the common colour vision deficiencies, and each has a twin for dark
    grounds (`DARK`) that takes its place there.
    """

    blue: str = "#1a5598"
    orange: str = "#b04503"
    green: str = "#17917b"
    purple: str = "#a941c3"
    gold: str = "#9c8018"
    grey: str = "#585563"


PALETTE = Palette()
INK, MUTED, GRID = "#1f2430", "#5b616e", "#dfe2e7"
"""Text; axes and tick labels; grid lines."""
FIXED_BLACK = "#010101"
"""Black that stays black on a dark ground, as for text on a light cell of a heat map."""

DARK = {
    INK: "#e8e9ec",
    MUTED: "#b9bec8",
    GRID: "#53565f",
    PALETTE.blue: "#5baeff",
    PALETTE.orange: "#fd8a3f",
    PALETTE.green: "#74e4a4",
    PALETTE.purple: "#d485c5",
    PALETTE.gold: "#f8c820",
    PALETTE.grey: "#b1c2d8",
}
"""What each colour of the house becomes on a dark ground."""

_MARGINS = {"left": 86.0, "right": 24.0, "top": 22.0, "bottom": 70.0}
_SHARED_GAP = 28.0
_DASHES: tuple[Any, ...] = (
    "-",
    (0, (6, 2)),
    (0, (1.5, 1.5)),
    (0, (8, 2, 1.5, 2)),
    (0, (4, 1.5)),
    (0, (3, 1.5, 1, 1.5, 1, 1.5)),
)
_MARK = "house style"
"""The salt of ids, by which the style knows that it is loaded."""


def load_style(*, afresh: bool = False) -> None:
    """Make the house style matplotlib's settings, unless it is already, or `afresh`.

    Whatever a `matplotlibrc` on this machine says is dropped; what a demo sets afterwards stays.
    """
    import matplotlib

    if matplotlib.rcParams["svg.hashsalt"] == _MARK and not afresh:
        return
    kept = ("backend", "backend_fallback")
    settings: dict[Any, Any] = dict(matplotlib.rcParamsDefault)
    settings |= _settings()
    matplotlib.rcParams.update(
        {name: value for name, value in settings.items() if name not in kept}
    )


def subplots(
    nrows: int = 1, ncols: int = 1, *, width: float = WIDTH, height: float | None = None, **kw: Any
) -> tuple[Figure, Any]:
    """A figure in the house style and its axes, without pyplot and its global state.

    `width` and `height` are in CSS pixels; other keywords go to `Figure.subplots`.
    """
    load_style()
    from matplotlib.figure import Figure

    height = height or HEIGHT + (nrows - 1) * 300
    figure = Figure(figsize=(width / 72, height / 72))
    across = _SHARED_GAP if kw.get("sharey") in (True, "all", "row") else _MARGINS["left"]
    down = _SHARED_GAP if kw.get("sharex") in (True, "all", "col") else _MARGINS["bottom"] + 30
    inside_width = width - _MARGINS["left"] - _MARGINS["right"]
    inside_height = height - _MARGINS["bottom"] - _MARGINS["top"]
    figure.subplots_adjust(
        left=_MARGINS["left"] / width,
        right=1 - _MARGINS["right"] / width,
        bottom=_MARGINS["bottom"] / height,
        top=1 - _MARGINS["top"] / height,
        wspace=_gap(inside_width, ncols, across),
        hspace=_gap(inside_height, nrows, down),
    )
    return figure, figure.subplots(nrows, ncols, **kw)


def _gap(span: float, count: int, gap: float) -> float:
    """A gap between axes as matplotlib wants it: relative to the axes' size."""
    size = (span - (count - 1) * gap) / count
    return gap / size if size > 0 else 0.2


def _settings() -> dict[str, Any]:
    from cycler import cycler

    return {
        "axes.axisbelow": True,
        "axes.edgecolor": MUTED,
        "axes.facecolor": "none",
        "axes.grid": True,
        "axes.labelcolor": INK,
        "axes.labelpad": 6,
        "axes.labelsize": TEXT_SIZE,
        "axes.linewidth": 1,
        "axes.prop_cycle": cycler(color=list(PALETTE)) + cycler(linestyle=list(_DASHES)),
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.titlecolor": INK,
        "axes.titlesize": TEXT_SIZE,
        "axes.titlepad": 10,
        "axes.xmargin": 0.03,
        "errorbar.capsize": 4,
        "figure.dpi": 144,
        "figure.edgecolor": "none",
        "figure.facecolor": "none",
        "font.family": "DejaVu Sans",
        "font.size": TEXT_SIZE,
        "grid.color": GRID,
        "grid.linewidth": 1,
        "image.interpolation": "none",
        "legend.fontsize": TEXT_SIZE - 0.5,
        "legend.frameon": False,
        "legend.handlelength": 2.2,
        "legend.labelspacing": 0.35,
        "lines.linewidth": 2.4,
        "lines.markersize": 8,
        "mathtext.fontset": "dejavusans",
        "patch.edgecolor": INK,
        "savefig.facecolor": "none",
        "svg.hashsalt": _MARK,
        "text.color": INK,
        "xtick.color": MUTED,
        "xtick.labelsize": TEXT_SIZE - 0.5,
        "xtick.major.size": 5,
        "xtick.minor.size": 3,
        "ytick.color": MUTED,
        "ytick.labelsize": TEXT_SIZE - 0.5,
        "ytick.major.size": 5,
        "ytick.minor.size": 3,
    }
