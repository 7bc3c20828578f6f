"""The cells of a table: kept as plain data, written for a pipe table."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from generator.blocks.base import Json, refuse
from generator.blocks.pipes import escape_pipes
from generator.spots import Place, Spot
from generator.values import Md, Number, Refused, parse_format, write_value

MISSING = "–"
"""What stands in the cell of a missing value."""
_CELL = Spot(Place.TABLE_CELL, in_table=True)
_NUMBER = "$number"
_NUMERIC = frozenset({"$float", "$complex", "$measure", _NUMBER})


def encode_cell(cell: object, column: str, row: int) -> Json:
    """A cell as plain data: a number, text, truth value, date, `Tex`, `Md`, or None.

    Raises GeneratorError for anything else.
    """
    from generator.results import NotPlain, encode

    if type(cell).__name__ in ("NaTType", "NAType"):  # how pandas spells None
        return None
    if isinstance(cell, Number):
        form = {field.name: getattr(cell, field.name) for field in fields(cell)}
        return {_NUMBER: {**form, "value": encode(cell.value)}}
    try:
        encoded = encode(cell)
    except NotPlain:
        encoded = []
    if isinstance(encoded, list) or (isinstance(encoded, dict) and len(encoded) != 1):
        raise refuse("table", f"row {row} of `{column}` is a {type(cell).__name__}, not a cell")
    return encoded


def is_numeric(cell: Json) -> bool:
    """Whether a cell is a number, or missing."""
    if isinstance(cell, dict):
        return bool(_NUMERIC & cell.keys())
    return cell is None or (isinstance(cell, (int, float)) and not isinstance(cell, bool))


def plain_cell(cell: Json) -> object:
    """The value of a cell, for a data file."""
    value = _decode_cell(cell)
    if isinstance(value, Number):
        return value.value
    return getattr(value, "source", value)


def write_cell(cell: Json, form: str | None, digits: int, name: str) -> str:
    """A cell's Markdown. Raises GeneratorError, with the cell's name, for what can't be written."""
    value = _decode_cell(cell)
    if value is None:
        return MISSING
    if isinstance(value, Md):
        return escape_pipes(" ".join(value.source.split()))
    if isinstance(value, str):
        value = " ".join(value.split())
        if not value:
            return ""
    try:
        if form is not None and is_numeric(cell):
            value = parse_format(form)(value)
        return write_value(value, _CELL, digits=digits)
    except Refused as error:
        raise refuse("table", f"{name}: {error.message}", error.hint) from error


def _decode_cell(cell: Json) -> object:
    from generator.results import decode

    if isinstance(cell, dict) and _NUMBER in cell:
        parts: Any = cell[_NUMBER]
        return Number(**{**parts, "value": decode(parts["value"])})
    return decode(cell)
