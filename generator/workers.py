"""Run tasks in forked children of this process, which has numpy and matplotlib loaded.

One child a task: no run sees another's modules or settings, and a child that crashes, hangs
or eats memory takes nobody with it.
"""

from __future__ import annotations

import ctypes
import gc
import os
import resource
import selectors
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO

from generator.compute import Outcome, Task, load_outcome, run_task
from generator.errors import Problem

_PRINTED = 20_000
"""Characters of a demo's output that are kept."""


@dataclass(slots=True)
class _Child:
    """A running task."""

    task: Task
    pid: int
    pipe: int
    printed: IO[bytes]
    start: float
    deadline: float
    chunks: list[bytes] = field(default_factory=list)
    timed_out: bool = False


def run_forked(tasks: Sequence[Task], jobs: int) -> Iterator[tuple[Task, Outcome]]:
    """Run the tasks, `jobs` at a time, and yield outcomes as they come.

    Children still running are killed when the caller stops early (Ctrl-C).
    """
    if tasks:
        warm_up(algorithms=any(map(has_algorithms, tasks)))
        gc.freeze()  # or every child's collector would copy the parent's memory
    waiting = list(reversed(tasks))
    running: dict[int, _Child] = {}
    with selectors.DefaultSelector() as selector:
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    task = waiting.pop()
                    try:
                        child = _start(task)
                    except OSError as error:  # no memory, no process, no room for its output
                        yield task, _not_started(task, error)
                        continue
                    running[child.pipe] = child
                    selector.register(child.pipe, selectors.EVENT_READ)
                for child in _wait_for_ends(selector, running):
                    yield child.task, _finish(child)
        finally:
            for child in running.values():
                _kill(child)
                _reap(child)
            if tasks:
                gc.unfreeze()


def has_algorithms(task: Task) -> bool:
    """Whether the demo seems to print algorithms; if not so, it loads what they need by itself."""
    with suppress(OSError), open(os.path.join(task.root, task.demo), "rb") as file:
        return b"algorithm" in file.read()
    return False


def warm_up(*, algorithms: bool = True, drawing: bool = True) -> None:
    """Load what demos need before forking; for `drawing`, draw one figure that nobody keeps."""
    cold = "generator.blocks.figure" not in sys.modules
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")  # demos share the cores by running side by side
    import_matplotlib()
    if algorithms:
        import generator.algorithms.preload
    import numpy.random  # noqa: F401 -- every demo gets a generator of random numbers

    import generator.algorithms
    import generator.blocks.filetree
    import generator.blocks.listing
    import generator.blocks.script
    import generator.blocks.table  # noqa: F401
    from generator.blocks.figure import Figure
    from generator.blocks.style import subplots

    if not (cold and drawing):
        return
    from PIL import Image

    Image.preinit()  # the formats in which figures hold images
    figure, axes = subplots()
    axes.plot([0, 1], [0, 1], label="warm")
    axes.set(xlabel="x", ylabel="y")
    Figure(figure, alt="a line that nobody sees, drawn to load the fonts")


def import_matplotlib() -> None:
    """Import what draws figures, but for a fifth of it: the lists of setters in the docstrings of
    `Artist.set`, which no demo reads."""
    if "matplotlib.figure" in sys.modules:
        return
    from matplotlib import artist

    listing = artist.kwdoc
    artist.kwdoc = lambda artist: ""
    gc.disable()  # nothing that an import makes can be thrown away
    try:
        import matplotlib.figure  # noqa: F401
    finally:
        artist.kwdoc = listing
        gc.enable()


def _start(task: Task) -> _Child:
    printed = tempfile.TemporaryFile()  # noqa: SIM115 -- closed when the child ends
    read_end, write_end = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        os.close(read_end)
        _run_child(task, write_end, printed.fileno(), parent)
    os.close(write_end)
    now = time.monotonic()
    return _Child(task, pid, read_end, printed, now, now + task.timeout)


def _not_started(task: Task, error: OSError) -> Outcome:
    message = f"the demo can't be started: {error.strerror or error}"
    return Outcome(problems=(Problem(task.demo, 1, message, "free memory or space", "demo"),))


def _run_child(task: Task, pipe: int, printed: int, parent: int) -> None:
    """Run the task, send its outcome, and leave without the parent's clean-up."""
    code = 1
    try:
        os.setpgid(0, 0)
        die_with(parent)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.dup2(printed, 1)
        os.dup2(printed, 2)
        sys.stdout = _open_text(1)
        sys.stderr = _open_text(2)
        if task.memory:
            limit_memory(task.memory)
        close_others(pipe, printed)
        data = run_task(task.to_text())
        sys.stdout.flush()
        sys.stderr.flush()
        with open(pipe, "wb") as out:
            out.write(data)
        code = 0
    except BaseException:  # the task's own failures are in its outcome: this is ours
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _open_text(number: int) -> IO[str]:
    return open(number, "w", encoding="utf-8", errors="replace", closefd=False)


def close_others(*kept: int) -> None:
    """Let go of what the parent has open: what outlives it must not hold the site's lock.

    The numbers stay taken: a file object that still thinks it owns one would close it over the
    head of whoever got it next.
    """
    null = os.open(os.devnull, os.O_RDWR)
    for number in _open_files():
        if number > 2 and number not in (*kept, null):
            os.dup2(null, number, inheritable=False)


def _open_files() -> list[int]:
    for folder in ("/proc/self/fd", "/dev/fd"):
        with suppress(OSError):
            return [int(name) for name in os.listdir(folder)]
    return list(range(3, 256))


def die_with(parent: int) -> None:
    """Ask Linux to end this child when its parent ends, however that happens."""
    if sys.platform == "linux":
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


def limit_memory(mebibytes: int) -> None:
    """Bound what the child may add to the address space that it starts with."""
    held = 0
    with suppress(OSError), open("/proc/self/statm", encoding="ascii") as file:
        held = int(file.read().split()[0]) * resource.getpagesize()
    bound = held + mebibytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (bound, bound))


def _wait_for_ends(
    selector: selectors.BaseSelector, running: dict[int, _Child]
) -> Iterator[_Child]:
    """Read what the children send; yield those that have ended."""
    if not running:
        return
    patience = min(child.deadline for child in running.values()) - time.monotonic()
    for key, _ in selector.select(max(0.0, patience)):
        child = running[key.fd]
        chunk = os.read(child.pipe, 1 << 20)
        if chunk:
            child.chunks.append(chunk)
            continue
        selector.unregister(child.pipe)
        del running[child.pipe]
        yield child
    now = time.monotonic()
    for child in running.values():
        if now >= child.deadline and not child.timed_out:
            child.timed_out = True
            child.deadline = now + 60
            _kill(child)


def _finish(child: _Child) -> Outcome:
    status = _reap(child)
    child.printed.seek(0)
    printed = child.printed.read().decode("utf-8", "replace")[-_PRINTED:]
    child.printed.close()
    data = b"".join(child.chunks)
    if status == 0 and data:
        return load_outcome(data, printed, time.monotonic() - child.start)
    task = child.task
    if child.timed_out:
        message = f"the demo was stopped after {task.timeout:g} s"
        hint = "make it quicker, or state a longer `timeout:` (seconds) in the front matter"
    elif status < 0:
        message = f"the demo's process died of {_signal_name(-status)}"
        hint = "run it alone: python -m generator run " + task.name
    else:
        message = f"the demo's process ended with status {status} before it gave results"
        hint = "run it alone: python -m generator run " + task.name
    return Outcome(problems=(Problem(task.demo, 1, message, hint, "demo"),), printed=printed)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _kill(child: _Child) -> None:
    for send in (os.killpg, os.kill):
        with suppress(ProcessLookupError, PermissionError):
            send(child.pid, signal.SIGKILL)


def _reap(child: _Child) -> int:
    os.close(child.pipe)
    _, status = os.waitpid(child.pid, 0)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)  # what the demo itself started
    return os.waitstatus_to_exitcode(status)
