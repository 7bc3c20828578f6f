"""Columns and rows out of whatever an author has: mappings, rows, arrays, dataframes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from generator.blocks.base import refuse

Rows = list[list[object]]


def read_table(source: Any, columns: Sequence[str] | None) -> tuple[list[str], Rows]:
    """The headers and rows of `source`.

    `source` is a mapping of columns, a sequence of rows (sequences, or mappings with the same
    keys), a two-dimensional or structured numpy array, or any dataframe that narwhals knows.
    `columns` names the columns, or for a source that has names chooses and orders them.
    Raises GeneratorError for ragged, empty or unreadable tables.
    """
    headers, rows = _read(source, columns)
    _check_shape(headers, rows)
    return headers, rows


def _read(source: Any, columns: Sequence[str] | None) -> tuple[list[str], Rows]:
    if isinstance(source, Mapping):
        return _choose(*_from_columns(source), columns)
    names = getattr(getattr(source, "dtype", None), "names", None)
    if names:
        return _choose(list(names), [list(row) for row in source.tolist()], columns)
    if hasattr(source, "columns"):
        return _choose(*_from_frame(source), columns)
    if isinstance(source, (str, bytes)) or not isinstance(source, Iterable):
        raise refuse("table", f"a table cannot be made of a {type(source).__name__}")
    rows = source.tolist() if hasattr(source, "tolist") else list(source)
    if rows and isinstance(rows[0], Mapping):
        return _choose(*_from_mappings(rows), columns)
    if columns is None:
        raise refuse("table", "rows have no column names", "give them: Table(rows, columns=[…])")
    for number, row in enumerate(rows, 1):
        if isinstance(row, (str, bytes)) or not isinstance(row, Iterable):
            raise refuse("table", f"row {number} is a {type(row).__name__}, not a row of cells")
    return [str(name) for name in columns], [list(row) for row in rows]


def _from_columns(source: Mapping[Any, Any]) -> tuple[list[str], Rows]:
    lists = {}
    for name, cells in source.items():
        if isinstance(cells, (str, bytes)) or not isinstance(cells, Iterable):
            raise refuse("table", f"column `{name}` is a {type(cells).__name__}, not a sequence")
        lists[str(name)] = cells.tolist() if hasattr(cells, "tolist") else list(cells)
    if len({len(cells) for cells in lists.values()}) > 1:
        sizes = ", ".join(f"`{name}` {len(cells)}" for name, cells in lists.items())
        raise refuse("table", f"the columns differ in length: {sizes}")
    return list(lists), [list(row) for row in zip(*lists.values(), strict=True)]


def _from_mappings(rows: Sequence[Mapping[Any, Any]]) -> tuple[list[str], Rows]:
    names = list(rows[0])
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping) or set(row) != set(names):
            raise refuse("table", f"row {number} has other keys than the first row")
    return [str(name) for name in names], [[row[name] for name in names] for row in rows]


def _from_frame(source: Any) -> tuple[list[str], Rows]:
    try:
        import narwhals.stable.v1 as narwhals
    except ImportError as error:
        raise refuse(
            "table", "dataframes need the narwhals package", "pip install narwhals"
        ) from error
    try:
        frame: Any = narwhals.from_native(source)
    except TypeError as error:
        raise refuse("table", f"a table cannot be made of a {type(source).__name__}") from error
    if hasattr(frame, "collect"):
        frame = frame.collect()
    columns = [_days(list(frame[name].to_list())) for name in frame.columns]
    return [str(name) for name in frame.columns], [list(row) for row in zip(*columns, strict=True)]


def _days(cells: list[Any]) -> list[Any]:
    """Dates that a dataframe could only keep as midnights."""
    times = [cell for cell in cells if isinstance(cell, dt.datetime) and cell == cell]
    if not times or any(time.timetz() != dt.time() for time in times):
        return cells
    return [
        cell.date() if isinstance(cell, dt.datetime) and cell == cell else cell for cell in cells
    ]


def _choose(
    headers: list[str], rows: Rows, columns: Sequence[str] | None
) -> tuple[list[str], Rows]:
    """The named columns, in the given order."""
    if columns is None:
        return headers, rows
    from generator.errors import near_names

    for name in columns:
        if name not in headers:
            raise refuse("table", f"there is no column `{name}`", near_names(name, headers))
    places = [headers.index(name) for name in columns]
    return list(columns), [[row[place] for place in places] for row in rows]


def _check_shape(headers: list[str], rows: Rows) -> None:
    if not headers or not rows:
        raise refuse("table", f"the table is empty: {len(headers)} columns, {len(rows)} rows")
    for number, row in enumerate(rows, 1):
        if len(row) != len(headers):
            raise refuse(
                "table", f"row {number} has {len(row)} cells; there are {len(headers)} columns"
            )
