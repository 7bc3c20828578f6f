"""Two Dask workers against one, on demos that only compute and on the notes of the workload.

python -m benchmarks.cluster [--times 3]
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from benchmarks.page import factor, measured_on, seconds, table, write_section
from benchmarks.timing import must
from benchmarks.tools.ours import CONFIG, Generator

WORK = Path("build/benchmarks").resolve()
BUSY = """def run(rng):
    total = 0
    for i in range(12_000_000):
        total += i % 7
    return {"total": total}
"""
NOTE = (
    "---\ntitle: Note {i}\ndate: 2026-01-01T00:00:00Z\ndemo: busy_{i}\n---\nIt is <%= total %>.\n"
)


class Busy(Generator):
    """Eight demos of pure arithmetic, about a second each."""

    def write_site(self) -> None:
        self.write("hugo.toml", CONFIG)
        for i in range(1, self.notes + 1):
            self.write(f"demos/busy_{i}.py", BUSY)
            self.write(f"templates/notes/note-{i}.md", NOTE.format(i=i))


@contextmanager
def cluster(workers: int) -> Iterator[str]:
    """A scheduler and some workers of one thread each; its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    own = ["--host", "127.0.0.1", "--no-dashboard"]
    commands = [["scheduler", "--port", str(port), *own]]
    commands += [["worker", address, "--nthreads", "1", "--no-nanny", *own]] * workers
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            cwd=WORK, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        for words in commands
    ]  # fmt: skip
    try:
        from distributed import Client

        deadline = time.monotonic() + 60
        while True:
            try:
                with Client(address, timeout="5s", set_as_default=False) as client:
                    client.wait_for_workers(workers, timeout=30)
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
        yield address
    finally:
        for process in processes:
            process.kill()
            process.wait()


def measure(tool: Generator, address: str) -> float:
    """Seconds of a cold build, on the cluster or (without an address) here."""
    tool.clear()
    where = ["--executor", "dask", "--scheduler", address] if address else ["-j", "2"]
    command = [sys.executable, "-m", "generator", "build", "-q", *where]
    return must(command, tool.folder, {**os.environ, "PYTHONPATH": str(Path.cwd())}).seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.cluster")
    parser.add_argument("--times", type=int, default=3)
    times = parser.parse_args().times
    WORK.mkdir(parents=True, exist_ok=True)
    lines = []
    for name, tool in (
        ("8 demos that only compute", Busy(WORK / "busy", 8)),
        ("the 8 notes with figures", Generator(WORK / "drawn", 8)),
    ):
        tool.prepare()
        with cluster(1) as one:
            alone = median(measure(tool, one) for _ in range(times))
        with cluster(2) as two:
            both = median(measure(tool, two) for _ in range(times))
        here = median(measure(tool, "") for _ in range(times))
        lines.append([name, *map(seconds, (alone, both)), factor(alone / both), seconds(here)])
        print(lines[-1], flush=True)
    head = ["work", "one worker", "two workers", "gain", "`-j 2`, no cluster"]
    intro = measured_on() + " Cold builds, in seconds, on Dask workers of one thread each."
    write_section("cluster", "\n\n".join(["## On a cluster", intro, table(head, lines)]))


if __name__ == "__main__":
    main()
