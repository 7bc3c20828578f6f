"""A mutant of a demo: a wrong computation that the note must notice."""

from __future__ import annotations

from typing import Literal, TypedDict


class Mutant(TypedDict):
    """One change to one file, and what a build is to say of it.

    It replaces `old`, which stands exactly once in `file`, by `new`. With `expected: "fails"` the
    note must then fail to build, at a claim or at a line of its algorithm; with "equivalent" it may
    build, for the `reason` given.
    """

    note: str
    name: str
    file: str
    old: str
    new: str
    expected: Literal["fails", "equivalent"]
    reason: str


def list_mutants(note: str, file: str, *rows: tuple[str, ...]) -> list[Mutant]:
    """Mutants of one file, from rows of name, old text, new text and, if equivalent, the reason."""
    return [
        Mutant(
            note=note,
            name=name,
            file=file,
            old=old,
            new=new,
            expected="equivalent" if any(reason) else "fails",
            reason="".join(reason),
        )
        for name, old, new, *reason in rows
    ]
