"""Kinds of values beyond Python's own, and what to raise when one can't be written."""

from __future__ import annotations

from typing import Any

from generator.frozen import dataclass


class Refused(ValueError):  # noqa: N818 - about a value, not about a bug
    """A value that can't be written where it stands, with what to do about it."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Tex:
    """LaTeX that is meant as such: as is in math, between `\\(` and `\\)` in prose."""

    source: str

    def __post_init__(self) -> None:
        _check_source(self.source, type(self).__name__)

    def __str__(self) -> str:
        return self.source


@dataclass(frozen=True, slots=True)
class Md:
    """Inline Markdown that its author vouches for."""

    source: str

    def __post_init__(self) -> None:
        _check_source(self.source, type(self).__name__)

    def __str__(self) -> str:
        return self.source


@dataclass(frozen=True, slots=True)
class Measure:
    """A measured value with its standard uncertainty."""

    nominal: float
    std: float

    def __float__(self) -> float:
        return float(self.nominal)


def _check_source(source: object, kind: str) -> None:
    if not isinstance(source, str):
        raise Refused(f"`{kind}` takes a string, not {source!r}")


def is_measure(value: Any) -> bool:
    """Whether the value is a measure: ours, or the uncertainties library's (not imported here)."""
    return isinstance(value, Measure) or (
        hasattr(value, "nominal_value") and hasattr(value, "std_dev")
    )
