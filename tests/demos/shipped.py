"""The shipped notes as the tests of the demos see them: what a build would run and render."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from generator.compute import Outcome, Task
from generator.history import read_template
from generator.notes import Note, discover_notes
from generator.render import Rendered, Renderer
from generator.results import decode
from generator.settings import load_settings
from generator.workers import run_forked

ROOT = Path(__file__).parent.parent.parent
SETTINGS = load_settings(ROOT)
NOTES = {note.slug: note for note in discover_notes(SETTINGS).notes}
RENDERER = Renderer(SETTINGS, lambda path: read_template(ROOT, path))


def task_of(note: Note, root: Path = ROOT) -> Task:
    """The run that the note asks for, of the demos in `root`."""
    return Task(str(root), SETTINGS.demos, note.demo or "", dict(note.params), note.seed, 60)


def run_tasks(tasks: Sequence[Task]) -> Iterator[tuple[int, Outcome]]:
    """Run the tasks side by side; yields each one's place in `tasks` with its outcome."""
    places = {id(task): i for i, task in enumerate(tasks)}
    for task, outcome in run_forked(tasks, len(os.sched_getaffinity(0))):
        yield places[id(task)], outcome


def render(slug: str, results: dict[str, object]) -> Rendered:
    """The note's page from decoded results."""
    return RENDERER.render(NOTES[slug], results)


def results_of(outcome: Outcome) -> dict[str, object]:
    """The results as a template has them."""
    return {name: decode(value) for name, value in outcome.results.items()}
