"""The pipeline: discover → fingerprint → plan → compute → render → lint → publish."""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from generator.compute import Outcome, Task
from generator.errors import GeneratorError, Problem
from generator.fingerprint import Digests, Sized
from generator.front_matter import FrontMatters
from generator.frozen import dataclass
from generator.history import find_recorded, read_known
from generator.index import (
    digest_generator,
    drop_index,
    read_fronts,
    read_index,
    save_fronts,
    save_index,
    watch_folders,
)
from generator.notes import Discovery, discover_notes, select_notes
from generator.plan import Basis, Step, find_orphans, plan_note
from generator.publish import Journal, clear_journals, locked, prune_orphan, read_journals
from generator.references import SLUG, update_references
from generator.report import Listener, NoteReport, Report
from generator.results import encode
from generator.settings import Settings, load_settings


@dataclass(frozen=True, slots=True)
class Options:
    """How to build."""

    slugs: tuple[str, ...] = ()
    """The notes to build; all when empty."""
    jobs: int = 1
    """Demos that run at a time."""
    force: bool = False
    """Build fresh notes too, and replace what was edited by hand."""
    executor: str = ""
    """Where demos run: empty for this machine, else an executor's name."""
    scheduler: str = ""
    """Address that the executor needs."""


def build_site(settings: Settings, options: Options, listener: Listener | None = None) -> Report:
    """Bring the site's stale notes up to date.

    A note that fails keeps its last good page; the others are published. Raises UsageError for
    a slug that no note has, GeneratorError when the site can't be written at all.
    """
    told = listener or Listener()
    with locked(settings.root, told.on_wait):
        digests = Digests(str(settings.root))
        watch_folders(settings, digests)
        index = read_index(settings)
        digests.known = index.known
        settings = load_settings(settings.root)
        basis = site_basis(settings, index.parts)
        fronts = FrontMatters(read_fronts(settings, basis.parts))
        everything = discover_notes(settings, fronts)
        discovery = select_notes(everything, options.slugs)
        journals = read_journals(settings.root)
        reports = list(failed_discoveries(discovery))
        steps = plan_steps(settings, discovery, digests, basis, journals, force=options.force)
        stale = [step for step in steps if step.reasons]
        reports += [NoteReport(step.note.slug, "unchanged") for step in steps if not step.reasons]
        told.on_plan(len(stale))
        for report in reports:
            if report.status == "failed":
                told.on_note(report)
        for report in _carry_out(settings, options, stale, digests, basis, fronts):
            told.on_note(report)
            reports.append(report)
        removed: tuple[str, ...] = ()
        if not options.slugs:
            removed, kept = _prune(settings, everything, journals, force=options.force)
            listed = update_references(
                settings, digests, journals.get(SLUG, {}), force=options.force
            )
            for report in (*kept, *([listed] if listed else ())):
                told.on_note(report)
                reports.append(report)
        whole = {report.slug for report in reports if report.status != "failed"}
        clear_journals(settings.root, whole & journals.keys())
        built = Report(tuple(sorted(reports, key=lambda report: report.slug)), removed)
        if (read := fronts.to_keep()) != fronts.known:
            save_fronts(settings, basis.parts, read)
        _remember(settings, options, digests, everything, basis, built)
    return built


def site_basis(settings: Settings, parts: Mapping[str, str] | None = None) -> Basis:
    """What all notes depend on: the generator's parts, and the settings that pages show."""
    return Basis(
        parts or digest_generator(),
        {
            "figures": settings.figures,
            "section": settings.section,
            "significantDigits": settings.significant_digits,
            "sourceURL": settings.source_url,
            "staticDir": settings.static_dir,
        },
    )


def plan_steps(
    settings: Settings,
    discovery: Discovery,
    digests: Digests,
    basis: Basis | None = None,
    journals: Mapping[str, Journal] | None = None,
    *,
    force: bool = False,
) -> list[Step]:
    """One step a note, stale or not."""
    basis = basis or site_basis(settings)
    journals = read_journals(settings.root) if journals is None else journals
    steps: list[Step] = []
    for note in discovery.notes:
        known = read_known(settings, note.slug, journals.get(note.slug, {}))
        now = Sized(digests, note.large) if note.large else digests
        steps.append(plan_note(note, known, now, basis, force=force))
    return steps


def _remember(
    settings: Settings,
    options: Options,
    digests: Digests,
    discovery: Discovery,
    basis: Basis,
    report: Report,
) -> None:
    """Leave an index for a quick answer next time, if all is well and all was looked at."""
    if report.failed:
        drop_index(settings)
        return
    if options.slugs:
        return  # the index of the last whole build holds for the other notes, and no more for these
    for note in discovery.notes:
        digests.file(settings.record_path(note.slug))
    save_index(settings, digests, len(discovery.notes), basis.parts)


def failed_discoveries(discovery: Discovery) -> Iterator[NoteReport]:
    for slug, problems in sorted(discovery.problems.items()):
        yield NoteReport(slug, "failed", problems=problems)


def _carry_out(
    settings: Settings,
    options: Options,
    steps: Sequence[Step],
    digests: Digests,
    basis: Basis,
    fronts: FrontMatters,
) -> Iterator[NoteReport]:
    """Run what must run, and finish each note as soon as its results are there."""
    if not steps:
        return
    by_task: dict[str, list[Step]] = {}
    tasks: dict[str, Task] = {}
    others: list[Step] = []
    for step in steps:
        if step.compute and (options.force or not step.edited):
            task = task_of(settings, step)
            tasks[task.to_text()] = task
            by_task.setdefault(task.to_text(), []).append(step)
        else:
            others.append(step)
    with _running(tuple(tasks.values()), options) as outcomes:
        from generator.finish import Finisher  # the demos start meanwhile

        finisher = Finisher(settings, digests, basis, force=options.force, fronts=fronts)
        for step in others:
            yield _timed(finisher.finish, step, None)
        for task, outcome in outcomes:
            for step in by_task[task.to_text()]:
                yield _timed(finisher.finish, step, outcome)


def task_of(settings: Settings, step: Step) -> Task:
    """The run that the note asks for."""
    note = step.note
    return Task(
        root=str(settings.root),
        demos=settings.demos,
        demo=note.demo or "",
        params={name: encode(value, name) for name, value in note.params.items()},
        seed=note.seed,
        timeout=note.timeout or settings.timeout,
        memory=note.memory or settings.memory,
        large=note.large,
    )


def _running(
    tasks: Sequence[Task], options: Options
) -> AbstractContextManager[Iterable[tuple[Task, Outcome]]]:
    if not tasks:
        return nullcontext(())
    if options.executor:
        from generator.executors import running_elsewhere

        return running_elsewhere(options.executor, options.scheduler, tasks)
    from generator.forkserver import running

    return running(tasks, options.jobs)


def _timed(
    finish: Callable[[Step, Outcome | None], NoteReport], step: Step, outcome: Outcome | None
) -> NoteReport:
    start = time.monotonic()
    try:
        report = finish(step, outcome)
    except GeneratorError as error:
        report = NoteReport(step.note.slug, "failed", step.reasons, problems=error.problems)
    except (OSError, RecursionError, ValueError, TypeError, LookupError, AttributeError) as error:
        report = NoteReport(step.note.slug, "failed", step.reasons, problems=(_fault(step, error),))
    computing = outcome.seconds if outcome else 0.0
    return replace(report, seconds=computing + time.monotonic() - start)


def _fault(step: Step, error: Exception) -> Problem:
    """A fault that nobody foresaw: it fails its note alone, and says where it arose."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{os.path.basename(frame.filename)}:{frame.lineno}"
    message = f"can't be built: {type(error).__name__}: {str(error).splitlines()[0]}"
    hint = f"a fault of the generator at {where}; please report it with this template"
    return Problem(step.note.template, 0, message, hint, "fault")


def _prune(
    settings: Settings, discovery: Discovery, journals: Mapping[str, Journal], *, force: bool
) -> tuple[tuple[str, ...], list[NoteReport]]:
    """Delete what notes left that are gone; report what someone edited."""
    slugs = {note.slug for note in discovery.notes} | set(discovery.problems)
    removed: list[str] = []
    kept: list[NoteReport] = []
    for slug in find_orphans({*slugs, SLUG}, {*find_recorded(settings), *journals}):
        known = read_known(settings, slug, journals.get(slug, {}))
        if known.record is None and not known.owned:
            continue  # not a record
        path = settings.record_path(slug)
        owned = {p: digests for p, digests in known.owned.items() if p != path}
        try:
            done = prune_orphan(settings.root, slug, path, owned, force=force)
        except GeneratorError as error:
            kept.append(NoteReport(slug, "failed", ("the note is gone",), problems=error.problems))
            continue
        removed += done.removed
        if not done.edited:
            clear_journals(settings.root, [slug])
            continue
        message = "its note is gone, but it was edited by hand: kept"
        hint = "delete it by hand, or build --force"
        problems = tuple(Problem(p, 0, message, hint, "edited") for p in done.edited)
        kept.append(NoteReport(slug, "failed", ("the note is gone",), problems=problems))
    return tuple(removed), kept
