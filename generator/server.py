"""Hugo's own server as a child: started, listened to, ended whatever happens."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from generator.errors import GeneratorError, Problem, UsageError
from generator.workers import die_with

_READY = re.compile(r"Web Server is available at (\S+)")
_TOLD = re.compile(r"\b(?:ERROR|WARN)\b|[Ee]rror:|^panic:")
_PATIENCE = 120
"""Seconds that Hugo may take for its first build."""


@dataclass(slots=True)
class Server:
    """One `hugo server`."""

    command: tuple[str, ...]
    """Program and arguments."""
    root: Path
    """The site's folder."""
    mounts: str
    """The mounts that Hugo is given, as JSON."""
    process: subprocess.Popen[bytes] | None = None
    """The running process."""
    rest: bytes = b""
    """An unfinished line of its output."""
    told: set[str] = field(default_factory=set)
    """Warnings that were passed on: Hugo repeats some at each build."""

    def start(self) -> str:
        """Start it, and wait for its first build; the preview's address.

        Raises GeneratorError when Hugo ends before that.
        """
        self.process = subprocess.Popen(
            self.command,
            cwd=self.root,
            env={**os.environ, "HUGO_MODULE_MOUNTS": self.mounts},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=partial(die_with, os.getpid()),
        )
        assert self.process.stdout is not None
        os.set_blocking(self.process.stdout.fileno(), False)
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            ended = self.process.poll() is not None
            for line in self._lines(0.0 if ended else 0.05):
                if found := _READY.search(line):
                    address = found.group(1)  # older ones leave the protocol out
                    return f"http:{address}" if address.startswith("//") else address
                self._tell(line)
            if ended:
                raise GeneratorError(Problem("", 0, "hugo ended at once; what it said is above"))
        raise GeneratorError(Problem("", 0, f"hugo did not start within {_PATIENCE} s"))

    def is_running(self) -> bool:
        """Whether it is there; passes on what it complains of."""
        assert self.process is not None
        ended = self.process.poll() is not None
        for line in self._lines(0.0):
            self._tell(line)
        return not ended

    def stop(self) -> None:
        """End it and its children, and wait for that."""
        if self.process is None:
            return
        for number in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, number)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(3)
                break
        if self.process.stdout is not None:
            self.process.stdout.close()

    def _lines(self, timeout: float) -> list[str]:
        """Whole lines that it has printed meanwhile."""
        assert self.process is not None and self.process.stdout is not None
        select.select([self.process.stdout], [], [], timeout)
        while chunk := self.process.stdout.read(1 << 16):
            self.rest += chunk
        *lines, self.rest = self.rest.split(b"\n")
        return [line.decode("utf-8", "replace") for line in lines]

    def _tell(self, line: str) -> None:
        """Pass on what Hugo complains of, not what it chats."""
        if not _TOLD.search(line) or (" WARN " in f" {line}" and line in self.told):
            return
        self.told.add(line)
        print(line.rstrip().replace(f"{self.root}/", ""), file=sys.stderr, flush=True)


def read_mounts(hugo: str, root: Path, arguments: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The site's mounts as Hugo itself sees them, whatever form its configuration has.

    Raises GeneratorError when Hugo can't read the configuration.
    """
    command = [hugo, "config", "mounts", *arguments]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=120)
    with suppress(ValueError, KeyError):
        found, _ = json.JSONDecoder().raw_decode(done.stdout[done.stdout.index("{") :])
        return [_without_empty(mount) for mount in found["mounts"]]
    lines = [line for line in (done.stderr + done.stdout).splitlines() if "rror" in line]
    raise GeneratorError(Problem("", 0, f"hugo can't read the site: {(lines or ['?'])[0]}"))


def _without_empty(value: Any) -> Any:
    """Mounts are printed with nulls that Hugo does not read back."""
    if isinstance(value, dict):
        return {k: kept for k, v in value.items() if (kept := _without_empty(v)) not in (None, {})}
    return value


def need_port(port: int) -> None:
    """Raises UsageError when something listens there; Hugo would take another, silently."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
            return
        except OverflowError:
            message, hint = f"there is no port {port}", "ports go up to 65535"
        except PermissionError:
            message, hint = f"port {port} is not for users", "take one from 1024: --port 1313"
        except OSError:
            message = f"port {port} is in use"
            hint = f"end what runs there, or take another: --port {port + 1}"
    raise UsageError(Problem("", 0, message, hint))
