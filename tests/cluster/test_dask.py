"""Demos on a real multi-process Dask cluster give what they give here."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.cli import main
from generator.compute import Task
from generator.executors import running_elsewhere

if not os.environ.get("CI"):
    pytest.importorskip("distributed", reason="Dask is an optional extra")

HUGO = 'title = "t"\n'
DEMO = """
import time
from pathlib import Path

import numpy as np

from generator import Figure, subplots


def run(rng, *, wait=0.0, part=0):
    Path("{marks}", f"{{part}}-{{time.monotonic_ns()}}").touch()
    time.sleep(wait)
    table = np.loadtxt("data/values.csv")
    fig, ax = subplots()
    ax.plot(table)
    ax.set(xlabel="row", ylabel="value")
    return {{
        "total": table.sum() + part,
        "draw": rng.normal(),
        "figure": Figure(fig, alt="The values rise by row to row"),
    }}
"""
NOTE = """---
title: Part {part}
date: 2026-01-01T00:00:00+00:00
demo: sum
seed: 3
params: {{part: {part}, wait: {wait}}}
---
The total is <%= total %>, a draw <%= draw %>.

<%= figure %>
"""


def make_site(root: Path, marks: Path, notes: int, wait: float) -> Path:
    for folder in ("demos", "data", "templates/notes"):
        (root / folder).mkdir(parents=True)
    marks.mkdir(exist_ok=True)
    (root / "hugo.toml").write_text(HUGO)
    (root / "data/values.csv").write_text("1\n2\n3\n")
    (root / "demos/sum.py").write_text(DEMO.format(marks=marks))
    for part in range(notes):
        note = NOTE.format(part=part, wait=wait)
        (root / f"templates/notes/part-{part}.md").write_text(note)
    return root


def outputs(root: Path) -> dict[str, bytes]:
    folders = ("content", "static", "data/notes")
    files = [path for folder in folders for path in (root / folder).rglob("*") if path.is_file()]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(files)}


class Cluster:
    """A scheduler and two workers, each a process of its own."""

    def __init__(self, folder: Path, workers: int = 2) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{probe.getsockname()[1]}"
        port = self.address.rsplit(":", 1)[1]
        self.folder = folder
        options = ["--host", "127.0.0.1", "--port", port, "--no-dashboard"]
        self.scheduler = self._start("scheduler", *options)
        self.workers = [self.start_worker() for _ in range(workers)]

    def start_worker(self) -> subprocess.Popen[bytes]:
        options = ["--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1", "--no-nanny"]
        return self._start("worker", self.address, *options)

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        log = (self.folder / "dask.log").open("ab")
        command = [sys.executable, "-m", "dask", *words]
        return subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log)

    def wait_for_scheduler(self) -> None:
        host, port = self.address.removeprefix("tcp://").rsplit(":", 1)
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection((host, int(port)), timeout=5).close()
                return
            except OSError:
                assert time.monotonic() < deadline, (self.folder / "dask.log").read_text()
                time.sleep(0.1)

    def stop(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    started = Cluster(tmp_path_factory.mktemp("dask"))
    from distributed import Client

    deadline = time.monotonic() + 60
    while True:
        try:
            with Client(started.address, timeout="5s", set_as_default=False) as client:
                client.wait_for_workers(2, timeout=30)
            break
        except OSError:
            assert time.monotonic() < deadline, (started.folder / "dask.log").read_text()
    yield started
    started.stop()


def build(site: Path, *options: str) -> int:
    return main(["build", "--site", str(site), "--quiet", *options])


def on(cluster: Cluster) -> tuple[str, ...]:
    return ("--executor", "dask", "--scheduler", cluster.address)


def test_a_cluster_gives_the_same_bytes(tmp_path: Path, cluster: Cluster) -> None:
    here = make_site(tmp_path / "here", tmp_path / "marks", 2, 0)
    command = [sys.executable, "-m", "generator", "build", "--site", str(here), "--quiet"]
    subprocess.run(command, check=True)  # not here: pytest's modules would be among the inputs
    local = outputs(here)
    for path in ("content", "static", "data/notes", ".generator"):
        shutil.rmtree(here / path)
    assert build(here, *on(cluster)) == 0
    assert outputs(here) == local
    (here / "data/values.csv").write_text("1\n2\n4\n")  # observed on the worker
    assert build(here, *on(cluster)) == 0
    assert "The total is 7" in (here / "content/notes/part-0.md").read_text()


def test_what_a_demo_prints_there_is_told_here(
    tmp_path: Path, cluster: Cluster, capsys: pytest.CaptureFixture[str]
) -> None:
    site = make_site(tmp_path / "site", tmp_path / "marks", 1, 0)
    demo = site / "demos/sum.py"
    demo.write_text(
        demo.read_text().replace("    time.sleep", "    print('so far')\n    time.sleep")
    )
    assert main(["build", "--site", str(site), "--verbose", *on(cluster)]) == 0
    assert "so far" in capsys.readouterr().out


def test_a_lost_workers_demo_is_run_again(tmp_path: Path, cluster: Cluster) -> None:
    marks = tmp_path / "marks"
    site = make_site(tmp_path / "site", marks, 2, 4.0)
    command = [sys.executable, "-m", "generator", "build", "--site", str(site), "--quiet"]
    running = subprocess.Popen([*command, "--executor", "dask", "--scheduler", cluster.address])
    deadline = time.monotonic() + 60
    while len(list(marks.iterdir())) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    lost = cluster.workers.pop()
    lost.send_signal(signal.SIGKILL)
    lost.wait()
    cluster.workers.append(cluster.start_worker())
    assert running.wait(timeout=120) == 0
    assert len(list(marks.iterdir())) >= 3
    assert (site / "content/notes/part-0.md").is_file()
    assert (site / "content/notes/part-1.md").is_file()


def test_a_demo_that_fails_or_hangs_fails_alone(
    tmp_path: Path, cluster: Cluster, capsys: pytest.CaptureFixture[str]
) -> None:
    site = make_site(tmp_path / "site", tmp_path / "marks", 1, 0)
    (site / "demos/bad.py").write_text("def run(rng):\n    raise ValueError('no')\n")
    (site / "demos/slow.py").write_text("def run(rng):\n    while True: pass\n")
    head = "---\ntitle: B\ndate: 2026-01-01T00:00:00+00:00\n"
    (site / "templates/notes/bad.md").write_text(head + "demo: bad\n---\n<%= x %>\n")
    slow = head + "demo: slow\ntimeout: 4\n---\n<%= x %>\n"
    (site / "templates/notes/slow.md").write_text(slow)
    assert build(site, *on(cluster)) == 1
    told = capsys.readouterr().err
    assert "demos/bad.py:2: ValueError: no" in told
    assert "stopped after 4 s" in told
    assert (site / "content/notes/part-0.md").is_file()


def test_a_site_that_a_worker_does_not_see_is_told(tmp_path: Path, cluster: Cluster) -> None:
    site = make_site(tmp_path / "site", tmp_path / "marks", 1, 0)
    (site / "demos/sum.py").rename(site / "demos/other.py")
    task = Task(str(site), "demos", "demos/sum.py")
    with running_elsewhere("dask", cluster.address, [task]) as outcomes:
        ((_, outcome),) = outcomes
    assert "has no file demos/sum.py in" in outcome.problems[0].message


def test_a_cluster_without_workers_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = make_site(tmp_path / "site", tmp_path / "marks", 1, 0)
    empty = Cluster(tmp_path, workers=0)
    empty.wait_for_scheduler()
    monkeypatch.setattr("generator.executors.PATIENCE", 3)
    try:
        assert build(site, *on(empty)) == 2
    finally:
        empty.stop()
    assert "has no worker" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--executor", "dusk"], "did you mean `dask`?"),
        (["--executor", "dask"], "needs the scheduler's address"),
        (["--executor", "dask", "--scheduler", "nonsense://x"], "no Dask scheduler answers"),
        (["--executor", "dask", "--scheduler", "localhost:port"], "no Dask scheduler answers"),
    ],
)
def test_misuse_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    site = make_site(tmp_path / "site", tmp_path / "marks", 1, 0)
    assert build(site, *options) == 2
    assert message in capsys.readouterr().err
