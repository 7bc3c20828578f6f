"""The generator on 8, 50, 1,000 and 10,000 notes, against a bare interpreter.

    python -m benchmarks.scale [--notes 8 50 1000] [--times 5]

Up to 100 notes are those of `benchmarks.peers`, built from nothing. More are copies of one note
whose record was built once, so that no demo has to run to make them.
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median

from benchmarks.page import factor, measured_on, seconds, table, write_section
from benchmarks.timing import Run, bare, must
from benchmarks.tools.base import HOME
from benchmarks.tools.ours import CONFIG, Generator
from generator.fingerprint import digest_bytes
from generator.record import Inputs, dump_record, load_record

WORK = Path("build/benchmarks").resolve()
RESULTS = WORK / "scale.json"
DEMO = '''"""A small sum, so that the generator is what is measured."""

from pathlib import Path

from generator import Table


def run(rng):
    scale = float(Path("data-in/scale.txt").read_text())
    rows = [(i, float(rng.normal())) for i in range(5)]
    return {"total": scale * 0.125, "rows": Table(rows, columns=["Row", "Draw"])}
'''
NOTE = """---
title: Note
description: "A sum."
date: 2026-01-01T00:00:00Z
tags: [Test]
demo: sums
---
Edition 0. The total is <%= total %>, see [the first note](/notes/note-1/).

<%= rows %>
"""
COLUMNS = ("cold", "noop", "check", "prose", "warm", "demo", "data", "clone")


def write_copies(tool: Generator) -> None:
    """Notes that are all up to date: the first on its own, the others with a demo in common."""
    shutil.rmtree(tool.folder, ignore_errors=True)
    tool.folder.mkdir(parents=True)
    tool.write("hugo.toml", CONFIG)
    tool.write("data-in/scale.txt", "1\n")
    tool.write("data-in/one.txt", "1\n")
    tool.write("demos/sums.py", DEMO)
    tool.write("demos/alone.py", DEMO.replace("scale.txt", "one.txt"))
    tool.write(tool.source.format(i=1), NOTE.replace("demo: sums", "demo: alone"))
    tool.write(tool.source.format(i=2), NOTE)
    must(tool.command(), tool.folder, tool.environment)
    page = (tool.folder / "content/notes/note-2.md").read_text()
    record = load_record((tool.folder / "data/notes/note-2.json").read_text())
    assert record is not None
    for i in range(3, tool.notes + 1):
        template, written = tool.source.format(i=i), f"content/notes/note-{i}.md"
        text = page.replace(tool.source.format(i=2), template)
        own = replace(
            record,
            slug=f"note-{i}",
            template=template,
            rendered=Inputs({template: digest_bytes(NOTE.encode())}),
            outputs={written: digest_bytes(text.encode())},
        )
        tool.write(template, NOTE)
        tool.write(written, text)
        tool.write(f"data/notes/note-{i}.json", dump_record(own))
    must(tool.command(), tool.folder, tool.environment)


def measure(notes: int, times: int) -> dict[str, float]:
    """Medians of each cost, in seconds, and the largest memory in MiB."""
    tool = Generator(WORK / "scale" / str(notes), notes)
    large = notes > 100
    if large:
        write_copies(tool)
    else:
        tool.prepare()
    memory: dict[str, float] = {}
    found: dict[str, list[float]] = {}

    def take(name: str, action: Callable[[], Run]) -> None:
        done = action()
        if done.code:
            raise SystemExit(f"{name} with {notes} notes ended with {done.code}:\n{done.output}")
        found.setdefault(name, []).append(done.seconds)
        memory[name] = max(memory.get(name, 0), done.mebibytes)

    def command(*words: str) -> Callable[[], Run]:
        return lambda: must([tool.python, "-m", "generator", *words], tool.folder, tool.environment)

    build = command("build", "-q", "-j", "2")
    for number in range(1, times + 1):
        for _ in range(3):
            take("bare", lambda: must([tool.python, "-c", "pass"], tool.folder, tool.environment))
        if not large:
            tool.clear()
            take("cold", build)
        for _ in range(3):
            take("noop", build)
        take("check", command("check"))
        tool.edit(number)
        take("prose", build)
        if large:
            path = tool.folder / "demos/alone.py"
            path.write_text(DEMO.replace("scale.txt", "one.txt") + f"# {number}\n")
        else:
            tool.edit_demo(number)
        take("demo", build)
        if large:
            (tool.folder / "data-in/one.txt").write_text(f"{number + 1}\n")
        else:
            (tool.folder / "scale.csv").write_text(f"{number + 1}\n")
        take("data", build)
        shutil.rmtree(tool.folder / ".generator")
        take("clone", build)
        take("noop", build)
    medians = {name: median(values) for name, values in found.items()}
    medians["warm"] = warm_edit(tool)
    medians["work"] = 0.0 if large else work_of_demos(tool)
    return medians | {f"{name} MiB": value for name, value in memory.items()}


WARM = """
import json, re, sys, time
from pathlib import Path
from generator.build import Options, build_site
from generator.settings import load_settings
from generator.workers import warm_up
settings, path = load_settings(Path.cwd()), Path(sys.argv[1])
build_site(settings, Options())
warm_up()
spent = []
for number in range(12):
    path.write_text(re.sub(r"Edition \\d+", f"Edition {number + 7000}", path.read_text()))
    start = time.perf_counter()
    report = build_site(settings, Options(slugs=("note-1",)))
    spent.append(time.perf_counter() - start)
    assert not report.failed and report.notes[0].status == "built"
print(json.dumps(sorted(spent[2:])))
"""


def warm_edit(tool: Generator) -> float:
    """Seconds of one prose edit in a process that has built before, as under `serve`."""
    words = [tool.python, "-c", WARM, tool.source.format(i=1)]
    done = must(words, tool.folder, tool.environment)
    return float(median(json.loads(done.output.strip().splitlines()[-1])))


WORKER = """
import json, sys, time
start = time.perf_counter()
import numpy
import matplotlib.figure, matplotlib.backends.backend_svg
loaded = time.perf_counter() - start
sys.path.insert(0, ".")
from importlib import util
spent = 0.0
for i in range(1, int(sys.argv[1]) + 1):
    spec = util.spec_from_file_location(f"note_{i}", f"demos/note_{i}.py")
    module = util.module_from_spec(spec)
    start = time.perf_counter()
    spec.loader.exec_module(module)
    module.run(numpy.random.default_rng(1))
    spent += time.perf_counter() - start
print(json.dumps([loaded, spent]))
"""


def work_of_demos(tool: Generator) -> float:
    """The limit: the demos' own work, drawing included, on two cores, and one import."""
    rows = []
    for _ in range(3):
        done = must([tool.python, "-c", WORKER, str(tool.notes)], tool.folder, tool.environment)
        rows.append(json.loads(done.output.strip().splitlines()[-1]))
    loaded, spent = (median(row[i] for row in rows) for i in (0, 1))
    return loaded + spent / 2


def imports() -> list[tuple[str, float]]:
    """What a start costs: multiples of the bare interpreter."""
    python = str(HOME / "generator/bin/python")
    unit = bare(python, WORK)
    parts = ("json", "argparse", "jinja2", "markdown_it", "yaml", "numpy", "matplotlib.figure")
    times = [
        (name, median(must([python, "-c", f"import {name}"], WORK).seconds for _ in range(5)))
        for name in parts
    ]
    return [("pass", 1.0), *((name, spent / unit) for name, spent in times)]


def section(results: dict[str, dict[str, float]], costs: list[tuple[str, float]]) -> str:
    """The tables on scale and on start-up."""
    titles = ["notes", "cold", "nothing to do", "`check`", "prose", "in `serve`", "demo", "data"]
    titles += ["no index"]
    lines, ratios, memory = [], [], []
    for notes, row in sorted(results.items(), key=lambda item: int(item[0])):
        lines.append([f"{int(notes):,}", *(seconds(row.get(name)) for name in COLUMNS)])
        bare = row["bare"]
        shown = (factor(row[name] / bare) if name in row else "–" for name in COLUMNS)
        ratios.append([f"{int(notes):,}", *shown])
        used = (f"{row[f'{name} MiB']:.0f}" if f"{name} MiB" in row else "–" for name in COLUMNS)
        memory.append([f"{int(notes):,}", *used])
    limits = [
        f"{int(notes):,} notes: {seconds(row['work'])} s for the demos' own work on two cores, "
        f"drawing included, and one import of numpy and matplotlib; the cold build takes "
        f"{row['cold'] / row['work']:.2f} times that."
        for notes, row in sorted(results.items(), key=lambda item: int(item[0]))
        if row["work"]
    ]
    intro = (
        measured_on() + " Up to 100 notes are those above; more are copies of one note, with the "
        "records that builds would have left. `prose` edits one template, *in `serve`* does so in a process "
        "that has built before, `demo` edits one note's code, "
        "`data` a file that all notes read (beyond 100: that one reads); `no index` is the first "
        "build of a fresh clone, where nothing changed."
    )
    start = ", ".join(f"`{name}` {factor(ratio)}" for name, ratio in costs)
    parts = [
        "## Scale",
        intro,
        "### Seconds",
        table(titles, lines),
        "### Multiples of `python -c pass`",
    ]
    parts += [table(titles, ratios), "### Peak memory, MiB", table(titles, memory)]
    return "\n\n".join([*parts, "### Limits", *limits, f"Start-up with one import: {start}."])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.scale")
    parser.add_argument("--notes", type=int, nargs="*", default=[8, 50, 1000])
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    if not (HOME / "generator/bin/python").exists():
        Generator(WORK, 0).install()
    WORK.mkdir(parents=True, exist_ok=True)
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for notes in options.notes:
        start = time.monotonic()
        results[str(notes)] = measure(notes, options.times)
        print(notes, f"{time.monotonic() - start:.0f} s", results[str(notes)], flush=True)
        RESULTS.write_text(json.dumps(results, indent=1))
        shutil.rmtree(WORK / "scale" / str(notes))
    write_section("scale", section(results, imports()))


if __name__ == "__main__":
    main()
