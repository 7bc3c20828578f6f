"""Tables: sources, cells, formats, alignment, variants, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from generator.blocks.base import Where
from generator.blocks.table import Table
from generator.errors import GeneratorError
from generator.values import Md, Measure, Tex, sig

HERE = Where("note", "sizes", 4)
UNNAMED = Where("note", "", 4)
"""A table made in the template: no data file, and so no link to one."""


def show(table: Table) -> list[str]:
    return table.to_markdown(UNNAMED).splitlines()


def test_columns_are_padded_and_numbers_go_right() -> None:
    table = Table({"name": ["a", "longer"], "loss": [3.412, 12]})
    assert show(table) == [
        "| name   |  loss |",
        "| ------ | ----: |",
        "| a      | 3.412 |",
        "| longer |    12 |",
    ]


@pytest.mark.parametrize(
    "source",
    [
        {"n": [1, 2], "loss": [0.5, 0.25]},
        [{"n": 1, "loss": 0.5}, {"loss": 0.25, "n": 2}],
        np.array([(1, 0.5), (2, 0.25)], dtype=[("n", "i4"), ("loss", "f8")]),
        pd.DataFrame({"n": [1, 2], "loss": [0.5, 0.25]}),
    ],
    ids=["mapping", "mappings", "structured array", "dataframe"],
)
def test_every_source_with_names_gives_the_same_table(source: object) -> None:
    assert show(Table(source)) == show(Table([[1, 0.5], [2, 0.25]], columns=["n", "loss"]))
    assert show(Table(source, columns=["loss"]))[2:] == ["|  0.5 |", "| 0.25 |"]


def test_an_array_of_rows_needs_names() -> None:
    assert show(Table(np.eye(2, dtype=int), columns=["x", "y"]))[2] == "|   1 |   0 |"
    with pytest.raises(GeneratorError, match="no column names"):
        Table(np.eye(2))


def test_formats_by_column_and_for_all_numbers() -> None:
    source = {"model": ["a"], "loss": [3.41234], "share": [0.1234]}
    by_column = Table(source, formats={"loss": "fixed(2)", "share": "percent(1)"})
    assert show(by_column)[2] == "| a     | 3.41 | 12.3% |"
    assert show(Table(source, formats="sig(2)"))[2] == "| a     |  3.4 |  0.12 |"


def test_alignment_by_name_by_word_and_by_letter() -> None:
    source = {"a": ["x"], "b": [1]}
    assert show(Table(source, align="cl"))[1] == "| :-: | --- |"
    assert show(Table(source, align=["center", "left"]))[1] == "| :-: | --- |"
    assert show(Table(source, align={"a": "right"}))[1] == "| --: | --: |"


def test_the_variant_stands_on_the_very_next_line_and_the_caption_after_a_blank_one() -> None:
    lines = show(Table({"a": [1]}, variant="academic", caption="Sizes\nof *all* models."))
    assert lines[2:] == [
        "|   1 |",
        "{.table-academic}",
        "",
        "*Sizes of *all* models.*",
        "{.table-caption}",
    ]


def test_kinds_of_cells() -> None:
    cells = ["y|n", Tex("|V|"), Md("**a|b**"), sig(2.0, 3), Measure(1.234, 0.012), True, None, ""]
    table = Table({"cell": cells})
    assert [line.strip("| ") for line in show(table)[2:]] == [
        "y&#124;n",
        r"\(\vert V\vert \)",
        r"**a\|b**",
        "2.00",
        "1.234 ± 0.012",
        "true",
        "–",
        "",
    ]
    assert show(table)[1] == f"| {'-' * 17} |"


@pytest.mark.parametrize(
    ("header", "written"),
    [
        ("a|b", r"a\|b"),
        (r"a\|b", r"a\|b"),
        (r"a\\|b", r"a\\\|b"),
        (r"\(|V|\)", r"\(\vert V\vert\)"),
        (r"$\|x\|$ | y", r"$\Vert x\Vert$ \| y"),
        (r"$$|x|$$", r"$$\vert x\vert$$"),
    ],
)
def test_pipes_in_headers(header: str, written: str) -> None:
    assert show(Table({header: ["x"]}))[0].strip("| ") == written.strip("| ")


def test_a_record_gives_the_same_markdown() -> None:
    table = Table(
        {"n": np.arange(3), "x": [float("inf"), Measure(1.0, 0.1), sig(2.5, 1)]},
        formats={"n": "thousands"},
        variant="striped",
        caption="c",
    )
    again = Table.from_data(json.loads(json.dumps(table.to_data())))
    assert again.to_markdown(HERE) == table.to_markdown(HERE)
    assert again.to_data() == table.to_data()
    assert again.files() == {}


def test_data_file() -> None:
    table = Table({"n": [1, 2], "x": [0.1 + 0.2, None], "t": ["a,b", Tex("x")]})
    assert table.files() == {".csv": b'n,x,t\n1,0.3,"a,b"\n2,,x\n'}
    assert table.to_markdown(HERE).splitlines()[-2] == "[Data](/figures/note/sizes.csv)"
    assert "Data" not in table.to_markdown(UNNAMED)


def test_without_a_data_file() -> None:
    table = Table({"n": [1, 2]}, data=False)
    assert table.files() == {}
    assert "Data" not in table.to_markdown(HERE)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Table({}), "the table is empty"),
        (lambda: Table({"a": []}), "the table is empty: 1 columns, 0 rows"),
        (lambda: Table([], columns=["a"]), "the table is empty"),
        (lambda: Table({"a": [1], "b": [1, 2]}), "differ in length: `a` 1, `b` 2"),
        (lambda: Table([[1], [2, 3]], columns=["a"]), "row 2 has 2 cells"),
        (lambda: Table([{"a": 1}, {"b": 2}]), "row 2 has other keys"),
        (lambda: Table(["ab"], columns=["a", "b"]), "row 1 is a str"),
        (lambda: Table({"a": "text"}), "column `a` is a str"),
        (lambda: Table(7), "cannot be made of a int"),
        (lambda: Table({"a": [object()]}), "row 1 of `a` is a object"),
        (lambda: Table({"a": [[1, 2]]}), "row 1 of `a` is a list"),
        (lambda: Table({"a": [float("nan")]}), "row 1 of `a`: the value is NaN"),
        (lambda: Table({"loss": [1]}, formats={"los": "sig(2)"}), "did you mean `loss`"),
        (lambda: Table({"a": [1]}, formats={"a": "round(2)"}), "is not a format"),
        (lambda: Table({"a": [1]}, align="lr"), "2 alignments for 1 columns"),
        (lambda: Table({"a": [1]}, align=["middle"]), "no alignment `middle`"),
        (lambda: Table({"a": [1]}, variant="fancy"), "no variant `fancy`"),
        (lambda: Table({"a": [1]}, columns=["b"]), "no column `b`"),
    ],
)
def test_refused(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(GeneratorError, match=message):
        make()


def test_missing_values_of_a_dataframe() -> None:
    frame = pd.DataFrame({"day": pd.to_datetime(["2026-01-02", None]), "n": [1, 2]})
    assert show(Table(frame))[2:] == ["| 2026-01-02 |   1 |", "| –          |   2 |"]
