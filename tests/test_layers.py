"""Imports point one way, from the command line down to blocks and errors."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from generator.fingerprint import COMPUTING, RENDERING

HOME = Path(__file__).parent.parent / "generator"

LAYERS = [
    ["__main__"],
    ["cli"],
    ["preview", "scaffold"],
    [
        "arguments",
        "commands",
        "completion",
        "overlay",
        "scaffolds",
        "notebook",
        "init",
        "server",
        "hook",
        "watching",
    ],
    ["build", "lint_run", "sarif", "configuration"],
    ["finish", "forkserver", "executors", "index", "references"],
    ["workers"],
    ["remote"],
    ["compute", "history", "render", "facts", "katex", "bibliography"],
    ["publish", "plan", "template", "environment", "claim_tag", "compare", "site_layouts"],
    ["notes", "observe", "report", "numerals", "hugo", "terminal", "sandbox", "site_pages"],
    ["lint"],
    ["claims", "front_matter", "places", "record", "results", "scanner", "sentences", "settings"],
    ["algorithms", "blocks"],
    ["fingerprint"],
    ["values", "spots", "site"],
    ["errors", "quick"],
    ["frozen"],
]
"""From the top; a module imports from its own layer and those below."""

APART = {
    "__init__", "__main__", "arguments", "bibliography", "build", "cli", "commands", "compare",
    "completion", "configuration", "demos", "errors", "executors", "fingerprint", "forkserver", "history",
    "hook", "hugo", "index", "init", "katex", "lint_run", "notebook", "overlay", "plan",
    "preview", "publish", "quick", "references", "remote", "report", "sarif", "scaffold",
    "scaffolds", "server", "settings", "terminal", "watching",
}  # fmt: skip
"""Modules that influence neither results nor pages, beyond what records hold of them."""


@cache
def modules() -> dict[str, list[Path]]:
    """The package's modules and sub-packages, each with its files."""
    found: dict[str, list[Path]] = {}
    for path in sorted(HOME.rglob("*.py")):
        name = path.relative_to(HOME).parts[0].removesuffix(".py")
        found.setdefault(name, []).append(path)
    return found


@cache
def imported(path: Path) -> frozenset[str]:
    """The parts of the package that a file imports when it is loaded, types aside."""
    names: set[str] = set()
    for node in top_level(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("generator"):
            parts = node.module.split(".")[1:]
            names |= {parts[0]} if parts else {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            dotted = [alias.name.split(".") for alias in node.names]
            names |= {p[1] for p in dotted if p[0] == "generator" and len(p) > 1}
    return frozenset(names)


def top_level(tree: ast.AST) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.stmt):
            found.append(node)
        found += top_level(node)
    return found


def layer_of(name: str) -> int:
    return next(i for i, layer in enumerate(LAYERS) if name in layer)


@pytest.mark.parametrize("name", sorted(set(modules()) - {"__init__", "demos"}))
def test_a_module_imports_only_from_below(name: str) -> None:
    assert any(name in layer for layer in LAYERS), f"give `{name}` a layer"
    for path in modules()[name]:
        for other in imported(path) - {name, "__version__", "TYPE_CHECKING"}:
            if other in modules():
                assert layer_of(other) >= layer_of(name), f"{path.name} imports `{other}`"


def test_every_module_is_a_part_that_is_fingerprinted_or_stands_apart() -> None:
    parts = {part.removesuffix(".py") for part in (*COMPUTING, *RENDERING)}
    unknown = set(modules()) - parts - APART
    assert not unknown, "add them to COMPUTING or RENDERING in fingerprint.py, or here to APART"
    assert not parts & APART
    assert not {part for part in (*COMPUTING, *RENDERING) if not (HOME / part).exists()}


def test_what_computes_and_renders_imports_nothing_that_is_not_fingerprinted() -> None:
    """Else a change there would go unnoticed."""
    parts = {part.removesuffix(".py") for part in (*COMPUTING, *RENDERING)}
    harmless = APART - {"build", "cli", "commands"}
    for part in parts:
        for path in modules()[part]:
            assert imported(path) - parts <= harmless | {"__version__", "TYPE_CHECKING"}, path
