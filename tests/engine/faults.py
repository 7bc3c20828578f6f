"""Faults on demand: a process that dies, or is refused, at the n-th call that writes.

The calls are counted in a process forked from this one, so that a trial costs a build and not
a start of Python.
"""

from __future__ import annotations

import builtins
import errno
import io
import mmap
import os
import signal
import struct
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["kill", "error", "errors"]
WRITING = ("replace", "rename", "unlink", "mkdir", "rmdir", "fsync", "write", "ftruncate", "utime")


@dataclass(frozen=True)
class Trial:
    """What became of a process."""

    calls: int
    """Calls that write which it made."""
    killed: bool
    """Whether it died of a signal."""
    code: int
    """Its exit code: that of the command line, or 99 for a traceback."""


class Shim:
    """Counts the calls that write; at the n-th it strikes."""

    def __init__(self, kind: Kind, at: int, number: int, counter: mmap.mmap) -> None:
        self.kind, self.at, self.number, self.counter = kind, at, number, counter
        self.pid = os.getpid()

    def install(self) -> None:
        for name in WRITING:
            setattr(os, name, self._wrap(getattr(os, name)))
        self._open = builtins.open
        builtins.open = io.open = self._opened  # type: ignore[assignment]

    def _strikes(self) -> bool:
        if os.getpid() != self.pid:
            return False  # a demo's process
        count = struct.unpack("q", self.counter[:8])[0] + 1
        self.counter[:8] = struct.pack("q", count)
        return count == self.at or (self.kind == "errors" and count > self.at > 0)

    def _fail(self) -> None:
        if self.kind == "kill":
            os.kill(self.pid, signal.SIGKILL)
        raise OSError(self.number, os.strerror(self.number))

    def _wrap(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if self._strikes():
                self._fail()
            return real(*args, **kwargs)

        return call

    def _opened(self, file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        writes = any(letter in mode for letter in "wax+")
        if writes and self._strikes():
            self._fail()
        opened = self._open(file, mode, *args, **kwargs)
        return _Torn(opened, self) if writes and "b" in mode else opened


class _Torn:
    """A file whose write may get through by half."""

    def __init__(self, file: Any, shim: Shim) -> None:
        self._file, self._shim = file, shim

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> _Torn:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, data: bytes) -> int:
        if self._shim._strikes():
            self._file.write(data[: len(data) // 2])
            self._file.flush()
            self._shim._fail()
        return int(self._file.write(data))


def attempt(
    argv: list[str],
    kind: Kind = "kill",
    at: int = 0,
    number: int = errno.ENOSPC,
    *,
    kill_after: float = 0.0,
) -> Trial:
    """Run a command in a fork; strike at its `at`-th call (0: never), or after some seconds."""
    counter = mmap.mmap(-1, 8)
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        code = 99
        try:
            null = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(null, stream)
            sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
            Shim(kind, at, number, counter).install()
            from generator import forkserver
            from generator.cli import main

            forkserver.is_warm = lambda: False  # as in a process that has just been started
            code = main(argv)
        except BaseException:
            if "FAULTS_LOG" in os.environ:
                import traceback

                with builtins.open(os.environ["FAULTS_LOG"], "a") as log:
                    traceback.print_exc(file=log)
        finally:
            os._exit(code)
    if kill_after:
        time.sleep(kill_after)
        os.kill(pid, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    calls = struct.unpack("q", counter[:8])[0]
    return Trial(calls, status < 0, status)
