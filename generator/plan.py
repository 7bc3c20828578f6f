"""Plan what to do: which notes are stale, and why, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any

from generator.fingerprint import ABSENT, Lookup
from generator.frozen import dataclass
from generator.notes import Note
from generator.record import Inputs, Record
from generator.results import encode, is_same


@dataclass(frozen=True, slots=True)
class Known:
    """What the last build left of a note."""

    record: Record | None = None
    """Its record."""
    fault: str = ""
    """Why the record can't be believed; empty when it can."""
    merged: bool = False
    """Whether a merge left its marks in the record: the outputs are then merged ones."""
    owned: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Digests under which each output counts as the generator's own."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What all notes depend on."""

    parts: Mapping[str, str]
    """Digests of the generator's computing and rendering parts."""
    settings: Mapping[str, Any]
    """The settings that pages depend on, under their names in `hugo.toml`."""


@dataclass(frozen=True, slots=True)
class Step:
    """What to do with one note."""

    note: Note
    """The note."""
    known: Known
    """What is known of it."""
    compute: tuple[str, ...] = ()
    """Reasons to run the demo; none means that the recorded results hold."""
    render: tuple[str, ...] = ()
    """Reasons to render the page, apart from changed results."""
    edited: tuple[str, ...] = ()
    """Outputs that someone edited; unless forced, the note is left alone."""

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the note is stale; empty when it is not."""
        return tuple(dict.fromkeys((*self.compute, *self.render)))

    @property
    def is_stale(self) -> bool:
        return bool(self.compute or self.render)


def plan_note(note: Note, known: Known, now: Lookup, basis: Basis, *, force: bool = False) -> Step:
    """The step for one note: what differs from its record."""
    record = known.record
    if record is None:
        reason = known.fault or f"{note.template} is new"
        return Step(note, known, (reason,) if note.demo else (), (reason,))
    outputs = _check_outputs(known, record, now)
    both = [known.fault] if known.fault else []
    both += ["it was asked for"] if force else []
    render = [*_render_reasons(note, record, now, basis), *both]
    render += [reason for path, reason in outputs.lost if path == note.page]
    compute: list[str] = []
    if note.demo is not None:
        frozen = note.freeze and not force and record.demo == note.demo
        compute = [] if frozen else list(_compute_reasons(note, record, now, basis))
        compute += [*_moved_figures(record, basis), *both]
        compute += [reason for path, reason in outputs.lost if path != note.page]
    if outputs.edited and not force:
        reasons = [f"{path} was edited by hand" for path in outputs.edited]
        return Step(note, known, tuple(compute), (*reasons, *render), outputs.edited)
    return Step(note, known, tuple(compute), tuple(render), outputs.edited)


def _compute_reasons(note: Note, record: Record, now: Lookup, basis: Basis) -> Iterator[str]:
    yield from _identity_reasons(note, record)
    yield from _input_reasons(record.computed, now)
    if basis.parts["compute"] != record.parts.get("compute"):
        yield "the generator's computing part changed"


def _moved_figures(record: Record, basis: Basis) -> Iterator[str]:
    """Figures that must be written elsewhere are drawn again: records don't hold them."""
    for name in ("figures", "staticDir"):
        if record.settings.get(name) != basis.settings[name]:
            yield f"the setting `{name}` changed"


def _render_reasons(note: Note, record: Record, now: Lookup, basis: Basis) -> Iterator[str]:
    yield from _input_reasons(record.rendered, now)
    for name in sorted({*basis.settings, *record.settings}):
        if basis.settings.get(name) != record.settings.get(name):
            yield f"the setting `{name}` changed"
    if record.demo is not None and note.demo is None:
        yield "it has no demo any more"
    if record.template != note.template:
        yield f"{record.template} was moved to {note.template}"
    elif note.page not in record.outputs:
        yield f"its page is now {note.page}"
    if basis.parts["render"] != record.parts.get("render"):
        yield "the generator's rendering part changed"


def describe_change(path: str, before: str, after: str) -> str:
    """What happened to an input."""
    if before == ABSENT:
        return f"{path} is new"
    return f"{path} is gone" if after == ABSENT else f"{path} changed"


def _identity_reasons(note: Note, record: Record) -> Iterator[str]:
    if record.demo != note.demo:
        yield f"`demo:` changed from {record.demo or 'none'} to {note.demo}"
    if record.seed != note.seed:
        yield "`seed:` changed"
    if not is_same(record.params, encode(note.params)):
        yield "`params:` changed"


def _input_reasons(inputs: Inputs, now: Lookup) -> Iterator[str]:
    for path, before in inputs.files.items():
        after = now.file(path)
        if after != before:
            yield describe_change(path, before, after)
    for path, before in inputs.folders.items():
        if now.folder(path) != before:
            yield f"{path or '.'}/ holds other files"
    for name, before in inputs.environment.items():
        if now.environment(name) != before:
            yield f"the environment variable {name} changed"


@dataclass(frozen=True, slots=True)
class _Outputs:
    """What became of a note's outputs since they were written."""

    lost: tuple[tuple[str, str], ...]
    """Path and reason of each that is to be made again."""
    edited: tuple[str, ...]
    """Those that someone changed."""


def _check_outputs(known: Known, record: Record, now: Lookup) -> _Outputs:
    lost: list[tuple[str, str]] = []
    edited: list[str] = []
    for path, digest in record.outputs.items():
        found = now.file(path)
        if found == ABSENT:
            lost.append((path, f"{path} is missing"))
        elif found == digest:
            continue
        elif found in known.owned.get(path, frozenset()):
            lost.append((path, f"{path} is from a build that was stopped"))
        elif now.conflicted(path):
            lost.append((path, f"{path} has conflict marks"))
        else:
            edited.append(path)
    return _Outputs(tuple(lost), tuple(edited))


def find_orphans(slugs: Iterable[str], recorded: Iterable[str]) -> list[str]:
    """Slugs of records whose notes are gone."""
    return sorted(set(recorded) - set(slugs))
