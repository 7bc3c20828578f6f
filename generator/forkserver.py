"""A process that loads numpy and matplotlib, and runs demos, while this one does other work.

This process needs neither for what it does meanwhile: load templates, render, write. Outcomes come
as lines of JSON.
"""

from __future__ import annotations

import gc
import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NoReturn

from generator.compute import Outcome, Task, dump_outcome, load_outcome
from generator.errors import Problem

Outcomes = Iterator[tuple[Task, Outcome]]


@contextmanager
def running(tasks: Sequence[Task], jobs: int) -> Iterator[Outcomes]:
    """Start the tasks, `jobs` at a time; their outcomes come in the order in which they end.

    What still runs when the block is left is stopped. A process that has numpy loaded, such as a
    preview, forks its children itself.
    """
    if not tasks or is_warm():
        yield _run_here(tasks, jobs)
        return
    read_end, write_end = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    parent = os.getpid()
    try:
        pid = os.fork()
    except OSError:  # no process to spare: what runs is told by the tasks themselves
        os.close(read_end)
        os.close(write_end)
        yield _run_here(tasks, jobs)
        return
    if pid == 0:
        os.close(read_end)
        _serve(tasks, jobs, write_end, parent)
    os.close(write_end)
    try:
        yield _receive(tasks, read_end)
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
        os.waitpid(pid, 0)


def is_warm() -> bool:
    """Whether this process has loaded what demos need."""
    return "generator.blocks.figure" in sys.modules


def _run_here(tasks: Sequence[Task], jobs: int) -> Outcomes:
    from generator.workers import run_forked

    return run_forked(tasks, jobs)


def _serve(tasks: Sequence[Task], jobs: int, pipe: int, parent: int) -> NoReturn:
    """Run the tasks and send what comes out; leave without the parent's clean-up."""
    code = 1
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, _leave)
        gc.set_threshold(700, 10, 10)  # a demo's figures hold themselves
        from generator.workers import close_others, die_with, run_forked

        die_with(parent)
        close_others(pipe)
        with open(pipe, "wb") as out:
            for task, outcome in run_forked(tasks, jobs):
                out.write(_message(tasks.index(task), outcome))
                out.flush()
        code = 0
    except (SystemExit, BrokenPipeError):
        pass
    except BaseException:
        sys.excepthook(*sys.exc_info())
        sys.stderr.flush()
    finally:
        os._exit(code)


def _leave(*_: object) -> NoReturn:
    """So that children are stopped on the way out."""
    raise SystemExit


def _message(number: int, outcome: Outcome) -> bytes:
    data = dump_outcome(outcome, outcome.inputs).decode()
    return json.dumps([number, data, outcome.printed, outcome.seconds]).encode() + b"\n"


def _receive(tasks: Sequence[Task], pipe: int) -> Outcomes:
    """Outcomes as they come; read aside, so that the server never waits for this process."""
    lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    threading.Thread(target=_read_lines, args=(pipe, lines), daemon=True).start()
    waiting = dict(enumerate(tasks))
    while waiting and (line := lines.get()) is not None:
        number, data, printed, seconds = json.loads(line)
        yield waiting.pop(number), load_outcome(data.encode(), printed, seconds)
    for task in waiting.values():
        message = "the process that runs demos ended before this one gave results"
        hint = "run it alone: python -m generator run " + task.name
        yield task, Outcome(problems=(Problem(task.demo, 1, message, hint, "demo"),))


def _read_lines(pipe: int, lines: queue.SimpleQueue[bytes | None]) -> None:
    with open(pipe, "rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                lines.put(line)
    lines.put(None)
