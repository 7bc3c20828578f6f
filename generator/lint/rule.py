"""The shape of a rule, of what it finds, and of how a finding is mended."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from generator.errors import Severity
from generator.frozen import dataclass
from generator.lint.facts import Facts
from generator.lint.note import Note


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement in a note's text."""

    start: int
    """Offset of the first character replaced."""
    end: int
    """Offset after the last one."""
    text: str
    """What stands there afterwards."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One place where a note breaks a rule."""

    at: int
    """Offset in the note's text."""
    message: str
    """What is wrong, in one line."""
    hint: str = ""
    """What to do about it."""
    edits: tuple[Edit, ...] = ()
    """What `--fix` does; empty where only the author can tell."""
    severity: Severity | None = None
    """Where it differs from the rule's."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that goes wrong in notes."""

    code: str
    """Its name in settings, comments and reports."""
    severity: Severity
    """`error` where the page would be visibly broken or lose text, else `warning`."""
    title: str
    """What it finds, as a heading."""
    why: str
    """What the reader would see, and what to write instead."""
    check: Callable[[Note, Facts], Iterable[Finding]]
    """Finds the places; pure."""
    fixes: bool = False
    """Whether `--fix` can mend at least some findings."""
