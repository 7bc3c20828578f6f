"""Bibliographies: the site's `.bib` files as CSL-JSON, for a theme that sets them at build time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from generator.errors import GeneratorError, Problem

TYPES = {
    "article": "article-journal",
    "book": "book",
    "booklet": "pamphlet",
    "conference": "paper-conference",
    "inbook": "chapter",
    "incollection": "chapter",
    "inproceedings": "paper-conference",
    "manual": "report",
    "mastersthesis": "thesis",
    "misc": "document",
    "online": "webpage",
    "phdthesis": "thesis",
    "proceedings": "book",
    "techreport": "report",
    "unpublished": "manuscript",
}
"""CSL's types by BibTeX's."""

FIELDS = {
    "address": "publisher-place",
    "booktitle": "container-title",
    "doi": "DOI",
    "edition": "edition",
    "eprint": "number",
    "institution": "publisher",
    "isbn": "ISBN",
    "issn": "ISSN",
    "journal": "container-title",
    "note": "note",
    "number": "issue",
    "pages": "page",
    "publisher": "publisher",
    "school": "publisher",
    "series": "collection-title",
    "title": "title",
    "url": "URL",
    "volume": "volume",
}
"""CSL's variables by BibTeX's fields."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_VERBATIM = {"doi", "url", "eprint", "isbn", "issn"}


def convert_bibliography(text: str, path: str) -> list[dict[str, Any]]:
    """The CSL-JSON items of a `.bib` file, in its order.

    Raises GeneratorError, with the line where it is known, when the file can't be read.
    """
    from pybtex.database import parse_string
    from pybtex.exceptions import PybtexError
    from pybtex.scanner import PybtexSyntaxError

    try:
        parsed = parse_string(text, "bibtex")
    except PybtexSyntaxError as error:
        line = int(getattr(error, "lineno", 0) or 0)
        raise GeneratorError(_problem(path, line, str(error).split(": ", 1)[-1])) from None
    except (PybtexError, ValueError, RecursionError) as error:
        raise GeneratorError(_problem(path, 0, str(error))) from None
    items: list[dict[str, Any]] = []
    for key, entry in parsed.entries.items():
        try:
            items.append(_item(key, entry))
        except (PybtexError, ValueError) as error:  # LaTeX that ends in the middle, names too
            reason = getattr(error, "reason", "") or error
            raise GeneratorError(_problem(path, 0, f"`{key}`: {reason}")) from None
    return items


def dump_items(items: list[dict[str, Any]]) -> bytes:
    """The items as a data file's bytes."""
    return (json.dumps(items, ensure_ascii=False, indent=2, sort_keys=True) + "\n").encode()


def _problem(path: str, line: int, message: str) -> Problem:
    hint = "mend the entry; until then no note can cite from this file"
    return Problem(path, line, f"not BibTeX: {' '.join(message.split())}", hint, "bib")


def _item(key: str, entry: Any) -> dict[str, Any]:
    kind = str(entry.type).lower()
    item: dict[str, Any] = {"id": key, "type": TYPES.get(kind, "document")}
    fields: Mapping[str, str] = {name.lower(): value for name, value in entry.fields.items()}
    for name, value in fields.items():
        if name in FIELDS:
            item[FIELDS[name]] = value.strip() if name in _VERBATIM else plain_text(value)
    if "page" in item:
        item["page"] = re.sub(r"\s*-+\s*", "–", item["page"])
    if date := _date(fields):
        item["issued"] = {"date-parts": [date]}
    for role, persons in entry.persons.items():
        item[role.lower()] = [_name(person) for person in persons]
    return item


def _date(fields: Mapping[str, str]) -> list[int]:
    """Year, month and day as far as they are given."""
    iso = re.match(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", fields.get("date", ""))
    if iso:
        return [int(part) for part in iso.groups() if part]
    year = re.search(r"\d{4}", fields.get("year", ""))
    if not year:
        return []
    month = fields.get("month", "").strip().lower()[:3]
    return [int(year.group()), *([_MONTHS.index(month) + 1] if month in _MONTHS else [])]


def _name(person: Any) -> dict[str, str]:
    given = " ".join([*person.first_names, *person.middle_names])
    parts = {
        "family": " ".join(person.last_names),
        "given": given,
        "non-dropping-particle": " ".join(person.prelast_names),
        "suffix": " ".join(person.lineage_names),
    }
    named = {name: plain_text(value) for name, value in parts.items() if value}
    return named if given or "family" not in named else {"literal": named["family"]}


def plain_text(source: str) -> str:
    """LaTeX in a field as text: accents as letters, grouping braces gone, formulas kept."""
    return re.sub(r"[ \t\r\n]+", " ", "".join(_pieces(source))).strip()


def _pieces(source: str) -> Iterator[str]:
    """Formulas as they are, in the delimiters that notes use; the rest as text."""
    import codecs

    import latexcodec  # noqa: F401  -- registers the codec

    for i, piece in enumerate(re.split(r"(?<!\\)\$([^$]*)\$", source)):
        if i % 2:
            yield f"\\({piece}\\)"
            continue
        piece = re.sub(r"(\\[^a-zA-Z\s])\{\\([ij])\}", r"\1{\2}", piece)  # no dot, no matter
        piece = re.sub(r"\\(?:emph|textit|textbf|texttt|textsc)\s*", "", piece)
        decoded = str(codecs.lookup("ulatex").decode(piece)[0])  # type: ignore[arg-type]
        yield re.sub(r"(?<!\\)[{}]", "", decoded).replace("~", "\u00a0").replace("\\&", "&")
