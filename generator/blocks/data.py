"""The numbers behind a figure or table, as CSV."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from generator.blocks.base import refuse
from generator.blocks.series import Series, find_cells, find_series, plain_name, to_list

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_ROWS = 20_000
"""More rows than this are not written unless the author gives them."""


def write_data(figure: Figure, data: Any = None) -> str:
    """CSV of `data` (a mapping of columns, or a Table), or of what was drawn; "" if nothing was."""
    if data is None:
        header, rows = _drawn_table(figure)
        return write_csv(header, rows) if 0 < len(rows) <= _MOST_ROWS else ""
    if hasattr(data, "columns_of_data"):
        return write_csv(*data.columns_of_data())
    if not isinstance(data, Mapping):
        raise refuse("figure-data", "`data` is neither a mapping of columns nor a Table")
    columns = [to_list(column) for column in data.values()]
    if len({len(column) for column in columns}) != 1:
        sizes = ", ".join(f"{name}: {len(c)}" for name, c in zip(data, columns, strict=True))
        raise refuse("figure-data", f"the columns of `data` differ in length ({sizes})")
    return write_csv(list(data), list(zip(*columns, strict=True)))


def write_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """CSV with `\\n` line ends, floats at twelve significant digits, nothing for None."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_write_cell(cell) for cell in row] for row in rows)
    return stream.getvalue()


def _write_cell(cell: object) -> str:
    item = getattr(cell, "item", None)
    if callable(item) and getattr(cell, "shape", None) == ():
        cell = item()
    if cell is None:
        return ""
    if isinstance(cell, float):
        rounded = float(f"{cell:.12g}")
        if math.isfinite(rounded) and rounded == int(rounded) and abs(rounded) < 1e15:
            return f"{int(rounded)}.0"
        return repr(rounded)
    return str(cell)


def _drawn_table(figure: Figure) -> tuple[list[str], list[tuple[object, ...]]]:
    panels = [(axes, list(find_series(axes))) for axes in figure.axes]
    panels = [(axes, found) for axes, found in panels if found]
    if not panels:
        return ["panel", "row", "column", "value"], list(_cell_rows(figure))
    if len(panels) > 1:
        return ["panel", "series", "x", "y"], list(_long_rows(panels))
    axes, found = panels[0]
    x_name, y_name = plain_name(axes.get_xlabel(), "x"), plain_name(axes.get_ylabel(), "y")
    xs = found[0].xs
    if len(found) == 1:
        return [x_name, y_name], list(zip(xs, found[0].ys, strict=True))
    if all(series.xs == xs for series in found):
        names = [series.name or f"{y_name} {place}" for place, series in enumerate(found, 1)]
        return [x_name, *names], list(zip(xs, *(series.ys for series in found), strict=True))
    return ["series", x_name, y_name], [row[1:] for row in _long_rows(panels)]


def _long_rows(panels: list[tuple[Axes, list[Series]]]) -> Iterator[tuple[object, ...]]:
    for panel, (axes, found) in enumerate(panels, 1):
        for place, series in enumerate(found, 1):
            for x, y in zip(series.xs, series.ys, strict=True):
                yield plain_name(axes.get_title(), str(panel)), series.name or place, x, y


def _cell_rows(figure: Figure) -> Iterator[tuple[object, ...]]:
    for panel, axes in enumerate(figure.axes, 1):
        for cells in find_cells(axes):
            for row, values in enumerate(cells):
                for column, value in enumerate(values):
                    yield plain_name(axes.get_title(), str(panel)), row, column, value
