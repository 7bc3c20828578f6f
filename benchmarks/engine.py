"""Measure the engine: ratios to `python -c pass`, medians of paired runs on the same machine.

    python benchmarks/engine.py [N …]        (default: 8 1000 10000)

The sites are made of copies of one note whose record was built once: no demo runs to make them.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

REPOSITORY = Path(__file__).parent.parent
sys.path.insert(0, str(REPOSITORY))

from generator.record import dump_record, load_record  # noqa: E402

TEMPLATE = "---\ntitle: Note\ndate: 2026-01-02T03:04:05Z\ndemo: demo\n---\nIt is <%= value %>.\n"
DEMO = "def run(rng):\n    return {'value': 0.125, 'rows': list(range(100))}\n"
PASS = [sys.executable, "-c", "pass"]


def main(counts: list[int]) -> None:
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}; ratios to `python -c pass`")
    with tempfile.TemporaryDirectory() as folder:
        for count in counts:
            site = make_site(Path(folder) / f"site{count}", count)
            measure_site(site, count)
            shutil.rmtree(site)


def make_site(site: Path, count: int) -> Path:
    """A site of `count` notes, all up to date."""
    write(site / "hugo.toml", 'baseURL = "https://example.org/"\ntimeZone = "UTC"\n')
    write(site / "demos/demo.py", DEMO)
    write(site / "templates/notes/n0.md", TEMPLATE)
    run(site, "build", "--quiet")
    record = load_record((site / "data/notes/n0.json").read_text())
    assert record is not None
    page = (site / "content/notes/n0.md").read_text()
    digests = json.loads((site / "data/notes/n0.json").read_text())["outputs"]
    for i in range(1, count):
        write(site / f"templates/notes/n{i}.md", TEMPLATE)
        write(site / f"content/notes/n{i}.md", page.replace("notes/n0.md", f"notes/n{i}.md"))
        write(site / f"data/notes/n{i}.json", record_of(record, i, digests, site))
    run(site, "build", "--quiet")
    return site


def record_of(record, i: int, digests: dict[str, str], site: Path) -> str:  # type: ignore[no-untyped-def]
    """The record that a build of the i-th note would have written."""
    from dataclasses import replace

    from generator.fingerprint import digest_bytes
    from generator.record import Inputs

    template, page = f"templates/notes/n{i}.md", f"content/notes/n{i}.md"
    written = digest_bytes((site / page).read_bytes())
    rendered = Inputs({template: digest_bytes(TEMPLATE.encode())})
    return dump_record(
        replace(record, slug=f"n{i}", template=template, rendered=rendered, outputs={page: written})
    )


def measure_site(site: Path, count: int) -> None:
    turn = 0

    def edit_prose() -> None:
        nonlocal turn
        turn += 1
        write(site / "templates/notes/n0.md", TEMPLATE.replace("It is", f"It was {'x' * turn}"))

    def edit_demo() -> None:
        nonlocal turn
        turn += 1
        write(site / "demos/own.py", DEMO.replace("0.125", f"0.{turn}"))
        own = TEMPLATE.replace("demo: demo", "demo: own")
        if (site / "templates/notes/n0.md").read_text() != own:
            write(site / "templates/notes/n0.md", own)

    repeats = 15 if count <= 1000 else 3
    report(count, "nothing to do", site, ["build"], repeats, lambda: None)
    report(count, "check", site, ["check", "n0"], max(3, repeats // 2), lambda: None)
    report(count, "check all", site, ["list", "--json"], max(3, repeats // 2), lambda: None)
    report(count, "one prose edit", site, ["build"], max(3, repeats // 2), edit_prose)
    report(count, "one demo edit", site, ["build"], max(3, repeats // 2), edit_demo)
    (site / ".generator/index").unlink(missing_ok=True)
    report(count, "without an index", site, ["check", "n0"], 3, lambda: None)


def report(
    count: int,
    what: str,
    site: Path,
    arguments: list[str],
    repeats: int,
    prepare: Callable[[], None],
) -> None:
    """Print the median ratio of a command to `python -c pass`, each run beside one of the other."""
    ratios, seconds, memory = [], [], 0
    for _ in range(repeats):
        prepare()
        took, used = timed(site, [sys.executable, "-m", "generator", *arguments])
        least, _ = timed(site, PASS)
        ratios.append(took / least)
        seconds.append(took)
        memory = max(memory, used)
    print(
        f"{count:6} notes  {what:17} {statistics.median(ratios):7.1f} ×"
        f"  {statistics.median(seconds) * 1000:8.0f} ms  {memory // 1024:5} MB",
        flush=True,
    )


def timed(site: Path, command: list[str]) -> tuple[float, int]:
    """Seconds and peak memory (kB) of a command."""
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    start = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=site, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    took = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    return took, usage.ru_maxrss if sys.platform == "linux" else usage.ru_maxrss // 1024


def run(site: Path, *arguments: str) -> None:
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    subprocess.run([sys.executable, "-m", "generator", *arguments], cwd=site, env=env, check=True)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main([int(word) for word in sys.argv[1:]] or [8, 1000, 10000])
