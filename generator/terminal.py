"""What the terminal sees: colours where they are wanted, a bar on long work, plain lines else."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from generator.errors import Problem

_CODES = {"red": "31", "yellow": "33", "green": "32", "dim": "2", "bold": "1"}


def style(text: str, *names: str, stream: TextIO | None = None) -> str:
    """`text` in colour where the stream is a terminal and `NO_COLOR` is not set."""
    if not is_rich(stream or sys.stdout):
        return text
    return f"\x1b[{';'.join(_CODES[name] for name in names)}m{text}\x1b[0m"


def counted(number: int, noun: str) -> str:
    """`1 note`, `2 notes`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def is_rich(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_problem(problem: Problem) -> None:
    """One problem on stderr, `path:line: message`, with what to do below."""
    where = problem.path + (f":{problem.line}" if problem.line else "")
    word = "" if problem.is_error else "warning: "
    colour = "red" if problem.is_error else "yellow"
    start = style(where + ": ", "bold", stream=sys.stderr) if where else ""
    code = style(f" [{problem.code}]", "dim", stream=sys.stderr) if problem.code else ""
    print(start + style(word + problem.message, colour, stream=sys.stderr) + code, file=sys.stderr)
    if problem.hint:
        print("    " + style(problem.hint, "dim", stream=sys.stderr), file=sys.stderr)


class Bar:
    """A progress bar on a terminal's last line; silent elsewhere."""

    def __init__(self, total: int, *, wanted: bool = True) -> None:
        self.total = total
        self.done = 0
        self.shown = wanted and total > 1 and is_rich(sys.stderr)

    def advance(self, name: str) -> None:
        """One more is done, `name` the latest."""
        self.done += 1
        if self.shown:
            width = 24
            filled = width * self.done // max(1, self.total)
            bar = "█" * filled + "·" * (width - filled)
            end = "\r" if self.done < self.total else "\r\x1b[K"
            print(
                f"\x1b[K{bar} {self.done}/{self.total} {name}", end=end, file=sys.stderr, flush=True
            )

    def clear(self) -> None:
        """Make room for a line of text."""
        if self.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
