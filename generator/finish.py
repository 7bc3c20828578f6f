"""Finish a note: from its results to a published page and record."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from generator.compute import Outcome
from generator.errors import Problem
from generator.fingerprint import ABSENT, Digests, digest_bytes
from generator.front_matter import FrontMatters
from generator.history import read_template
from generator.lint.facts import Facts
from generator.notes import Note
from generator.observe import observing_reads, relative_inputs
from generator.plan import Basis, Step
from generator.publish import Publication, publish_note
from generator.record import Inputs, Record, dump_record
from generator.render import Rendered, Renderer
from generator.report import NoteReport
from generator.results import decode, encode, is_same
from generator.settings import Settings
from generator.site import standing_in

_OF_THE_SITE = frozenset(
    {
        "cite-unknown",
        "date",
        "image-address",
        "image-missing",
        "index-fields",
        "link-anchor",
        "link-missing",
        "link-ref",
        "math-formula",
        "section-hidden",
        "shortcode-unbalanced",
        "shortcode-unknown",
    }
)
"""Rules whose verdict other files of the site can change: told, but not put on record."""


@dataclass(slots=True)
class Finisher:
    """Finishes the notes of one build; templates are read and compiled once."""

    settings: Settings
    digests: Digests
    basis: Basis
    force: bool = False
    fronts: FrontMatters = field(default_factory=FrontMatters)
    renderer: Renderer = field(init=False)
    loaded: dict[str, str] = field(default_factory=dict)
    """Digests of the templates that notes pulled in, as they were read."""
    facts: Facts | None = None
    """What the linter asks about the site; gathered when first needed."""

    def __post_init__(self) -> None:
        self.renderer = Renderer(self.settings, self._load)

    def finish(self, step: Step, outcome: Outcome | None) -> NoteReport:
        """Render, lint and publish; without an outcome from the recorded results."""
        note = step.note
        printed = outcome.printed if outcome else ""
        if step.edited and not self.force and not self._is_as_edited(step):
            return self._report_edited(step)
        if outcome is not None and outcome.failed:
            return NoteReport(
                note.slug, "failed", step.reasons, problems=outcome.problems, printed=printed
            )
        record = self._new_record(step, outcome)
        page, record, problems = self._page(step, record, outcome)
        if any(problem.is_error for problem in problems):
            return NoteReport(note.slug, "failed", step.reasons, problems=problems, printed=printed)
        return self._publish(step, record, page, outcome, problems)

    def _load(self, path: str) -> str | None:
        text = read_template(self.settings.root, path)
        name = os.path.normpath(path).replace(os.sep, "/")
        self.loaded[name] = ABSENT if text is None else digest_bytes(text.encode())
        return text

    def _new_record(self, step: Step, outcome: Outcome | None) -> Record:
        """The record so far: who the note is, and its results."""
        note = step.note
        base = step.known.record or Record(note.slug, note.template)
        base = replace(base, slug=note.slug, template=note.template, settings=self.basis.settings)
        if outcome is None and note.demo is not None:
            return replace(base, parts={**self.basis.parts, "compute": base.parts["compute"]})
        computed = outcome or Outcome()
        return replace(
            base,
            demo=note.demo,
            seed=note.seed,
            params={name: encode(value, name) for name, value in note.params.items()},
            parts=self.basis.parts,
            computed=computed.inputs,
            results=computed.results,
            where=computed.where,
            unchecked=computed.unchecked,
            versions=computed.versions,
        )

    def _page(
        self, step: Step, record: Record, outcome: Outcome | None
    ) -> tuple[str | None, Record, tuple[Problem, ...]]:
        """The page, or None when the one that is there holds: equal results, same template."""
        before = step.known.record
        if not step.render and before is not None and _same_results(before, record, outcome):
            return None, replace(record, rendered=before.rendered), ()
        rendered, inputs = self._render(step.note, record)
        problems = (*(outcome.problems if outcome else ()), *rendered.problems)
        if not any(problem.is_error for problem in problems):
            problems += self._lint(step.note, rendered.text, outcome)
        record = replace(
            record,
            rendered=inputs,
            claims=tuple(claim.to_data() for claim in rendered.claims),
            problems=tuple(
                _without_empty(asdict(problem))
                for problem in problems
                if not problem.is_error and problem.code not in _OF_THE_SITE
            ),
        )
        return rendered.text, record, problems

    def render(self, note: Note, record: Record) -> Rendered:
        """The note's page from a record's results, in memory."""
        return self._render(note, record)[0]

    def _render(self, note: Note, record: Record) -> tuple[Rendered, Inputs]:
        root = self.settings.root
        results = {name: decode(value) for name, value in record.results.items()}
        params = {name: decode(value) for name, value in record.params.items()}
        if note.demo is not None:  # a frozen note shows what it was computed with
            note = replace(note, params=params, seed=record.seed)
        demos = root / self.settings.demos
        with standing_in(root, confined=True), observing_reads(root, demos) as seen:
            rendered = self.renderer.render(note, results, _data_files(record))
        inputs = relative_inputs(seen, self.digests)
        used = (os.path.normpath(path).replace(os.sep, "/") for path in rendered.templates)
        own = {note.template: digest_bytes(note.text.encode())}
        files = {**inputs.files, **{path: self.loaded[path] for path in used}, **own}
        return rendered, replace(inputs, files=files)

    def _lint(self, note: Note, page: str, outcome: Outcome | None) -> tuple[Problem, ...]:
        """What the linter says of the page, at the template's lines."""
        from generator.facts import gather_facts
        from generator.lint import lint_note
        from generator.lint.frontmatter import (
            dump_front_matter,
            front_matter_of,
            load_front_matter,
            read_front_matter,
        )

        if self.facts is None:
            self.facts = gather_facts(self.settings.root)
        folder = f"{self.settings.figures}/{note.slug}"
        coming = (f"{folder}/{name}" for name in (outcome.files if outcome else ()))
        front = None
        if head := front_matter_of(page):
            front = self.fronts.recall(
                head, lambda: read_front_matter(head), dump_front_matter, load_front_matter
            )
        facts = self.facts.including(static=coming)
        return tuple(
            replace(problem, path=note.template, line=template_line(note.text, page, problem.line))
            for problem in lint_note(note.page, page, facts, front=front)
        )

    def _publish(
        self,
        step: Step,
        record: Record,
        page: str | None,
        outcome: Outcome | None,
        problems: tuple[Problem, ...],
    ) -> NoteReport:
        note, known = step.note, step.known
        before = known.record.outputs if known.record else {}
        files = self._files(note, page, outcome)
        kept = {
            path: digest
            for path, digest in before.items()
            if path == note.page or (outcome is None and note.demo and self._is_figure(path))
        }
        outputs = kept | {path: digest_bytes(content) for path, content in files.items()}
        record = replace(record, outputs=outputs)
        record_path = self.settings.record_path(note.slug)
        text = dump_record(record).encode()
        done = publish_note(
            self.settings.root,
            Publication(
                slug=note.slug,
                files=files,
                record=(record_path, text),
                owned=known.owned,
                obsolete=tuple(sorted(set(before) - set(outputs))),
                replaces=self.force or known.merged,
            ),
        )
        for path in (*done.written, *done.removed):
            self.digests.forget(path)
        if done.edited:
            found = tuple(self._edited_problem(step, path, page) for path in done.edited)
            return NoteReport(note.slug, "failed", step.reasons, problems=(*problems, *found))
        self._remember(replace(record, outputs={**outputs, record_path: digest_bytes(text)}))
        left = tuple(_left_problem(path) for path in done.left)
        return NoteReport(
            note.slug,
            "built" if done.written or done.removed or step.reasons else "unchanged",
            step.reasons,
            outputs=(*done.written, *done.removed),
            problems=(*problems, *left),
            displaced=done.displaced,
            printed=outcome.printed if outcome else "",
        )

    def _files(self, note: Note, page: str | None, outcome: Outcome | None) -> dict[str, bytes]:
        """The files that are to be there, as far as they were made anew."""
        made = outcome.files if outcome else {}
        files = {self.settings.figure_path(note.slug, name): made[name] for name in sorted(made)}
        return files if page is None else {**files, note.page: page.encode()}

    def _is_figure(self, path: str) -> bool:
        return path.startswith(f"{self.settings.static_dir}/{self.settings.figures}/")

    def _remember(self, record: Record) -> None:
        """Tell the digests what the note depends on now, for the index."""
        for stage in (record.computed, record.rendered):
            for path, digest in stage.files.items():
                if digest.startswith("size "):
                    self.digests.sizes[path] = digest
                else:
                    self.digests.expect(path, digest)
            for path in stage.folders:
                self.digests.folder(path)
            for name in stage.environment:
                self.digests.environment(name)
        for path, digest in record.outputs.items():
            self.digests.expect(path, digest)

    def _is_as_edited(self, step: Step) -> bool:
        """Whether the author has made the page's edit in the template since."""
        note, record = step.note, step.known.record
        if record is None or step.compute or step.edited != (note.page,):
            return False
        page = self.render(note, record).text
        return page.encode() == (self.settings.root / note.page).read_bytes()

    def _report_edited(self, step: Step) -> NoteReport:
        """A note that is left alone, since someone edited what it generated."""
        assert step.known.record is not None
        rendered = self.render(step.note, step.known.record)
        found = tuple(self._edited_problem(step, p, rendered.text or None) for p in step.edited)
        return NoteReport(step.note.slug, "failed", step.reasons, problems=found)

    def _edited_problem(self, step: Step, path: str, page: str | None) -> Problem:
        """A hand-edited output, with the template's line where the edit belongs."""
        note = step.note
        if path not in step.known.owned:
            hint = f"move it away, or let it be replaced: {_force(note)}"
            return Problem(path, 0, "was there before, and is not the generator's", hint, "edited")
        line, there = 0, note.template
        if page is not None and path == note.page:
            edited = (self.settings.root / path).read_bytes().decode("utf-8", "replace")
            line = first_difference(page, edited)
            there = f"{note.template}:{template_line(note.text, page, line)}"
        elif path != note.page:
            there = note.demo or note.template
        hint = f"make the edit at {there}, then replace the file: {_force(note)}"
        return Problem(path, line, "was edited by hand: kept as it is", hint, "edited")


def _data_files(record: Record) -> tuple[str, ...]:
    """What the demo read that is not a program."""
    return tuple(
        path
        for path, digest in record.computed.files.items()
        if digest != ABSENT and not path.endswith(".py")
    )


def _left_problem(path: str) -> Problem:
    message = "is no longer generated, but was edited by hand: kept"
    return Problem(path, 0, message, "delete it by hand", "edited", "warning")


def _force(note: Note) -> str:
    return f"python -m generator build {note.slug} --force"


def _same_results(before: Record, record: Record, outcome: Outcome | None) -> bool:
    """Early cut-off: nothing that the page shows differs, and nothing is to be told anew."""
    return (
        is_same(before.results, record.results)
        and is_same(before.params, record.params)
        and before.seed == record.seed
        and before.demo == record.demo
        and not before.problems
        and not (outcome and outcome.problems)
    )


def _without_empty(data: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if value}


def first_difference(expected: str, found: str) -> int:
    """The first line on which two texts differ, from 1."""
    theirs, ours = expected.split("\n"), found.split("\n")
    pairs = zip(theirs, ours, strict=False)
    same = next((i for i, (a, b) in enumerate(pairs) if a != b), None)
    return (min(len(theirs), len(ours)) if same is None else same) + 1


def template_line(template: str, page: str, line: int) -> int:
    """The template's line behind a line of its page."""
    import difflib

    theirs, ours = page.split("\n"), template.split("\n")
    matcher = difflib.SequenceMatcher(None, theirs, ours, autojunk=len(ours) > 2000)
    for tag, start, end, to_start, to_end in matcher.get_opcodes():
        if start <= line - 1 < end:
            offset = (
                line - 1 - start
                if tag == "equal"
                else min(line - 1 - start, max(0, to_end - to_start - 1))
            )
            return min(to_start + offset + 1, max(1, len(ours)))
    return min(line, max(1, len(ours)))
