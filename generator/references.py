"""Keep `data/bib/*.json` in step with `assets/bib/*.bib`: owned, recorded and pruned like notes."""

from __future__ import annotations

from collections.abc import Mapping

from generator.errors import GeneratorError, Problem
from generator.fingerprint import ABSENT, Digests, digest_bytes, digest_parts
from generator.frozen import dataclass
from generator.plan import describe_change
from generator.publish import Journal, Publication, publish_note
from generator.record import Inputs, Record, dump_record, is_sealed, load_record
from generator.report import NoteReport
from generator.settings import Settings

SLUG = "bibliographies"
SOURCES = "assets/bib"
_PARTS = ("bibliography.py",)


@dataclass(frozen=True, slots=True)
class _State:
    """The bibliographies as they are."""

    sources: Mapping[str, str]
    """Digest of each `.bib` file."""
    record: Record | None
    """What the last build left."""
    reasons: tuple[str, ...]
    """Why they are stale; empty when they are not."""


def record_path(settings: Settings) -> str:
    """Where the record of the bibliographies stands."""
    return f"{settings.data_dir}/{SLUG}.json"


def reference_reasons(settings: Settings, digests: Digests) -> tuple[str, ...]:
    """Why the bibliographies are stale; empty when they are not."""
    return _look(settings, digests).reasons


def update_references(
    settings: Settings, digests: Digests, journal: Journal, *, force: bool = False
) -> NoteReport | None:
    """Convert what changed; None when there was nothing to do."""
    state = _look(settings, digests)
    if not state.reasons:
        return None
    try:
        return _convert(settings, digests, state, journal, force=force)
    except GeneratorError as error:
        return NoteReport(SLUG, "failed", state.reasons, problems=error.problems)


def _look(settings: Settings, digests: Digests) -> _State:
    folder = settings.root / SOURCES
    names = sorted(path.name for path in folder.glob("*.bib")) if folder.is_dir() else []
    sources = {f"{SOURCES}/{name}": digests.file(f"{SOURCES}/{name}") for name in names}
    digests.folder(SOURCES)
    digests.file(record_path(settings))
    record = _read_record(settings)
    before = dict(record.rendered.files) if record else {}
    reasons = [
        describe_change(path, before.get(path, ABSENT), sources.get(path, ABSENT))
        for path in sorted({*before, *sources})
        if before.get(path) != sources.get(path)
    ]
    if record:
        outputs = {path: digests.file(path) for path in record.outputs}
        reasons += [f"{path} is missing" for path, now in outputs.items() if now == ABSENT]
        reasons += [
            f"{path} was edited by hand"
            for path, now in outputs.items()
            if now not in (ABSENT, record.outputs[path])
        ]
        if record.parts != {"render": digest_parts(_PARTS)}:
            reasons.append("the generator's rendering part changed")
    return _State(sources, record, tuple(reasons))


def _read_record(settings: Settings) -> Record | None:
    try:
        text = (settings.root / record_path(settings)).read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    record = load_record(text)
    folder = f"{settings.data_dir}/bib/"
    if record is None or not is_sealed(text):
        return None
    return record if all(path.startswith(folder) for path in record.outputs) else None


def _convert(
    settings: Settings, digests: Digests, state: _State, journal: Journal, *, force: bool
) -> NoteReport:
    from generator.bibliography import convert_bibliography, dump_items

    files = {}
    for path in state.sources:
        text = (settings.root / path).read_bytes().decode("utf-8", "replace")
        stem = path.removeprefix(f"{SOURCES}/").removesuffix(".bib")
        files[f"{settings.data_dir}/bib/{stem}.json"] = dump_items(convert_bibliography(text, path))
    before = dict(state.record.outputs) if state.record else {}
    record = Record(
        slug=SLUG,
        template=SOURCES,
        rendered=Inputs(state.sources),
        parts={"render": digest_parts(_PARTS)},
        outputs={path: digest_bytes(content) for path, content in files.items()},
    )
    owned = {path: frozenset({digest, *journal.get(path, ())}) for path, digest in before.items()}
    done = publish_note(
        settings.root,
        Publication(
            SLUG,
            files,
            (record_path(settings), dump_record(record).encode("utf-8")),
            {**{path: frozenset(known) for path, known in journal.items()}, **owned},
            tuple(sorted(set(before) - set(files))),
            force,
        ),
    )
    for path in (*done.written, *done.removed, *files):
        digests.forget(path)
        digests.file(path)
    problems = tuple(
        Problem(path, 0, "was edited by hand: kept as it is", f"edit {SOURCES}, or build --force")
        for path in done.edited
    )
    return NoteReport(
        SLUG,
        "failed" if problems else "built",
        state.reasons,
        outputs=(*done.written, *done.removed),
        problems=problems,
        displaced=done.displaced,
    )
