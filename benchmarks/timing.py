"""Whole processes, timed from outside: wall seconds and peak memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median


@dataclass(frozen=True, slots=True)
class Run:
    """One process and what it started."""

    seconds: float
    """Wall time."""
    mebibytes: float
    """Largest memory of one process in it."""
    code: int
    """Exit code."""
    output: str
    """The end of what it said."""


def run(
    command: Sequence[str], folder: Path, env: Mapping[str, str] | None = None, limit: float = 900
) -> Run:
    """Run a command to its end."""
    log = folder / f".benchmark-log-{os.getpid()}"
    with log.open("wb") as out:
        start = time.perf_counter()
        process = subprocess.Popen(
            list(command), cwd=folder, env=dict(env or os.environ), stdout=out, stderr=out,
            stdin=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # servers that it left
    process.returncode = os.waitstatus_to_exitcode(status)
    scale = 1024 if sys.platform == "linux" else 1024 * 1024
    told = log.read_bytes()[-4000:].decode("utf-8", "replace")
    log.unlink()
    return Run(seconds, usage.ru_maxrss / scale, process.returncode, told)


def must(command: Sequence[str], folder: Path, env: Mapping[str, str] | None = None) -> Run:
    """Run a command that is to end well."""
    done = run(command, folder, env)
    if done.code:
        raise SystemExit(f"{' '.join(command)} ended with {done.code}:\n{done.output}")
    return done


def bare(python: str, folder: Path, times: int = 9) -> float:
    """Seconds of `python -c pass`: the unit of the ratios."""
    return median(must([python, "-c", "pass"], folder).seconds for _ in range(times))


def paired(times: int, *measured: Callable[[], float]) -> list[float]:
    """The medians of several measurements, taken in turn, so that drift meets all of them."""
    rows = [[measure() for measure in measured] for _ in range(times)]
    return [median(row[i] for row in rows) for i in range(len(measured))]
