"""Demos on other machines, through any executor with the interface of `concurrent.futures`.

`dask` comes with the package; others are entry points of the group `scidraft_generator.executors`:
a callable that takes the scheduler's address and gives a context manager around an executor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, as_completed
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, entry_points, version

from generator.compute import Outcome, Task, load_outcome
from generator.errors import Problem, UsageError, near_names
from generator.remote import run_remote

GROUP = "scidraft_generator.executors"
Opener = Callable[[str], AbstractContextManager[Executor]]


def run_elsewhere(
    name: str, scheduler: str, tasks: Sequence[Task]
) -> Iterator[tuple[Task, Outcome]]:
    """Run the tasks in the named executor, and yield outcomes as they come.

    Raises UsageError for an unknown executor or a scheduler that doesn't answer.
    """
    with find_opener(name)(scheduler) as executor:
        futures = {executor.submit(run_remote, task.to_text()): task for task in tasks}
        told: set[str] = set()
        for future in as_completed(futures):
            task = futures[future]
            try:
                outcome = load_outcome(future.result())
            except Exception as error:  # whatever the executor's own failure is
                message = f"the executor lost this demo: {type(error).__name__}: {error}"
                outcome = Outcome(problems=(Problem(task.demo, 0, message, "", "demo"),))
            yield task, _with_differences(outcome, task, told)


def find_opener(name: str) -> Opener:
    """What opens the executor of this name."""
    if name == "dask":
        return open_dask
    found = {point.name: point for point in entry_points(group=GROUP)}
    if name not in found:
        known = ["dask", *found]
        hint = near_names(name, known) or f"there are {', '.join(known)}"
        raise UsageError(Problem("", 0, f"there is no executor `{name}`", hint))
    opener: Opener = found[name].load()
    return opener


@contextmanager
def open_dask(scheduler: str) -> Iterator[Executor]:
    """An executor over the Dask cluster at `scheduler`; a lost worker's task is run again."""
    try:
        from distributed import Client
    except ImportError:
        hint = "pip install 'scidraft-generator[dask]'"
        raise UsageError(Problem("", 0, "Dask is not installed", hint)) from None
    if not scheduler:
        hint = "--scheduler tcp://host:8786"
        raise UsageError(Problem("", 0, "`--executor dask` needs the scheduler's address", hint))
    try:
        client = Client(  # type: ignore[no-untyped-call]
            scheduler, timeout="10s", set_as_default=False
        )
    except (OSError, ValueError) as error:
        message = f"no Dask scheduler answers at {scheduler}: {error}"
        raise UsageError(Problem("", 0, message.split("\n")[0])) from None
    with client, client.get_executor(pure=False, retries=2) as executor:  # type: ignore[no-untyped-call]
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
