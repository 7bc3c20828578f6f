"""What a build reports: to the terminal, to `--json`, and to the preview."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Literal

from generator.errors import Problem
from generator.frozen import dataclass

Status = Literal["built", "unchanged", "failed"]


@dataclass(frozen=True, slots=True)
class NoteReport:
    """What became of one note."""

    slug: str
    """The note."""
    status: Status
    """Whether it was built, up to date already, or failed (its last good page stays)."""
    reasons: tuple[str, ...] = ()
    """Why it was stale."""
    seconds: float = 0.0
    """Time that it took, its demo included."""
    outputs: tuple[str, ...] = ()
    """Files that were written or deleted."""
    problems: tuple[Problem, ...] = ()
    """Errors and warnings."""
    displaced: tuple[str, ...] = ()
    """Where hand-edited text is kept that was replaced."""
    printed: str = ""
    """What the demo printed."""


@dataclass(slots=True)
class Listener:
    """Told how a build goes."""

    on_plan: Callable[[int], None] = lambda count: None
    """Called with the number of stale notes."""
    on_note: Callable[[NoteReport], None] = lambda report: None
    """Called when a note is done with."""
    on_wait: Callable[[str], None] = lambda owner: None
    """Called when another build holds the site."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a build did."""

    notes: tuple[NoteReport, ...]
    """One report a note, by slug."""
    removed: tuple[str, ...] = ()
    """Files of notes that are gone."""

    @property
    def failed(self) -> bool:
        """Whether any note failed."""
        return any(note.status == "failed" for note in self.notes)


_ALWAYS = ("path", "line", "message", "severity")


def problem_to_data(problem: Problem) -> dict[str, Any]:
    """A problem as every `--json` prints it: what is empty or unknown is left out, its place and
    message never (docs/report.schema.json)."""
    return {name: value for name, value in asdict(problem).items() if name in _ALWAYS or value}
