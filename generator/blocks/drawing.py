"""Drawing a matplotlib figure to SVG."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from generator.blocks.base import refuse
from generator.blocks.style import DARK, FIXED_BLACK, INK, load_style
from generator.blocks.svg import clean_svg
from generator.blocks.ticks import thin_log_ticks
from generator.blocks.writing import Written, find_problems, measure_text, widen_margins
from generator.errors import Problem
from generator.frozen import dataclass

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BLACKS = ("k", "black", "#000", "#000000", "0", (0, 0, 0), (0.0, 0.0, 0.0, 1.0))


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure as it is published."""

    svg: str
    """The file's text."""
    width: float
    """Intrinsic width in CSS pixels."""
    height: float
    """Intrinsic height in CSS pixels."""
    problems: tuple[Problem, ...]
    """What makes it hard to read."""


def draw_figure(figure: Figure, title: str) -> Drawn:
    """Draw a figure; text that would leave the page widens the margins, once."""
    load_style()
    width, height = (round(float(inches) * 72, 2) for inches in figure.get_size_inches())
    _clear_grounds(figure)
    _prepare_maps(figure)
    thin_log_ticks(figure)
    text, written = _render(figure)
    if widen_margins(figure, written, width, height):
        text, written = _render(figure)
    try:
        svg = clean_svg(text, title=title, dark=DARK, ink=INK, black=FIXED_BLACK)
    except ET.ParseError as error:
        raise refuse("figure", "a text in the figure holds control characters") from error
    return Drawn(svg, width, height, tuple(find_problems(figure, written, width, height)))


def _render(figure: Figure) -> tuple[str, list[Written]]:
    import matplotlib
    from matplotlib.backends import backend_mixed, backend_svg

    written: list[Written] = []
    base: Any = backend_svg.RendererSVG

    class Renderer(base):  # type: ignore[misc]  # matplotlib's class has no types
        """Writes text as text, and math as outlines: its fonts are nowhere but here."""

        def draw_text(
            self,
            gc: Any,
            x: float,
            y: float,
            s: str,
            prop: Any,
            angle: float,
            ismath: Any = False,
            mtext: Any = None,
        ) -> None:
            matplotlib.rcParams["svg.fonttype"] = "path" if ismath else "none"
            box = self.get_text_width_height_descent(s, prop, ismath)
            written.append(measure_text(s, prop.get_size_in_points(), x, y, box, angle))
            super().draw_text(gc, x, y, s, prop, angle, ismath, mtext)

    settings: Any = {"svg.image_inline": True}
    mixed: Any = backend_mixed.MixedModeRenderer
    stream, dpi, inches = io.StringIO(), figure.dpi, figure.get_size_inches()
    with matplotlib.rc_context(settings):
        figure.dpi = 72
        try:
            vector = Renderer(
                inches[0] * 72, inches[1] * 72, stream, image_dpi=dpi, metadata={"Date": None}
            )
            renderer = mixed(figure, inches[0], inches[1], dpi, vector)
            with warnings.catch_warnings():  # readers' fonts have what ours lacks
                warnings.filterwarnings("ignore", "Glyph .* missing")
                figure.draw(renderer)
            renderer.finalize()
        finally:
            figure.dpi = dpi
    return stream.getvalue(), written


def _clear_grounds(figure: Figure) -> None:
    """White grounds of figures made outside the house style would hide light text."""
    from matplotlib.colors import to_hex

    figure.patch.set_visible(False)
    for axes in figure.axes:
        legend = axes.get_legend()
        for patch in (axes.patch, *([legend.get_frame()] if legend else [])):
            if to_hex(patch.get_facecolor()) == "#ffffff":
                patch.set_facecolor("none")


def _prepare_maps(figure: Figure) -> None:
    """On heat maps, no grid; and text that an author made black stays black in dark mode."""
    for axes in figure.axes:
        mapped: list[Any] = [*axes.images, *axes.collections]
        if not any(artist.get_array() is not None for artist in mapped):
            continue
        if axes.images or any(type(artist).__name__ == "QuadMesh" for artist in mapped):
            axes.grid(visible=False)
        for text in axes.texts:
            if text.get_color() in _BLACKS:
                text.set_color(FIXED_BLACK)
