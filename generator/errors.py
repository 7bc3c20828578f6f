"""What can go wrong, as data: where it is, what it is, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from generator.frozen import dataclass

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault, in the form `path:line: message`, with what to do."""

    path: str
    """POSIX path, relative to the site; empty when the fault has no place."""
    line: int
    """Line, from 1; 0 when unknown."""
    message: str
    """What is wrong, in one line."""
    hint: str = ""
    """What to do about it."""
    code: str = ""
    """The rule or stage that found it, such as `claim` or `table-pipe`."""
    severity: Severity = "error"
    """Errors keep a note from being published; warnings are told."""
    column: int = 0
    """Column, from 1; 0 when unknown."""

    @property
    def is_error(self) -> bool:
        return self.severity == "error"

    def __str__(self) -> str:
        where = self.path + (f":{self.line}" if self.line else "")
        text = f"{where}: {self.message}" if where else self.message
        return f"{text}\n    {self.hint}" if self.hint else text


class GeneratorError(Exception):
    """A failure that is told to the user as problems, never as a traceback."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


class UsageError(GeneratorError):
    """The command line or the configuration is wrong (exit code 2)."""


def near_names(name: str, candidates: Iterable[str]) -> str:
    """The candidates that resemble `name`, as a question, or an empty string."""
    from difflib import get_close_matches

    near = get_close_matches(name, sorted(set(candidates)), n=3, cutoff=0.6)
    if not near:
        return ""
    return "did you mean " + " or ".join(f"`{candidate}`" for candidate in near) + "?"
