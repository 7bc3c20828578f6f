"""Run one task in a fresh Python, wherever an executor puts it: a cluster's worker is shared.

`python -m generator.remote` reads a task from standard input and writes its outcome.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress

from generator.compute import Outcome, Task, dump_outcome, run_task
from generator.errors import Problem
from generator.record import Inputs


def run_remote(text: str) -> bytes:
    """The outcome of a task, as text, run in a process of its own; never raises for a demo."""
    task = Task(**json.loads(text))
    process = subprocess.Popen(
        [sys.executable, "-m", "generator.remote"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        out, errors = process.communicate(text.encode(), timeout=task.timeout)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return _failure(task, f"the demo was stopped after {task.timeout:g} s")
    if process.returncode == 0 and out:
        return out
    told = errors.decode("utf-8", "replace").strip().splitlines()
    last = told[-1] if told else "it said nothing"
    return _failure(task, f"the demo's process ended with {process.returncode}: {last}")


def _failure(task: Task, message: str) -> bytes:
    outcome = Outcome(problems=(Problem(task.demo, 1, message, "", "demo"),))
    return dump_outcome(outcome, Inputs())


def main() -> None:
    """Keep the real standard output for the outcome; what the demo prints goes to stderr."""
    text = sys.stdin.read()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    from generator.workers import warm_up

    warm_up()
    with out:
        out.write(run_task(text))


if __name__ == "__main__":
    main()
