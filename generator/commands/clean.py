"""`clean`: remove what the records list and nobody edited."""

from __future__ import annotations

import sys

from generator.history import find_recorded, read_known
from generator.notes import discover_notes
from generator.publish import locked, prune_orphan
from generator.settings import Settings
from generator.terminal import counted


def run_clean(settings: Settings, *, force: bool = False) -> int:
    """Delete generated files and records; hand-edited files stay, and are named.

    So do frozen notes unless forced: their records hold results that nobody computes again. A
    note that can't be read may be one.
    """
    found = discover_notes(settings)
    spared = dict.fromkeys(found.problems, "its template can't be read")
    spared |= {note.slug: "it is frozen" for note in found.notes if note.freeze}
    edited: list[str] = []
    removed: list[str] = []
    with locked(settings.root, lambda owner: print(f"waiting for {owner}", file=sys.stderr)):
        for slug in find_recorded(settings):
            if slug in spared and not force:
                print(f"kept {slug}: {spared[slug]} (--force removes it too)", file=sys.stderr)
                continue
            known = read_known(settings, slug, {})
            if known.record is None and not known.owned:
                continue  # not a record
            done = prune_orphan(settings.root, slug, settings.record_path(slug), known.owned)
            removed += done.removed
            edited += done.edited
    for path in removed:
        print(f"removed {path}")
    for path in edited:
        print(f"kept {path}: it was edited by hand", file=sys.stderr)
    print(f"{counted(len(removed), 'file')} removed")
    return 1 if edited else 0
