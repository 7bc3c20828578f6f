"""A running `serve`, and the browser that looks at it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.conftest import heed_ctrl_c

PATIENCE = 30.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Preview:
    """`python -m generator serve` on a site, its output kept in a file."""

    def __init__(self, site: Path, *words: str, environment: dict[str, str] | None = None) -> None:
        self.site = site
        self.port = free_port()
        self.log = site.parent / f"serve-{self.port}.log"
        command = [sys.executable, "-m", "generator", "serve", "--port", str(self.port), *words]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command,
                cwd=site,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(environment or {})},
                preexec_fn=heed_ctrl_c,
            )

    def __enter__(self) -> Preview:
        wait_until(lambda: "preview: http" in self.output() or self.process.poll() is not None)
        assert self.process.poll() is None, self.output()
        return self

    def __exit__(self, *error: object) -> None:
        if self.process.poll() is None:
            self.end(signal.SIGTERM)

    def output(self) -> str:
        return self.log.read_text("utf-8", "replace")

    def end(self, number: int) -> int:
        """Send a signal; the exit code."""
        self.process.send_signal(number)
        return self.process.wait(20)

    def url(self, path: str) -> str:
        return f"http://localhost:{self.port}/{path}"

    def page(self, path: str) -> str:
        """What the server answers; empty while there is no page."""
        try:
            with urllib.request.urlopen(self.url(path), timeout=10) as answer:
                return str(answer.read().decode("utf-8"))
        except (urllib.error.URLError, ConnectionError):
            return ""

    def children(self) -> list[int]:
        """Processes that the preview has started, at any depth."""
        listed = subprocess.run(["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True)
        pairs = [tuple(map(int, line.split())) for line in listed.stdout.splitlines()]
        found = [self.process.pid]
        for parent in found:
            found += [pid for pid, its in pairs if its == parent]
        return found[1:]

    def shows(self, path: str, text: str) -> None:
        wait_until(lambda: text in self.page(path), lambda: self.output())


def wait_until(
    holds: Callable[[], Any], tell: Callable[[], str] = str, patience: float = PATIENCE
) -> float:
    """Wait for it; the seconds that it took."""
    start = time.monotonic()
    while not holds():
        assert time.monotonic() - start < patience, tell()
        time.sleep(0.01)
    return time.monotonic() - start


class Reader:
    """A browser's page that counts how often it was loaded."""

    def __init__(self, browser: Any, preview: Preview, path: str) -> None:
        self.loads = 0
        self.greeted = 0
        self.page = browser.new_page()
        self.page.on("load", lambda _: self._count())
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._hear))
        self.page.goto(preview.url(path))
        self._listen()

    def _count(self) -> None:
        self.loads += 1

    def _hear(self, message: str | bytes) -> None:
        self.greeted += "hello" in str(message)

    def _listen(self) -> None:
        """Wait until the page that is shown would hear of a change: Hugo tells it once."""
        end = time.monotonic() + PATIENCE
        while self.greeted < self.loads:
            assert time.monotonic() < end, "live reload is not connected"
            self.page.wait_for_timeout(10)

    def sees(self, text: str, seconds: float = PATIENCE) -> float:
        """Wait for the text, without reloading; the seconds that it took."""
        start = time.monotonic()
        body = self.page.locator("body", has_text=text)
        body.wait_for(state="visible", timeout=1000 * seconds)
        took = time.monotonic() - start
        self._listen()
        return took
