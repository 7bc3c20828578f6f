"""Blocks: results that render to Markdown, each in its module and loaded when it is needed."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from generator.blocks.base import Block, Json

BLOCKS = {
    "algorithm": "generator.algorithms:Algorithm",
    "download": "generator.blocks.download:Download",
    "figure": "generator.blocks.figure:Figure",
    "filetree": "generator.blocks.filetree:FileTree",
    "listing": "generator.blocks.listing:Listing",
    "table": "generator.blocks.table:Table",
}
"""Where each kind of block lives, as `module:class`."""


def decode_block(data: Mapping[str, Json]) -> Block:
    """The block that a record describes.

    Raises ValueError for a kind that this version does not know.
    """
    kind = data.get("$block")
    if not isinstance(kind, str) or kind not in BLOCKS:
        raise ValueError(f"unknown kind of block: {kind!r}")
    module, _, name = BLOCKS[kind].partition(":")
    block: Any = getattr(import_module(module), name)
    decoded: Block = block.from_data({key: item for key, item in data.items() if key != "$block"})
    return decoded
