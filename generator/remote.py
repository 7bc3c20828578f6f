"""Run one task in a fresh Python, wherever an executor puts it: a cluster's worker is shared.

The fresh Python reads a task from standard input and writes its outcome and the digest of its
copy of the generator.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import Any

from generator.compute import Outcome, Task, dump_outcome, run_task
from generator.errors import Problem
from generator.fingerprint import COMPUTING, digest_parts
from generator.record import Inputs

_HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_START = "import sys; sys.path.append(sys.argv[1]); from generator.remote import main; main()"
"""The worker's working folder, `-P`, and other copies of the generator stay out of it."""

_PRINTED = 20_000
"""Characters of a demo's output that travel back."""


def run_remote(text: str) -> bytes:
    """What a task, as text, gave in a process of its own; never raises for a demo.

    A JSON document: the outcome, what was printed, seconds, and the digest of the generator.
    """
    task = Task(**json.loads(text))
    start = time.monotonic()
    out, printed = _run_process(task, text)
    reply = json.loads(out)
    reply |= {"printed": printed[-_PRINTED:], "seconds": time.monotonic() - start}
    return json.dumps(reply).encode()


def _run_process(task: Task, text: str) -> tuple[bytes, str]:
    if not os.path.isfile(os.path.join(task.root, task.demo)):
        message = f"the worker on {_host()} has no file {task.demo} in {task.root}"
        return _failure(task, message, "put the site where all workers see it, at one path"), ""
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", _START, _HOME, str(os.getpid())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        out, errors = process.communicate(text.encode(), timeout=task.timeout)
    except subprocess.TimeoutExpired:
        _kill_session(process.pid)
        _, errors = process.communicate()
        hint = "make it quicker, or state a longer `timeout:` (seconds) in the front matter"
        stopped = f"the demo was stopped after {task.timeout:g} s"
        return _failure(task, stopped, hint), errors.decode("utf-8", "replace")
    _kill_session(process.pid)  # what the demo itself started
    printed = errors.decode("utf-8", "replace")
    if process.returncode == 0 and out:
        return out, printed
    message = f"the demo's process ended with {process.returncode} before it gave results"
    return _failure(task, message, f"run it alone: python -m generator run {task.name}"), printed


def _host() -> str:
    return os.uname().nodename


def _kill_session(pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _failure(task: Task, message: str, hint: str) -> bytes:
    outcome = Outcome(problems=(Problem(task.demo, 1, message, hint, "demo"),))
    return _reply(dump_outcome(outcome, Inputs()))


def _reply(outcome: bytes) -> bytes:
    reply: dict[str, Any] = {"outcome": outcome.decode(), "sources": digest_parts(COMPUTING)}
    return json.dumps(reply).encode()


def main() -> None:
    """Keep the real standard output for the reply; what the demo prints goes to stderr."""
    from generator.workers import die_with, has_algorithms, limit_memory, warm_up

    die_with(int(sys.argv[2]))
    text = sys.stdin.read()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    task = Task(**json.loads(text))
    warm_up(algorithms=has_algorithms(task), drawing=False)
    if task.memory:
        limit_memory(task.memory)
    with out:
        out.write(_reply(run_task(text)))
