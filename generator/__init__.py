"""Notes that cannot lie: computed, checked, traceable Markdown for SciDraft sites on Hugo.

Demos import what they return from here::

    from generator import Figure, Table, algorithm, subplots

Names load when they are first used, so that the command line starts without them.
"""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` alone would cost a third of a build with nothing to do
if TYPE_CHECKING:
    from generator.algorithms import Algorithm as Algorithm
    from generator.algorithms import algorithm as algorithm
    from generator.algorithms import register as register
    from generator.blocks.download import Download as Download
    from generator.blocks.figure import Figure as Figure
    from generator.blocks.filetree import FileTree as FileTree
    from generator.blocks.listing import Listing as Listing
    from generator.blocks.script import run_script as run_script
    from generator.blocks.style import PALETTE as PALETTE
    from generator.blocks.style import subplots as subplots
    from generator.blocks.table import Table as Table
    from generator.observe import depends as depends
    from generator.values import Md as Md
    from generator.values import Measure as Measure
    from generator.values import Tex as Tex

__version__ = "0.1.0"

_HOMES = {
    "Algorithm": "generator.algorithms",
    "algorithm": "generator.algorithms",
    "register": "generator.algorithms",
    "Download": "generator.blocks.download",
    "Figure": "generator.blocks.figure",
    "FileTree": "generator.blocks.filetree",
    "Listing": "generator.blocks.listing",
    "run_script": "generator.blocks.script",
    "PALETTE": "generator.blocks.style",
    "subplots": "generator.blocks.style",
    "Table": "generator.blocks.table",
    "depends": "generator.observe",
    "Md": "generator.values",
    "Measure": "generator.values",
    "Tex": "generator.values",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module `generator` has no name `{name}`")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
