"""Citations of keys that the bibliography lacks."""

from __future__ import annotations

from collections.abc import Iterator

from generator.errors import near_names
from generator.lint.citations import bib_path, find_citations, reference_lists
from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    if facts.bibs is None:
        return
    for references in reference_lists(note):
        path = bib_path(references)
        if not path:
            yield Finding(
                references.start, "the reference list names no bibliography", "add `bib=`"
            )
        elif path not in facts.bibs:
            hint = near_names(path, facts.bibs) or "it is looked for under `assets/`"
            yield Finding(references.start, f"there is no bibliography `{path}`", hint)
    for citation in find_citations(note):
        path = bib_path(citation.references) if citation.references else ""
        if path not in facts.bibs:
            continue
        known = facts.bibs[path].keys
        for at, key in citation.keys:
            if key not in known:
                message = f"`{key}` is not in `{path}`"
                yield Finding(at, message, near_names(key, known))


RULE = Rule(
    "cite-unknown",
    "error",
    "A citation whose key, or bibliography, is missing",
    "An unknown key shows as “missing reference”; a bibliography that is not there stops Hugo.",
    _check,
)
