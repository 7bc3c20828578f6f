"""What the guided trials aim at: a target takes a text, and raises what the generator must not."""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar

LONGEST = 2_000
"""Bytes of the longest input."""
COMMON = (
    "\n",
    "\r\n",
    "\r",
    "\ufeff",
    "\x00",
    "\u2028",
    "\x85",
    "\xa0",
    "é",
    "𝔸",
    "²",
    "٣",
)
"""Words that every format gets: line ends, and characters that are easy to mistake."""
DEEP = (
    "[",
    "(",
    "{",
    "<",
    '"',
    "'",
    "- ",
    "> ",
    "*",
    "-",
    "!",
    "not ",
    "a.",
    "x^{",
    "<b>",
    "[a](",
    "^",
)
"""What some parser descends for: each is tried in long rows, before all else."""
ROOT = Path(__file__).parent.parent.parent


class Permit:
    """Whether writes are watched, and those that were seen."""

    is_watching: ClassVar[bool] = False
    writes: ClassVar[list[str]] = []


@dataclass(frozen=True, slots=True)
class Target:
    """One parser under trial."""

    name: str
    """Its name on the command line."""
    run: Callable[[str], None]
    """Raises for whatever is a fault."""
    seeds: tuple[str, ...]
    """Texts to start from."""
    words: tuple[str, ...]
    """The format's own tokens; a byte above 127 stands for one, so that one change makes one."""
    runs: int
    """Trials of the long form."""

    def read(self, data: bytes) -> str:
        """The text that libFuzzer's bytes stand for."""
        words = self.words
        return "".join(chr(b) if b < 128 else words[(b - 128) % len(words)] for b in data)

    def write(self, text: str) -> bytes:
        """The bytes that stand for a seed; what no byte stands for becomes `?`."""
        codes = {word: 128 + i for i, word in enumerate(self.words) if len(word) == 1}
        return bytes(codes.get(sign, ord(sign) if ord(sign) < 128 else 63) for sign in text)


TARGETS: dict[str, Target] = {}


def target(
    name: str, words: Sequence[str], seeds: Sequence[str] = ("",), runs: int = 50_000
) -> Callable[[Callable[[str], None]], Callable[[str], None]]:
    """Register a function as a target."""

    def register(run: Callable[[str], None]) -> Callable[[str], None]:
        every = (*COMMON, *dict.fromkeys(words))
        assert len(every) <= 128, f"{name}: {len(every)} words"
        TARGETS[name] = Target(name, run, tuple(seeds), every, runs)
        return run

    return register


def load_targets() -> None:
    """Fill `TARGETS`; after the generator was instrumented."""
    importlib.import_module("tests.fuzz.parsers")


@contextmanager
def told(path: str = "") -> Iterator[None]:
    """Problems may be raised in here, each with a message and, where one is given, the path."""
    from generator.errors import GeneratorError  # once it is instrumented
    from generator.values import Refused

    try:
        yield
    except Refused as refused:
        assert refused.message
    except GeneratorError as error:
        assert error.problems, "raised without a problem"
        for problem in error.problems:
            assert problem.message and problem.line >= 0, problem
            assert not path or problem.path == path, problem


@cache
def scratch() -> Path:
    """A folder for the files that targets need."""
    holder = tempfile.TemporaryDirectory(prefix="guided-")
    _HOLDERS.append(holder)
    return Path(holder.name)


_HOLDERS: list[tempfile.TemporaryDirectory[str]] = []


def put(path: str, content: str | bytes | None) -> Path:
    """Write a target's input, or remove it: the one write that is none of the generator's."""
    before, Permit.is_watching = Permit.is_watching, False
    try:
        place = scratch() / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            place.unlink(missing_ok=True)
        else:
            place.write_bytes(content if isinstance(content, bytes) else content.encode())
    finally:
        Permit.is_watching = before
    return place


def read_seeds(*patterns: str) -> tuple[str, ...]:
    """Files of the project as seeds."""
    paths = [path for pattern in patterns for path in sorted(ROOT.glob(pattern))]
    return tuple(path.read_text("utf-8") for path in paths)
