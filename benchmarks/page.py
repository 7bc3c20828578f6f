"""Writes `docs/benchmarks.md`, a section at a time, from what the scripts measured."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

PAGE = Path("docs/benchmarks.md")
_SECTIONS = ("peers", "correctness", "scale", "cluster")
_HEAD = """# Benchmarks

Written by the scripts in `benchmarks/`; run them with `make benchmarks`, or one at a time:
`.venv/bin/python -m benchmarks.peers`, `-m benchmarks.scale`, `-m benchmarks.cluster`. Seconds are
wall time of whole processes; they depend on the machine, the ratios between rows much less. Panels
are laid out by `layout="constrained"` in every Python tool, as two panels with labels need.
"""


def write_section(name: str, text: str) -> None:
    """Replace one section of the page; the others stay as they were measured."""
    old = PAGE.read_text() if PAGE.exists() else ""
    kept = {
        section: found.group(1).strip()
        for section in _SECTIONS
        if (found := re.search(f"<!-- {section} -->(.*?)<!-- end -->", old, re.DOTALL))
    }
    kept[name] = text.strip()
    parts = [f"<!-- {s} -->\n{kept[s]}\n<!-- end -->\n" for s in _SECTIONS if s in kept]
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(_HEAD + "\n" + "\n".join(parts))


def measured_on() -> str:
    """Date and machine, in a sentence."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    today = datetime.now(UTC).date().isoformat()
    return (
        f"Measured {today} on {cores} cores of a shared {platform.machine()} machine, "
        f"{platform.system()}, Python {platform.python_version()}."
    )


def table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """A Markdown table, numbers to the right."""
    lines = [head, ["---"] * left + ["---:"] * (len(head) - left), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def seconds(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if value < 0.1 else f"{value:.2f}" if value < 10 else f"{value:.0f}"


def factor(value: float) -> str:
    return f"{value:.1f}×" if value < 10 else f"{value:.0f}×"
