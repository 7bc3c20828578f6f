"""`check`: is everything up to date, unedited and clean, the set-up sound? Writes nothing."""

from __future__ import annotations

import argparse
import difflib
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from generator.build import failed_discoveries, plan_steps, site_basis, task_of
from generator.commands.build import count_cores
from generator.compare import compare_results, compare_tables
from generator.compute import Outcome, Task
from generator.errors import Problem
from generator.fingerprint import Digests
from generator.forkserver import running
from generator.front_matter import FrontMatters
from generator.history import find_recorded
from generator.hugo import find_hugo, hugo_problem
from generator.index import read_fronts, read_index
from generator.notes import discover_notes, select_notes
from generator.plan import Basis, Step, find_orphans
from generator.references import reference_reasons
from generator.report import NoteReport, Status, problem_to_data
from generator.results import is_same
from generator.settings import Settings, read_config
from generator.terminal import counted, print_problem, style

if TYPE_CHECKING:
    from generator.finish import Finisher


def run_check(settings: Settings, arguments: argparse.Namespace) -> int:
    """Check, print what is wrong with the command that mends it."""
    index = read_index(settings)
    basis = site_basis(settings, index.parts)
    everything = discover_notes(settings, FrontMatters(read_fronts(settings, basis.parts)))
    discovery = select_notes(everything, arguments.slugs)
    digests = Digests(str(settings.root), index.known)
    steps = plan_steps(settings, discovery, digests, basis)
    reports = [*failed_discoveries(discovery), *map(_report, steps)]
    site = [] if arguments.slugs else [*_orphans(settings, everything), *_setup(settings, digests)]
    if arguments.recompute:
        jobs = arguments.jobs or count_cores()
        reports = [
            *failed_discoveries(discovery),
            *_recompute(settings, steps, digests, basis, jobs),
        ]
    failed = any(r.status == "failed" for r in reports) or any(p.is_error for p in site)
    if arguments.json:
        print(json.dumps(_data(reports, site), indent=2, ensure_ascii=False))
        return int(failed)
    for report in sorted(reports, key=lambda report: report.slug):
        _print(report)
    if arguments.diff:
        _print_diffs(settings, steps, digests, basis)
    for problem in site:
        print_problem(problem)
    stale = sorted(step.note.slug for step in steps if step.reasons and not step.edited)
    for step in steps:
        if step.edited:
            force = f"python -m generator build {step.note.slug} --force"
            print(f"to mend {step.note.slug}: make the edit in {step.note.template}, then: {force}")
    if any(problem.path.startswith(("hugo.", "config/")) for problem in site):
        print("to add settings that are missing: python -m generator init")
    if stale:
        named = " ".join(stale) if len(stale) < len(steps) and len(stale) <= 4 else ""
        print(f"to mend: python -m generator build {named}".rstrip())
    elif not failed:
        print(f"{counted(len(reports), 'note')}, all as they should be")
    return int(failed)


def _report(step: Step) -> NoteReport:
    record = step.known.record
    told: tuple[Problem, ...] = ()
    if record is not None and not step.reasons:
        told = tuple(Problem(**{"path": "", "line": 0, **dict(p)}) for p in record.problems)
    status: Status = "failed" if step.reasons else "unchanged"
    return NoteReport(step.note.slug, status, step.reasons, problems=told)


def _orphans(settings: Settings, discovery: Any) -> list[Problem]:
    slugs = {note.slug for note in discovery.notes} | set(discovery.problems)
    return [
        Problem(
            settings.record_path(slug), 0, "its note is gone", "python -m generator build", "orphan"
        )
        for slug in find_orphans(slugs, find_recorded(settings))
    ]


def _setup(settings: Settings, digests: Digests) -> list[Problem]:
    """Hugo, the theme and the settings that the site's pages need."""
    from generator.facts import gather_facts
    from generator.init import theme_problem
    from generator.lint import site_problems

    hugo = hugo_problem(find_hugo())
    found = [replace(hugo, severity="warning")] if hugo else []
    references = reference_reasons(settings, digests)
    found += [
        Problem("assets/bib", 0, f"stale: {reason}", "python -m generator build", "bib")
        for reason in references
    ]
    if (theme := theme_problem(settings, read_config(settings.root)[1])) is not None:
        found.append(theme)
    return [*found, *_unreadable_data(settings), *site_problems(gather_facts(settings.root))]


_READ_BY_HUGO = (".json", ".org", ".toml", ".xml", ".yaml", ".yml")


def _unreadable_data(settings: Settings) -> Iterable[Problem]:
    """Files in Hugo's data folder at which Hugo stops."""
    for path in sorted((settings.root / settings.data_dir).rglob("*")):
        if path.is_file() and path.suffix not in _READ_BY_HUGO and path.name[0] != ".":
            message = "Hugo reads this folder, and stops at a file of this kind"
            hint = f"keep data beside the demos, in {settings.demos}/"
            name = path.relative_to(settings.root).as_posix()
            yield Problem(name, 0, message, hint, "data-folder")


def _recompute(
    settings: Settings, steps: Sequence[Step], digests: Digests, basis: Basis, jobs: int
) -> list[NoteReport]:
    """Run every demo again, in memory, and hold what comes out against the records."""
    reports = [_report(step) for step in steps if step.note.demo is None]
    tasks: dict[str, Task] = {}
    waiting: dict[str, list[Step]] = {}
    for step in steps:
        if step.note.demo is not None:
            task = task_of(settings, step)
            tasks[task.to_text()] = task
            waiting.setdefault(task.to_text(), []).append(step)
    with running(tuple(tasks.values()), jobs) as outcomes:
        from generator.finish import Finisher  # the demos start meanwhile

        finisher = Finisher(settings, digests, basis)
        for task, outcome in outcomes:
            for step in waiting[task.to_text()]:
                reports.append(_compare(finisher, step, outcome))
    return reports


def _compare(finisher: Finisher, step: Step, outcome: Outcome) -> NoteReport:
    """One note's results, figures and page against what is recorded and published."""
    note, record, settings = step.note, step.known.record, finisher.settings
    if outcome.failed or record is None or step.reasons:
        problems = outcome.problems or _report(step).problems
        return NoteReport(note.slug, "failed", step.reasons, problems=problems)
    found: list[Problem] = []
    drifts = compare_results(record.results, outcome.results)
    for drift in drifts:
        message = f"numeric drift: `{drift.name}` was {drift.before}, is {drift.after}"
        line = record.where.get(drift.name.split(".")[0].split("[")[0], 0)
        hint = f"python -m generator build {note.slug} --force"
        found.append(Problem(record.demo or "", line, message, hint, "drift"))
    exact = record.versions == outcome.versions and is_same(record.results, outcome.results)
    for name, content in outcome.files.items():
        path = settings.figure_path(note.slug, name)
        found += _compare_file(settings, path, content, exact=exact)
    page = finisher.render(note, replace(record, results=outcome.results))
    published = (settings.root / note.page).read_bytes()
    if page.text.encode() != published:
        message = "numeric drift: the page would read otherwise"
        found += [p for p in page.problems if p.is_error] or [
            Problem(note.page, 0, message, "", "drift")
        ]
    elif drifts:
        found = [replace(problem, severity="warning") for problem in found]
    failed = any(problem.is_error for problem in found)
    return NoteReport(note.slug, "failed" if failed else "unchanged", problems=tuple(found))


def _compare_file(
    settings: Settings, path: str, content: bytes, *, exact: bool
) -> Iterable[Problem]:
    """Figures: their data must agree; their bytes too where results and versions do."""
    try:
        before = (settings.root / path).read_bytes()
    except OSError:
        yield Problem(path, 0, "is missing", "python -m generator build", "drift")
        return
    if before == content:
        return
    if path.endswith(".csv") and not compare_tables(before, content):
        yield Problem(path, 0, "numeric drift: the figure's data came out otherwise", "", "drift")
    elif exact:
        message = "byte drift: the same results and versions gave other bytes"
        yield Problem(path, 0, message, "look for an unseeded generator or the clock", "drift")
    elif path.endswith(".svg"):
        message = "visual drift: drawn otherwise from the same data"
        yield Problem(path, 0, message, "", "drift", "warning")


def _print_diffs(settings: Settings, steps: Sequence[Step], digests: Digests, basis: Basis) -> None:
    """What a build would change in the pages whose results are known."""
    from generator.finish import Finisher

    finisher = Finisher(settings, digests, basis)
    for step in steps:
        record = step.known.record
        if not step.reasons or record is None or step.compute:
            continue
        new = finisher.render(step.note, record).text
        try:
            old = (settings.root / step.note.page).read_bytes().decode("utf-8", "replace")
        except OSError:
            old = ""
        lines = difflib.unified_diff(
            old.split("\n"),
            new.split("\n"),
            step.note.page,
            step.note.page + " (built)",
            lineterm="",
        )
        for line in lines:
            colour = {"+": "green", "-": "red"}.get(line[:1], "dim")
            print(style(line, colour))


def _print(report: NoteReport) -> None:
    if report.reasons or report.status == "failed":
        state = "stale" if report.reasons else "wrong"
        print(f"{style(state, 'yellow')} {style(report.slug, 'bold')}")
    for reason in report.reasons:
        print(f"  {reason}")
    for problem in report.problems:
        print_problem(problem)


def _data(reports: Sequence[NoteReport], site: Sequence[Problem]) -> dict[str, Any]:
    return {
        "notes": [
            {
                "slug": report.slug,
                "status": report.status,
                "reasons": list(report.reasons),
                "problems": [problem_to_data(problem) for problem in report.problems],
            }
            for report in sorted(reports, key=lambda report: report.slug)
        ],
        "site": [problem_to_data(problem) for problem in site],
    }
