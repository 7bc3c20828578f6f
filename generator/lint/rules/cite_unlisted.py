"""Citations that no reference list takes."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.citations import find_citations, reference_lists
from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Edit, Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    lists = reference_lists(note)
    for citation in find_citations(note):
        if citation.form in ("p", "t", "author", "year", "alp", "alt"):
            start = citation.at + len("\\cite")
            edit = Edit(start, start + len(citation.form), "")
            message = f"the theme knows no `\\cite{citation.form}`"
            yield Finding(citation.at, message, "write `\\cite{key}`", (edit,))
        elif not citation.keys and not citation.form:
            yield Finding(citation.at, f"`{citation.source}` cites nothing")
        elif citation.references is None and not citation.form:
            where = "below the last reference list" if lists else "in a note without a list"
            hint = 'add `{{< references bib="bib/refs.bib" title="References" >}}` below it'
            yield Finding(citation.at, f"`{citation.source}` stands {where} and stays raw", hint)


RULE = Rule(
    "cite-unlisted",
    "error",
    "A citation that no reference list takes",
    "A list takes the citations above it. One below the last list, in a note without any, or in a "
    "form such as `\\citep` stays as it was typed.",
    _check,
    fixes=True,
)
