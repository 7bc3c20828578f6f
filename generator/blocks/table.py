"""A pipe table: typed columns, formats, alignment, and SciDraft's variants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

from generator.blocks.base import Block, Json, Where, refuse
from generator.blocks.cells import encode_cell, is_numeric, plain_cell, write_cell
from generator.blocks.columns import read_table
from generator.blocks.pipes import escape_pipes, pad_cells
from generator.errors import near_names

VARIANTS = ("default", "academic", "striped")
ALIGNMENTS = {"l": "left", "c": "center", "r": "right"}


class Table(Block):
    """A table of columns, rows, an array or a dataframe (see `columns.read_table`).

    Headers and `caption` are inline Markdown; strings in cells are plain text, `Tex` and `Md` are
    markup, and numbers print in the form that `formats` gives for their column
    (`{"loss": "fixed(3)"}`, or one form for all numeric columns). `align` maps columns to left,
    center or right, or gives them in order, as in "lrr"; numbers go right and text left by
    default. The numbers are linked as a CSV file; `data=False` leaves that out.

    Raises GeneratorError for ragged or empty tables and unknown columns, formats and variants.
    """

    kind: ClassVar[str] = "table"

    def __init__(
        self,
        source: Any,
        *,
        columns: Sequence[str] | None = None,
        align: Mapping[str, str] | Sequence[str] | None = None,
        formats: Mapping[str, str] | str | None = None,
        variant: str = "default",
        caption: str = "",
        data: bool = True,
    ) -> None:
        if variant not in VARIANTS:
            raise refuse(
                "table", f"there is no variant `{variant}`", f"one of {', '.join(VARIANTS)}"
            )
        self._headers, rows = read_table(source, columns)
        self._rows = [
            [encode_cell(cell, name, number) for name, cell in zip(self._headers, row, strict=True)]
            for number, row in enumerate(rows, 1)
        ]
        self._formats = _read_formats(formats, self._headers, self._numeric_columns())
        self._align = _read_align(align, self._headers, self._numeric_columns())
        self._variant, self._caption, self._data = variant, " ".join(caption.split()), bool(data)
        self._fresh = True
        self._write_rows(
            digits=4
        )  # what cannot be written is told here, where the demo can mend it

    def to_data(self) -> dict[str, Json]:
        return {
            "headers": list(self._headers),
            "rows": [list(row) for row in self._rows],
            "formats": list(self._formats),
            "align": list(self._align),
            "variant": self._variant,
            "caption": self._caption,
            "data": self._data,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Json]) -> Self:
        block = cls.__new__(cls)
        fields: dict[str, Any] = dict(data)
        block._headers, block._rows = fields["headers"], fields["rows"]
        block._formats, block._align = fields["formats"], fields["align"]
        block._variant, block._caption = fields["variant"], fields["caption"]
        block._data, block._fresh = fields["data"], False
        return block

    def to_markdown(self, where: Where) -> str:
        header = [escape_pipes(" ".join(name.split())) for name in self._headers]
        lines = pad_cells([header, *self._write_rows(where.digits)], self._align)
        if self._variant != "default":
            lines.append(f"{{.table-{self._variant}}}")
        notes = [f"*{self._caption}*"] if self._caption else []
        if self._data and where.name:
            notes.append(f"[Data](/{where.figures}/{where.slug}/{where.name}.csv)")
        if notes:
            lines += ["", " ".join(notes), "{.table-caption}"]
        return "\n".join(lines)

    def files(self) -> dict[str, bytes]:
        if not (self._data and self._fresh):
            return {}
        from generator.blocks.data import write_csv

        return {".csv": write_csv(*self.columns_of_data()).encode()}

    def columns_of_data(self) -> tuple[list[str], list[list[object]]]:
        """The headers and the values of the rows, for a data file."""
        return list(self._headers), [[plain_cell(cell) for cell in row] for row in self._rows]

    def _write_rows(self, digits: int) -> list[list[str]]:
        return [
            [
                write_cell(cell, form, digits, f"row {number} of `{name}`")
                for cell, form, name in zip(row, self._formats, self._headers, strict=True)
            ]
            for number, row in enumerate(self._rows, 1)
        ]

    def _numeric_columns(self) -> list[bool]:
        return [
            any(cell is not None for cell in cells) and all(map(is_numeric, cells))
            for cells in zip(*self._rows, strict=True)
        ]


def _read_formats(
    formats: Mapping[str, str] | str | None, headers: list[str], numeric: list[bool]
) -> list[str | None]:
    from generator.values import Refused, parse_format

    if formats is None:
        return [None] * len(headers)
    if isinstance(formats, str):
        chosen: list[str | None] = [formats if is_number else None for is_number in numeric]
    else:
        _check_names(formats, headers)
        chosen = [formats.get(name) for name in headers]
    for form in chosen:
        if form is not None:
            try:
                parse_format(form)
            except Refused as error:
                raise refuse("table", error.message, error.hint) from error
    return chosen


def _read_align(
    align: Mapping[str, str] | Sequence[str] | None, headers: list[str], numeric: list[bool]
) -> list[str]:
    usual = ["right" if is_number else "left" for is_number in numeric]
    if isinstance(align, Mapping):
        _check_names(align, headers)
        sides = [align.get(name, side) for name, side in zip(headers, usual, strict=True)]
    else:
        sides = usual if align is None else list(align)
    if len(sides) != len(headers):
        raise refuse("table", f"there are {len(sides)} alignments for {len(headers)} columns")
    chosen = [ALIGNMENTS.get(side, side) for side in sides]
    for side in chosen:
        if side not in ALIGNMENTS.values():
            raise refuse("table", f"there is no alignment `{side}`", "left, center or right")
    return chosen


def _check_names(given: Mapping[str, str], headers: list[str]) -> None:
    for name in given:
        if name not in headers:
            raise refuse("table", f"there is no column `{name}`", near_names(name, headers))
