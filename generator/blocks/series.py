"""The series and cells that a drawing shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from generator.frozen import dataclass

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True)
class Series:
    """One line, scatter or set of bars."""

    name: str
    """Its label; empty when it has none."""
    xs: list[object]
    """Positions along the x axis."""
    ys: list[object]
    """Positions along the y axis."""


def find_series(axes: Axes) -> Iterator[Series]:
    """Lines, scatters and bars in data coordinates; not rules, spans, caps and box plots."""
    for line in axes.lines:
        xs, ys = to_list(line.get_xdata()), to_list(line.get_ydata())
        in_data = line.get_transform() == axes.transData
        if in_data and xs and line.get_label() != "_nolegend_":
            yield Series(_series_name(line), xs, ys)
    for collection in axes.collections:
        if type(collection).__name__ == "PathCollection":
            points: Any = collection.get_offsets()
            yield Series(_series_name(collection), to_list(points[:, 0]), to_list(points[:, 1]))
    for container in axes.containers:
        if type(container).__name__ == "BarContainer":
            yield _read_bars(axes, container)


def find_cells(axes: Axes) -> Iterator[list[list[object]]]:
    """The values of heat maps, row by row; None where a cell is masked."""
    maps: list[Any] = [*axes.images, *axes.collections]
    for drawn in maps:
        cells = drawn.get_array()
        if type(drawn).__name__ in ("AxesImage", "QuadMesh") and getattr(cells, "ndim", 0) == 2:
            yield cells.tolist()


def plain_name(label: object, default: str) -> str:
    """A label without math signs and line breaks."""
    return " ".join(str(label or "").replace("$", "").split()) or default


def to_list(values: Any) -> list[object]:
    """A sequence or array as a list of Python's own values."""
    tolist = getattr(values, "tolist", None)
    return list(tolist() if callable(tolist) else values)


def _series_name(artist: Any) -> str:
    label = str(artist.get_label() or "")
    return "" if label.startswith("_") else plain_name(label, "")


def _read_bars(axes: Axes, container: Any) -> Series:
    bars: list[Any] = list(container.patches)
    name = _series_name(container)
    if getattr(container, "orientation", "vertical") == "horizontal":
        places = [float(bar.get_y() + bar.get_height() / 2) for bar in bars]
        ends: list[object] = [float(bar.get_x() + bar.get_width()) for bar in bars]
        return Series(name, ends, _name_places(axes.yaxis, places))
    places = [float(bar.get_x() + bar.get_width() / 2) for bar in bars]
    tops: list[object] = [float(bar.get_y() + bar.get_height()) for bar in bars]
    return Series(name, _name_places(axes.xaxis, places), tops)


def _name_places(axis: Any, places: list[float]) -> list[object]:
    """Places on an axis of categories by their names."""
    formatter = axis.get_major_formatter()
    if type(formatter).__name__ == "StrCategoryFormatter":
        return list(formatter.format_ticks([round(place) for place in places]))
    return list(places)
