"""What earlier builds left: records, and which files on disk are the generator's own."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from generator.fingerprint import has_conflict
from generator.plan import Known
from generator.publish import Journal
from generator.record import Record, is_sealed, load_record, split_conflict
from generator.settings import Settings


def read_known(settings: Settings, slug: str, journal: Journal) -> Known:
    """What is known of one note; records torn, edited or in conflict are not believed."""
    path = settings.record_path(slug)
    try:
        text = (settings.root / path).read_bytes().decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return Known(owned=_owned((), journal))
    except (OSError, UnicodeDecodeError):
        return Known(fault=f"{path} can't be read", owned=_owned((), journal))
    if has_conflict(text):
        sides = [
            record
            for side in split_conflict(text)
            if is_sealed(side) and (record := load_record(side))
        ]
        return Known(None, f"{path} has conflict marks", True, _owned(sides, journal))
    record = load_record(text)
    if record is None or record.slug != slug:
        return Known(None, f"{path} is not a whole record", False, _owned((), journal))
    if is_sealed(text):
        return Known(record, "", False, _owned((record,), journal))
    believed = {p: d for p, d in record.outputs.items() if is_output(settings, p)}
    record = replace(record, outputs=believed)
    return Known(record, f"{path} was edited by hand", False, _owned((record,), journal))


def is_output(settings: Settings, path: str) -> bool:
    """Whether a path is one that the site's notes are published under."""
    homes = (settings.content_path(""), settings.figure_path("", ""))
    return path.startswith(tuple(home.rstrip("/") + "/" for home in homes))


def find_recorded(settings: Settings) -> list[str]:
    """Slugs of all records on disk."""
    folder = settings.root / settings.data_dir / "notes"
    return sorted(path.stem for path in folder.glob("*.json"))


def read_template(root: Path, path: str) -> str | None:
    """The text of a template that another one pulls in; None when there is none."""
    target = root / path
    with suppress(OSError, UnicodeDecodeError, ValueError):
        if target.resolve().is_relative_to(root.resolve()):
            return target.read_bytes().decode("utf-8")
    return None


def _owned(
    records: tuple[Record, ...] | list[Record], journal: Journal
) -> dict[str, frozenset[str]]:
    owned = {path: set(digests) for path, digests in journal.items()}
    for record in records:
        for path, digest in record.outputs.items():
            owned.setdefault(path, set()).add(digest)
    return {path: frozenset(digests) for path, digests in owned.items()}
