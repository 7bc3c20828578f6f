"""What is wrong with a note as it is seen, by kind; every function returns sentences."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.algorithms.readers import squeeze

from .sources import Expected

Seen = dict[str, Any]

RAW = re.compile(
    r"\\[A-Za-z(\[)\]]+|\$\$|\{\{[<%]|`{3}|\|[ ]*:?-+:?[ ]*\||^\{\.|[^\w\s]?\{#\w", re.MULTILINE
)
"""What a reader should never see outside code."""
ENTRY = re.compile(r"\w+ \w.*\d{4}")
"""A reference, roughly: names, a title, a year."""


def judge_text(seen: Seen, expected: Expected) -> list[str]:
    """Markup that is left in the text."""
    found = RAW.search(seen["words"])
    return [f"reads …{seen['words'][: found.end() + 20][-60:]!r}"] if found else []


def judge_formulas(seen: Seen, expected: Expected) -> list[str]:
    """Formulas that are missing, not set, or known to one library only."""
    found = [(squeeze(tex), wrong) for tex, wrong in seen["formulas"]]
    wanted = [squeeze(tex) for tex in expected.formulas]
    faults = [f"{tex}: {wrong}" for tex, wrong in found if wrong]
    if [tex for tex, _ in found] != wanted:
        faults.append(f"sets {[tex for tex, _ in found]}, not {wanted}")
    return faults + [
        f"{seen[mark]} formulas are {mark}" for mark in ("empty", "marked") if seen[mark]
    ]


def judge_algorithms(seen: Seen, expected: Expected) -> list[str]:
    """Algorithms that are missing or left as their source."""
    found = seen["algorithms"]
    faults = [fault for one in found for fault in _judge_algorithm(one)]
    if len(found) != expected.algorithms:
        faults.append(f"{len(found)} algorithms, not {expected.algorithms}")
    return faults


def _judge_algorithm(one: dict[str, Any]) -> list[str]:
    faults = [f"{tex} in MathJax: {wrong}" for tex, wrong in one["formulas"] if wrong]
    if one["drawn"] != 1 or one["raw"]:
        faults.append(f"an algorithm is left as its source: {one['raw']}")
    if one["inked"]:
        faults.append("MathJax sets what pseudocode.js has drawn")
    numbers = [number for number, _ in one["lines"] if number]
    if numbers != list(range(1, len(numbers) + 1)) or not numbers:
        faults.append(f"the lines are numbered {numbers}")
    texts = [re.sub(r"\$[^$]*\$", "", text) for _, text in one["lines"]]
    return faults + [
        f"{text!r} shows its markup" for text in texts if re.search(r"\\[A-Za-z]", text)
    ]


def judge_tables(seen: Seen, expected: Expected) -> list[str]:
    """Tables that are missing, ragged, or without their variant."""
    found = [(one["variant"], one["columns"]) for one in seen["tables"]]
    faults = [f"a table with rows of {row} cells" for _, row in found if len(set(row)) != 1]
    if [(variant, row[0]) for variant, row in found] != list(expected.tables):
        faults.append(f"tables {found}, not {list(expected.tables)}")
    return faults


def judge_images(seen: Seen, expected: Expected) -> list[str]:
    """Images that are missing or don't load."""
    faults = [f"{address} doesn't load" for address in seen["broken"]]
    if seen["images"] != expected.images:
        faults.append(f"{seen['images']} images, not {expected.images}")
    return faults


def judge_citations(seen: Seen, expected: Expected) -> list[str]:
    """Citations that aren't numbered, and works that aren't listed."""
    found = seen["citations"]
    faults = [f"{text} leads nowhere" for text, leads in found if not leads]
    if len(found) != expected.citations:
        faults.append(f"{len(found)} citations, not {expected.citations}")
    for entries in seen["lists"]:
        if not entries or not all(ENTRY.search(entry) for entry in entries):
            faults.append(f"a list of references with {entries}")
    return faults


def judge_diagrams(seen: Seen, expected: Expected) -> list[str]:
    """Diagrams that aren't drawn."""
    found = seen["diagrams"]
    faults = [
        f"a diagram is not drawn: {one}"
        for one in found
        if one["failed"] or one["role"] in ("", "error") or min(one["size"]) < 20
    ]
    if len(found) != expected.diagrams:
        faults.append(f"{len(found)} diagrams, not {expected.diagrams}")
    return faults


JUDGES: dict[str, Callable[[Seen, Expected], list[str]]] = {
    "text": judge_text,
    "formulas": judge_formulas,
    "algorithms": judge_algorithms,
    "tables": judge_tables,
    "images": judge_images,
    "citations": judge_citations,
    "diagrams": judge_diagrams,
}
