"""The generator beside the tools that one would take instead, on the same notes.

    python -m benchmarks.peers [--install] [--notes 8] [--times 3] [--only NAME…] [--probes]

`--install` puts each tool into an environment of its own under `build/peers/`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from benchmarks.page import factor, measured_on, seconds, table, write_section
from benchmarks.timing import Run, bare
from benchmarks.tools.base import HOME, Tool
from benchmarks.tools.notebooks import Jupytext, Myst, SphinxGallery
from benchmarks.tools.others import Knitr, Observable
from benchmarks.tools.ours import Generator, Published
from benchmarks.tools.scripts import Cog, Make, MarkdownExec

PEERS: tuple[type[Tool], ...] = (
    Knitr, SphinxGallery, Cog, MarkdownExec, Observable, Myst, Jupytext, Make,
)  # fmt: skip
WORK = Path("build/benchmarks").resolve()
RESULTS = WORK / "peers.json"


@dataclass(frozen=True, slots=True)
class Times:
    """Medians of one tool with so many notes; the generator's were taken in turn with them."""

    tool: str
    version: str
    notes: int
    cold: float
    noop: float
    edit: float
    mebibytes: float
    ours_cold: float
    ours_noop: float
    ours_edit: float
    """The generator with Hugo behind it where the tool makes pages."""
    runs: int


def measure(kind: type[Tool], notes: int, times: int) -> Times:
    """Cold, no-op and one edit of a tool and of the generator, in turn."""
    theirs = kind(WORK / kind.name / str(notes), notes)
    ours = Generator(WORK / "ours" / str(notes), notes)
    if kind in (SphinxGallery, MarkdownExec, Observable):
        ours = Published(WORK / "ours" / str(notes), notes)
    for tool in (theirs, ours):
        tool.prepare()
        _whole(tool)  # caches of fonts and bytecode are warm
    found: dict[str, list[float]] = {}
    memory: list[float] = []

    def take(name: str, run: Run) -> None:
        found.setdefault(name, []).append(run.seconds)

    for number in range(1, times + 1):
        for name, tool in (("ours_", ours), ("", theirs)):
            tool.clear()
            done = _whole(tool)
            take(name + "cold", done)
            memory += [done.mebibytes] if tool is theirs else []
        for name, tool in (("ours_", ours), ("", theirs)):
            for _ in range(2):
                take(name + "noop", _whole(tool))
        for name, tool in (("ours_", ours), ("", theirs)):
            tool.edit(number)
            take(name + "edit", _whole(tool))
    medians = {name: median(values) for name, values in found.items()}
    return Times(theirs.name, theirs.version(), notes, mebibytes=max(memory), runs=times, **medians)


def _whole(tool: Tool) -> Run:
    done = tool.build()
    if done.code:
        raise SystemExit(f"{tool.name} ended with {done.code}:\n{done.output}")
    return done


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Whether a tool's pages can be trusted."""

    tool: str
    helper: str
    data: str
    included: str
    identical: str
    edited: str
    torn: str


def probe(kind: type[Tool]) -> Verdicts:
    """Try what should be noticed, kept and mended."""
    tool = kind(WORK / kind.name / "probe", 2)
    changes = {
        name: _is_fresh(tool, name) for name in ("change_helper", "change_data", "change_included")
    }
    return Verdicts(
        kind.name,
        *changes.values(),
        _are_identical(tool),
        _after_hand_edit(tool),
        _after_tear(tool),
    )


def _start(tool: Tool) -> None:
    tool.prepare()
    _whole(tool)


def _is_fresh(tool: Tool, change: str) -> str:
    _start(tool)
    expected = getattr(tool, change)()
    if tool.build().code:
        return "fails"
    return "fresh" if tool.shows(expected) else "stale"


def _are_identical(tool: Tool) -> str:
    _start(tool)
    first = tool.published()
    tool.clear()
    _whole(tool)
    second = tool.published()
    differing = sorted(path for path in {*first, *second} if first.get(path) != second.get(path))
    if not differing:
        return "yes"
    kinds = sorted({Path(path).suffix or Path(path).name for path in differing})
    return "no: " + ", ".join(f"`{kind}`" for kind in kinds[:3])


def _after_hand_edit(tool: Tool) -> str:
    _start(tool)
    mark = "Edited by hand."
    page = tool.find_page()
    always = tool.in_place or page.name in tool.build().output
    page.write_text(page.read_text() + mark)
    first = tool.build()
    kept = page.exists() and mark in page.read_text()
    said = page.name in first.output and not always
    if tool.in_place:
        return "kept outside the markers" if kept else "overwritten, unsaid"
    if kept and not said:
        tool.edit(1)
        second = tool.build()
        kept_then = page.exists() and mark in page.read_text()
        said = page.name in second.output and not always
        if not kept_then:
            return "lost at the next source edit" + (", said" if said else ", unsaid")
    return ("kept" if kept else "overwritten") + (", said" if said else ", unsaid")


def _after_tear(tool: Tool) -> str:
    if tool.in_place:
        return "–"
    _start(tool)
    page = tool.find_page()
    whole = page.read_bytes()
    page.write_bytes(whole[: len(whole) // 2])
    done = tool.build()
    if page.exists() and page.read_bytes() == whole:
        return "made again"
    if done.code:
        return "told" if page.name in done.output else "fails"
    return "left as it is" if page.exists() else "gone"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.peers")
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--notes", type=int, nargs="*", default=[8])
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--probes", action="store_true", help="correctness, not speed")
    options = parser.parse_args()
    chosen = [kind for kind in PEERS if not options.only or kind.name in options.only]
    HOME.mkdir(parents=True, exist_ok=True)
    if options.install:
        for kind in (Generator, *chosen):
            kind(WORK, 0).install()
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for kind in chosen if not options.probes else (Generator, *chosen):
        if not kind(WORK, 0).available:
            print(f"{kind.name}: not installed", file=sys.stderr)
            continue
        if options.probes:
            verdicts = probe(kind)
            print(verdicts)
            results.setdefault("probes", {})[kind.name] = asdict(verdicts)
        else:
            for notes in options.notes:
                times = measure(kind, notes, options.times)
                print(times)
                results.setdefault("times", {})[f"{kind.name} {notes}"] = asdict(times)
        save(results)
    shutil.rmtree(WORK / "ours", ignore_errors=True)


def save(results: dict[str, dict[str, dict[str, object]]]) -> None:
    """Keep what was measured, and write the page's sections."""
    WORK.mkdir(parents=True, exist_ok=True)
    results.setdefault("times", {})
    results.setdefault("probes", {})
    if Path(Generator(WORK, 0).python).exists():
        results["bare"] = {"": {"seconds": bare(Generator(WORK, 0).python, WORK)}}
    RESULTS.write_text(json.dumps(results, indent=1))
    if results["times"]:
        write_section("peers", peers_section([Times(**t) for t in results["times"].values()]))  # type: ignore[arg-type]
    if results["probes"]:
        verdicts = [Verdicts(**v) for v in results["probes"].values()]  # type: ignore[arg-type]
        write_section("correctness", correctness_section(verdicts))


def peers_section(rows: list[Times]) -> str:
    """The table of speeds: seconds, and how many times the generator's."""
    parts = [
        "## Beside other tools",
        measured_on() + " N notes: attention on 64 × 64 matrices with a seed of its own, one SVG "
        "figure of two panels, a table of five rows, two numbers in the prose, one equation. An "
        "edit changes one note's text. In brackets: how many times what the generator took, "
        "measured in turn with it (with Hugo where the other tool makes pages); medians.",
    ]
    for notes in sorted({row.notes for row in rows}):
        these = [row for row in rows if row.notes == notes]
        lines = [
            [
                f"{row.tool} ({row.version})"
                if row.tool not in row.version.lower()
                else row.version,
                *(
                    f"{seconds(theirs)} ({factor(theirs / own)})"
                    for theirs, own in (
                        (row.cold, row.ours_cold),
                        (row.noop, row.ours_noop),
                        (row.edit, row.ours_edit),
                    )
                ),
                f"{row.mebibytes:.0f}",
                str(row.runs),
            ]
            for row in sorted(these, key=lambda row: row.cold)
        ]
        alone = [
            row
            for row in these
            if row.tool not in ("sphinx-gallery", "markdown-exec", "observable")
        ]
        paged = [row for row in these if row not in alone]
        for name, group in (("**generator**", alone), ("**generator, then Hugo**", paged)):
            if group:
                own = [
                    median(getattr(row, f"ours_{what}") for row in group)
                    for what in ("cold", "noop", "edit")
                ]
                lines.insert(0, [name, *map(seconds, own), "", ""])
        head = ["tool", "cold", "nothing to do", "one edit", "peak MiB", "runs"]
        parts += [f"### {notes} notes (seconds)", table(head, lines)]
    return "\n\n".join(parts)


def correctness_section(rows: list[Verdicts]) -> str:
    """The table of what each tool notices."""
    names = [verdict.tool for verdict in rows]
    questions = {
        "helper": "a helper module that a note imports changes",
        "data": "a data file that a note reads changes",
        "included": "an included text changes",
        "identical": "two cold builds are byte-identical",
        "edited": "output edited by hand, then a build",
        "torn": "a page cut in half, then a build",
    }
    lines = [[text, *(getattr(v, name) for v in rows)] for name, text in questions.items()]
    intro = (
        "Tried, not read: two notes are built, one thing is changed, the tool's own command is run "
        "again. `fresh` means that the page shows the new number or words."
    )
    return "\n\n".join(["## What each notices", intro, table(["", *names], lines, len(names) + 1)])


if __name__ == "__main__":
    main()
