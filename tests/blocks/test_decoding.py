"""Blocks from records: every kind comes back, and none needs numpy, matplotlib or a process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from generator.blocks import BLOCKS, decode_block
from generator.blocks.base import Block, Where
from generator.blocks.figure import Figure
from generator.blocks.filetree import FileTree
from generator.blocks.listing import Listing
from generator.blocks.style import subplots
from generator.blocks.table import Table

HERE = Where("note", "block", 4)
_SCRIPT = """
import json, sys
from generator.blocks import decode_block
from generator.blocks.base import Where
for data in json.load(sys.stdin):
    print(decode_block(data).to_markdown(Where("note", "block", 4)))
heavy = {"numpy", "matplotlib", "pandas", "narwhals", "subprocess", "csv"}
sys.exit(" ".join(sorted(heavy & sys.modules.keys())) or 0)
"""


def make_blocks(folder: Path) -> list[Block]:
    (folder / "a.py").write_text("# Half\n")
    figure, axes = subplots()
    axes.plot([1, 2], [3, 4])
    return [
        Figure(figure, alt="a rising line"),
        Table({"a": [0.5, 1e-9], "b": ["x", "y"]}),
        FileTree(folder),
        Listing("a\nb"),
    ]


def test_records_render_alike_without_heavy_imports(tmp_path: Path) -> None:
    blocks = make_blocks(tmp_path)
    data = json.dumps([{"$block": block.kind, **block.to_data()} for block in blocks])
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT],
        input=data,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "".join(block.to_markdown(HERE) + "\n" for block in blocks)


def test_every_kind_is_registered_under_its_name(tmp_path: Path) -> None:
    for block in make_blocks(tmp_path):
        module, _, name = BLOCKS[block.kind].partition(":")
        assert (type(block).__module__, type(block).__name__) == (module, name)


@pytest.mark.parametrize("data", [{}, {"$block": "chart"}, {"$block": 3}])
def test_an_unknown_kind_is_told(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="unknown kind of block"):
        decode_block(data)  # type: ignore[arg-type]
