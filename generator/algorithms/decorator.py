"""`@algorithm`, and the time in which its calls are checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import update_wrapper
from types import FunctionType
from typing import TYPE_CHECKING, TypeVar, cast
from weakref import WeakSet

from generator.errors import Problem

if TYPE_CHECKING:
    from generator.algorithms.block import Algorithm
    from generator.algorithms.subject import Subject

F = TypeVar("F", bound=Callable[..., object])

_SUBJECTS: WeakSet[Subject] = WeakSet()
_DEPTH: list[None] = []


def algorithm(caption: str) -> Callable[[F], F]:
    """Makes a function an algorithm that can be printed; it stays the function that it is.

    Its source is read when it is printed or first observed, not before. The title may hold words
    and `\\(…\\)` formulas. Raises TypeError for anything but a function.
    """
    if not isinstance(caption, str):
        raise TypeError('`@algorithm` takes a title: write `@algorithm("Title")`')

    def decorate(function: F) -> F:
        if not isinstance(function, FunctionType):
            raise TypeError(f"`@algorithm` takes a function, not {type(function).__name__}")
        from generator.algorithms.subject import Subject

        function.__wrapped__ = _copy(function)  # type: ignore[attr-defined]
        subject = Subject(function, caption)
        function.__algorithm__ = subject  # type: ignore[attr-defined]
        _SUBJECTS.add(subject)
        if _DEPTH:
            subject.begin()
        return function

    return decorate


def _copy(function: Callable[..., object]) -> FunctionType:
    """The same function, never observed: what `inspect.unwrap` gives."""
    plain = cast(FunctionType, function)
    copy = FunctionType(
        plain.__code__, plain.__globals__, plain.__name__, plain.__defaults__, plain.__closure__
    )
    copy.__kwdefaults__ = plain.__kwdefaults__
    update_wrapper(copy, plain)
    del copy.__wrapped__  # type: ignore[attr-defined]
    return copy


def block_of(value: object) -> Algorithm | None:
    """The block of an `@algorithm` function, or None for any other value."""
    subject = getattr(value, "__algorithm__", None)
    if subject is None or not callable(value):
        return None
    from generator.algorithms.block import Algorithm

    block = subject.block()
    assert isinstance(block, Algorithm)
    return block


class Observation:
    """What was found while algorithms were observed."""

    def problems(self) -> tuple[Problem, ...]:
        """Faults of every algorithm that was called; each told once."""
        found = [p for s in _SUBJECTS if s.calls for p in s.problems()]
        return tuple(sorted(set(found), key=lambda p: (p.path, p.line, p.message)))


@contextmanager
def observing() -> Iterator[Observation]:
    """While it lasts, every call of an algorithm is held against what the algorithm says.

    Nothing is raised for what is found: ask the block's `problems()`.
    """
    if not _DEPTH:
        for subject in list(_SUBJECTS):
            subject.begin()
    _DEPTH.append(None)
    try:
        yield Observation()
    finally:
        _DEPTH.pop()
        if not _DEPTH:
            for subject in list(_SUBJECTS):
                subject.end()
