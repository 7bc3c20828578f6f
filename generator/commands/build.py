"""`build`: bring stale notes up to date."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

from generator.build import Options, build_site
from generator.errors import Problem, UsageError
from generator.report import Listener, NoteReport, Report, problem_to_data
from generator.settings import Settings
from generator.terminal import Bar, counted, print_problem, style

if TYPE_CHECKING:
    import argparse


def run_build(settings: Settings, arguments: argparse.Namespace) -> int:
    """Build, print, and leave the local index for a quick answer next time."""
    if arguments.executor:
        from generator.executors import check_executor

        check_executor(arguments.executor, arguments.scheduler)
    elif arguments.scheduler:
        hint = "add --executor dask"
        raise UsageError(Problem("", 0, "`--scheduler` is for an executor", hint))
    options = Options(
        slugs=tuple(arguments.slugs),
        jobs=arguments.jobs or count_cores(),
        force=arguments.force,
        executor=arguments.executor,
        scheduler=arguments.scheduler,
    )
    talker = Talker(quiet=arguments.quiet or arguments.json, verbose=arguments.verbose)
    report = build_site(settings, options, talker.listener())
    if arguments.json:
        print(json.dumps(report_data(report), indent=2, ensure_ascii=False))
    else:
        talker.sum_up(report)
    if arguments.hook:
        from generator.hook import end_hook

        return end_hook(settings, report)
    return 1 if report.failed else 0


def count_cores() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def report_data(report: Report) -> dict[str, Any]:
    """The report as `--json` prints it."""
    return {
        "notes": [
            {
                "slug": note.slug,
                "status": note.status,
                "reasons": list(note.reasons),
                "seconds": round(note.seconds, 3),
                "outputs": list(note.outputs),
                "problems": [problem_to_data(problem) for problem in note.problems],
            }
            for note in report.notes
        ],
        "removed": list(report.removed),
    }


class Talker:
    """Prints what happens while it happens."""

    def __init__(self, *, quiet: bool, verbose: bool) -> None:
        self.quiet = quiet
        self.verbose = verbose
        self.bar = Bar(0)

    def listener(self) -> Listener:
        return Listener(self.on_plan, self.on_note, self.on_wait)

    def on_plan(self, count: int) -> None:
        self.bar = Bar(count, wanted=not self.quiet)

    def on_wait(self, owner: str) -> None:
        print(f"waiting for {owner}, which is building this site", file=sys.stderr)

    def on_note(self, report: NoteReport) -> None:
        if report.status == "unchanged":
            return
        self.bar.clear()
        if not self.quiet:
            print_note(report)
        if report.printed and (self.verbose or report.status == "failed") and not self.quiet:
            print(style(_indent(report.printed), "dim"))
        sys.stdout.flush()
        for problem in report.problems:
            print_problem(problem)
        for path in report.displaced:
            print(f"  what it held is kept in {path}", file=sys.stderr)
        self.bar.advance(report.slug)

    def sum_up(self, report: Report) -> None:
        if self.verbose:
            for note in report.notes:
                if note.status == "unchanged":
                    print(f"{style('unchanged', 'dim')} {note.slug}")
        for path in report.removed:
            if not self.quiet:
                print(f"removed {path}")
        if not self.quiet:
            print(summary(report))


def print_note(report: NoteReport) -> None:
    """A note with why it was built."""
    colour = {"built": "green", "failed": "red", "unchanged": "dim"}[report.status]
    print(f"{style(report.status, colour)} {style(report.slug, 'bold')}")
    for reason in report.reasons:
        print(f"  {reason}")


def summary(report: Report) -> str:
    """One line on the whole build."""
    counts = {
        status: sum(note.status == status for note in report.notes)
        for status in ("built", "unchanged", "failed")
    }
    written = sum(len(note.outputs) for note in report.notes) + len(report.removed)
    total = len(report.notes)
    if not total and not written:
        return "no notes yet; start one: python -m generator new first-note"
    if counts["unchanged"] == total and not written:
        return f"{counted(total, 'note')}, nothing to do"
    parts = [f"{count} {status}" for status, count in counts.items() if count]
    return f"{', '.join(parts)}; {counted(written, 'file')} written or removed"


def _indent(text: str) -> str:
    return "\n".join("  | " + line for line in text.rstrip().splitlines())
