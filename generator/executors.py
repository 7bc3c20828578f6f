"""Demos on other machines, through any executor with the interface of `concurrent.futures`.

`dask` comes with the package; others are entry points of the group `scidraft_generator.executors`:
a callable that takes the scheduler's address and gives a context manager around an executor.
Machines share the site's folder, at one path; only this one writes to it.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, entry_points, version
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from generator.compute import Outcome, Task, load_outcome
from generator.errors import Problem, UsageError, near_names
from generator.fingerprint import COMPUTING, digest_parts
from generator.remote import run_remote

GROUP = "scidraft_generator.executors"
PATIENCE = 10
"""Seconds to wait for a scheduler, and for its first worker."""
_SCHEMES = ("tcp", "tls", "ws", "wss", "ucx", "ucxx", "inproc")
"""Protocols of Dask's addresses."""

Opener = Callable[[str], AbstractContextManager[Executor]]


@contextmanager
def running_elsewhere(
    name: str, scheduler: str, tasks: Sequence[Task]
) -> Iterator[Iterator[tuple[Task, Outcome]]]:
    """Start the tasks in the named executor; their outcomes come as they end.

    Raises UsageError for an unknown executor or a scheduler that doesn't answer.
    """
    with find_opener(name)(scheduler) as executor:
        futures = {executor.submit(run_remote, task.to_text()): task for task in tasks}
        try:
            yield _outcomes(futures)
        finally:
            for future in futures:
                future.cancel()  # when the caller stops early, nobody waits for the rest


def _outcomes(futures: Mapping[Future[bytes], Task]) -> Iterator[tuple[Task, Outcome]]:
    own, told = digest_parts(COMPUTING), set[str]()
    for future in as_completed(futures):
        yield futures[future], _outcome_of(future, futures[future], own, told)


def _outcome_of(future: Future[bytes], task: Task, own: str, told: set[str]) -> Outcome:
    try:
        reply: dict[str, Any] = json.loads(future.result())
        outcome = load_outcome(reply["outcome"].encode(), reply["printed"], reply["seconds"])
    except Exception as error:  # whatever the executor's own failure is
        message = f"the executor lost this demo: {type(error).__name__}: {error}".split("\n")[0]
        return Outcome(problems=(Problem(task.demo, 0, message, "", "demo"),))
    if reply["sources"] != own:
        message = "the worker has another copy of the generator than this machine"
        problem = Problem(task.demo, 0, message, "install the same version on both", "versions")
        return Outcome(problems=(problem,), printed=outcome.printed)
    return _with_differences(outcome, task, told)


def check_executor(name: str, scheduler: str) -> None:
    """Raise UsageError for what needs no demo to be seen: an unknown executor, or Dask that is not
    installed or has no scheduler."""
    find_opener(name)
    if name == "dask":
        check_dask(scheduler)


def find_opener(name: str) -> Opener:
    """What opens the executor of this name."""
    if name == "dask":
        return open_dask
    found = {point.name: point for point in entry_points(group=GROUP)}
    if name not in found:
        known = ["dask", *found]
        hint = near_names(name, known) or f"there are {', '.join(known)}"
        raise UsageError(Problem("", 0, f"there is no executor `{name}`", hint))
    try:
        opener: Opener = found[name].load()
    except (ImportError, AttributeError) as error:
        message = f"the executor `{name}` ({found[name].value}) can't be loaded: {error}"
        raise UsageError(Problem("", 0, message)) from None
    return opener


def check_dask(scheduler: str) -> None:
    """Raise UsageError where Dask is not installed, or the scheduler's address is missing, no
    address at all, or nobody's."""
    if find_spec("distributed") is None:
        hint = "pip install 'scidraft-generator[dask]'"
        raise UsageError(Problem("", 0, "Dask is not installed", hint))
    if not scheduler:
        hint = "--scheduler tcp://host:8786"
        raise UsageError(Problem("", 0, "`--executor dask` needs the scheduler's address", hint))
    address = urlsplit(scheduler if "://" in scheduler else f"tcp://{scheduler}")
    try:
        if address.scheme not in _SCHEMES:
            raise ValueError(f"{address.scheme}:// is no protocol of Dask's")
        if address.scheme in ("tcp", "tls"):
            socket.create_connection((address.hostname, address.port), PATIENCE).close()
    except (OSError, ValueError) as error:
        raise UsageError(_no_scheduler(scheduler, error)) from None


def _no_scheduler(scheduler: str, error: Exception) -> Problem:
    message = f"no Dask scheduler answers at {scheduler}: {error}"
    hint = "start one with `dask scheduler`, or mend the address: --scheduler tcp://host:8786"
    return Problem("", 0, message.split("\n")[0], hint)


@contextmanager
def open_dask(scheduler: str) -> Iterator[Executor]:
    """An executor over the Dask cluster at `scheduler`; a lost worker's task is run again."""
    check_dask(scheduler)
    from distributed import Client

    try:
        client = Client(scheduler, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(_no_scheduler(scheduler, error)) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except OSError:
            message = f"the Dask cluster at {scheduler} has no worker"
            raise UsageError(Problem("", 0, message, f"dask worker {scheduler}")) from None
        with client.get_executor(pure=False, retries=2) as executor:
            yield executor


def _with_differences(outcome: Outcome, task: Task, told: set[str]) -> Outcome:
    """Versions that differ between here and the worker are reported, each once a build."""
    found: list[Problem] = []
    for name, there in outcome.versions.items():
        here = _version_here(name)
        message = f"the worker has {name} {there}, this machine {here}"
        if here and here != there and message not in told:
            told.add(message)
            found.append(Problem(task.demo, 0, message, "", "versions", "warning"))
    return replace(outcome, problems=(*outcome.problems, *found)) if found else outcome


def _version_here(name: str) -> str:
    if name == "python":
        import platform

        return platform.python_version()
    if name == "generator":
        from generator import __version__

        return __version__
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
