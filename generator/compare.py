"""Compare recomputed results with recorded ones: numbers within tolerance, the rest exactly."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence

from generator.blocks.base import Json
from generator.frozen import dataclass

RELATIVE = 1e-6
ABSOLUTE = 1e-9
"""Two numbers agree when they differ by less than either; rounding noise is no difference."""


@dataclass(frozen=True, slots=True)
class Drift:
    """One value that came out otherwise."""

    name: str
    """Where it is: `fit.residuals[2]`."""
    before: str
    """What is recorded."""
    after: str
    """What was found now."""


def compare_results(before: Mapping[str, Json], after: Mapping[str, Json]) -> list[Drift]:
    """All values that differ by more than the tolerance; drawings are compared by their data."""
    return list(_compare(dict(before), dict(after), ""))


def _compare(before: Json, after: Json, name: str) -> Iterator[Drift]:
    if isinstance(before, dict) and isinstance(after, dict):
        drawn = before.get("$block") == "figure" == after.get("$block")
        for key in sorted({*before, *after}):
            if drawn and key in ("digest", "digests", "files", "sha256", "svg"):
                continue
            path = f"{name}.{key}" if name else key
            if key not in before or key not in after:
                yield Drift(path, _brief(before.get(key)), _brief(after.get(key)))
            else:
                yield from _compare(before[key], after[key], path)
    elif isinstance(before, list) and isinstance(after, list):
        if len(before) != len(after):
            yield Drift(name, f"{len(before)} items", f"{len(after)} items")
            return
        for i, (old, new) in enumerate(zip(before, after)):
            yield from _compare(old, new, f"{name}[{i}]")
    elif not _agree(before, after):
        yield Drift(name, _brief(before), _brief(after))


def _agree(before: object, after: object) -> bool:
    numbers = (int, float)
    if isinstance(before, numbers) and isinstance(after, numbers):
        if isinstance(before, int) and isinstance(after, int):
            return before == after
        return math.isclose(before, after, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    return before == after


def compare_tables(before: bytes, after: bytes) -> bool:
    """Whether two CSV files hold the same data, numbers within tolerance."""
    try:
        old, new = map(_read_rows, (before, after))
    except csv.Error:  # cut or edited by hand
        return before == after
    return len(old) == len(new) and all(map(_same_row, old, new))


def _read_rows(table: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(table.decode("utf-8", "replace"), newline=None)))


def _same_row(before: Sequence[str], after: Sequence[str]) -> bool:
    return len(before) == len(after) and all(
        _agree(_number(a), _number(b)) for a, b in zip(before, after)
    )


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _brief(value: object) -> str:
    text = f"{value:.12g}" if isinstance(value, float) else str(value)
    return text if len(text) <= 60 else text[:57] + "…"
