"""Any executor with the interface of `concurrent.futures` can be plugged in."""

from __future__ import annotations

import sys
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from generator import executors
from generator.compute import Task
from generator.errors import UsageError
from tests.conftest import Site

PLUGIN = """
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

used = []

@contextmanager
def open_threads(address):
    with ThreadPoolExecutor(2) as pool:
        used.append(address)
        yield pool
"""
POINTS = """[scidraft_generator.executors]
threads = fake_plugin:open_threads
broken = fake_plugin_that_is_gone:open_it
"""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed distribution with an entry point."""
    home = tmp_path / "installed"
    folder = home / "fake_plugin-1.0.dist-info"
    folder.mkdir(parents=True)
    (home / "fake_plugin.py").write_text(PLUGIN)
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: fake-plugin\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(str(home))


def test_an_entry_points_executor_runs_the_demos(site: Site, plugin: None) -> None:
    site.demo("sums", "return {'total': 0.125}")
    site.note("sums", "The total is <%= total %>.", demo="sums")
    from generator.cli import main

    arguments = ["build", "--site", str(site.root), "--executor", "threads"]
    assert main([*arguments, "--scheduler", "here"]) == 0
    import fake_plugin  # type: ignore[import-not-found]

    assert fake_plugin.used == ["here"]
    assert "The total is 0.125." in site.read("content/notes/sums.md")


def test_an_entry_point_that_cannot_be_loaded_is_told(plugin: None) -> None:
    with pytest.raises(UsageError, match=r"`broken` .* can't be loaded"):
        executors.find_opener("broken")


def test_an_unknown_executor_is_told_with_those_that_there_are(plugin: None) -> None:
    with pytest.raises(UsageError, match="there are dask, threads, broken"):
        executors.find_opener("slurm")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--executor", "slurm"], "there is no executor `slurm`"),
        (["--executor", "broken"], "can't be loaded"),
        (["--executor", "dask"], "needs the scheduler's address"),
        (["--executor", "dask", "--scheduler", "ftp://here:1"], "no protocol of Dask's"),
        (["--executor", "dask", "--scheduler", "localhost:port"], "no Dask scheduler answers"),
        (["--executor", "dask", "--scheduler", "tcp://localhost:9"], "no Dask scheduler answers"),
        (["--executor", "absent"], "Dask is not installed"),
        (["--scheduler", "tcp://localhost:9"], "add --executor"),
    ],
)
@pytest.mark.parametrize("state", ["stale", "prose", "fresh"])
def test_an_executor_that_cannot_work_is_told_before_anything_is_built(
    site: Site,
    plugin: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    message: str,
    state: str,
) -> None:
    from generator.cli import main

    site.note("prose", "Words only.")
    if state != "prose":
        site.demo("sums", "return {'total': 0.125}")
        site.note("sums", "The total is <%= total %>.", demo="sums")
    if state == "fresh":
        assert main(["build", "--site", str(site.root), "--quiet"]) == 0
    before = site.files(".")
    if "absent" in options:
        monkeypatch.setitem(sys.modules, "distributed", None)
        options = ["--executor", "dask", "--scheduler", "tcp://localhost:9"]
    capsys.readouterr()
    assert main(["build", "--site", str(site.root), *options]) == 2
    told = capsys.readouterr()
    assert message in told.err
    assert told.out == ""
    assert site.files(".") == before


class Lossy(ThreadPoolExecutor):
    """Loses every task, or lets a stranger answer it."""

    def __init__(self, reply: bytes | Exception) -> None:
        super().__init__(1)
        self.reply = reply

    def submit(self, *_: object, **__: object) -> Future[object]:  # type: ignore[override]
        future: Future[object] = Future()
        if isinstance(self.reply, Exception):
            future.set_exception(self.reply)
        else:
            future.set_result(self.reply)
        return future


def run(executor: Executor, monkeypatch: pytest.MonkeyPatch, site: Site) -> tuple[str, ...]:
    monkeypatch.setattr(executors, "find_opener", lambda name: lambda address: executor)
    task = Task(str(site.root), "demos", "demos/sums.py")
    with executors.running_elsewhere("any", "", [task]) as outcomes:
        ((_, outcome),) = outcomes
    return tuple(problem.message for problem in outcome.problems)


def test_a_task_that_the_executor_loses_is_that_demos_failure(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = run(Lossy(RuntimeError("the cloud is gone")), monkeypatch, site)
    assert told == ("the executor lost this demo: RuntimeError: the cloud is gone",)
    assert "the executor lost this demo" in run(Lossy(b"{"), monkeypatch, site)[0]


def test_versions_that_differ_are_told_and_another_generator_is_refused(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    import json

    from generator.remote import run_remote

    site.demo("sums", "import numpy\nreturn {'total': 0.125}")
    task = Task(str(site.root), "demos", "demos/sums.py")
    reply = json.loads(run_remote(task.to_text()))
    outcome = json.loads(reply["outcome"])
    outcome["versions"]["numpy"] = "1.0"
    old = {**reply, "outcome": json.dumps(outcome)}
    (told,) = run(Lossy(json.dumps(old).encode()), monkeypatch, site)
    assert told.startswith("the worker has numpy 1.0, this machine ")
    other = {**reply, "sources": "0"}
    (told,) = run(Lossy(json.dumps(other).encode()), monkeypatch, site)
    assert told == "the worker has another copy of the generator than this machine"


def test_a_demo_that_dies_or_eats_memory_there_fails_alone(site: Site) -> None:
    import json

    from generator.compute import load_outcome
    from generator.remote import run_remote

    site.demo("dies", "import os\nprint('before')\nos._exit(3)")
    site.demo("eats", "import numpy\nreturn {'total': numpy.ones(2**27).sum()}")
    for demo, memory, message in [
        ("dies", 0, "the demo's process ended with 3 before it gave results"),
        ("eats", 300, "the demo took more than 300 MiB"),
    ]:
        task = Task(str(site.root), "demos", f"demos/{demo}.py", memory=memory)
        reply = json.loads(run_remote(task.to_text()))
        outcome = load_outcome(reply["outcome"].encode(), reply["printed"])
        assert [problem.message for problem in outcome.problems] == [message]
        assert outcome.printed.strip() == ("before" if demo == "dies" else "")
