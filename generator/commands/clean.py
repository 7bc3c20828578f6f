"""`clean`: remove what the records list and nobody edited."""

from __future__ import annotations

import sys

from generator.history import find_recorded, read_known
from generator.publish import locked, prune_orphan
from generator.settings import Settings
from generator.terminal import counted


def run_clean(settings: Settings) -> int:
    """Delete generated files and records; hand-edited files stay, and are named."""
    edited: list[str] = []
    removed: list[str] = []
    with locked(settings.root, lambda owner: print(f"waiting for {owner}", file=sys.stderr)):
        for slug in find_recorded(settings):
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
