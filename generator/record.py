"""Records: what each note was built from, and what was written. Committed, made for review."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from generator.blocks.base import Json
from generator.fingerprint import CONFLICT_LINE, digest_bytes
from generator.frozen import dataclass

VERSION = 1
_WIDTH = 99  # and a comma


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a stage was seen to depend on."""

    files: Mapping[str, str] = field(default_factory=dict)
    """Digest of each file, by its path relative to the site; empty when it was not there."""
    folders: Mapping[str, str] = field(default_factory=dict)
    """Digest of each listed folder's names."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Digest of each declared environment variable."""


@dataclass(frozen=True, slots=True)
class Record:
    """What one note was built from, its results and claims, and what was written."""

    slug: str
    """The note."""
    template: str
    """Its template."""
    demo: str | None = None
    """Its demo."""
    params: Mapping[str, Any] = field(default_factory=dict)
    """Parameters that the demo ran with."""
    seed: int | None = None
    """Seed, as the front matter states it."""
    computed: Inputs = field(default_factory=Inputs)
    """What the computation depended on."""
    rendered: Inputs = field(default_factory=Inputs)
    """What the page depended on beside the results."""
    parts: Mapping[str, str] = field(default_factory=dict)
    """Digests of the generator's computing and rendering parts."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """The settings that the page depends on."""
    results: Mapping[str, Json] = field(default_factory=dict)
    """The results, as plain data."""
    where: Mapping[str, Any] = field(default_factory=dict)
    """Line of the demo on which each result is computed."""
    claims: tuple[Mapping[str, Any], ...] = ()
    """The claims, with expected and found."""
    unchecked: int = 0
    """Formulas of algorithms that were published without a check."""
    outputs: Mapping[str, str] = field(default_factory=dict)
    """Digest of each file that was written."""
    problems: tuple[Mapping[str, Any], ...] = ()
    """Warnings."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """What it was computed with; provenance only."""


_LONE_SURROGATE = re.compile("[\ud800-\udfff]")  # from file names that are not UTF-8
_AS_RETURNED = ("params", "results")
"""Mappings that keep their author's order, which templates may show."""


def dump_record(record: Record) -> str:
    """The record's text: keys sorted, short lists on one line, sealed with its own digest."""
    data = _to_data(record)
    parts = (
        f"  {json.dumps(name)}: {format_json(data[name], '  ', ordered=name in _AS_RETURNED)}"
        for name in sorted(data)
    )
    text = "{\n" + ",\n".join(parts) + ",\n"
    return _sealed(_LONE_SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text))


def _to_data(record: Record) -> dict[str, Any]:
    data: dict[str, Any] = {"version": VERSION}
    for name in Record.__slots__:
        value = getattr(record, name)
        if isinstance(value, Inputs):
            value = {key: getattr(value, key) for key in Inputs.__slots__ if getattr(value, key)}
        if isinstance(value, tuple):
            value = list(value)
        if value not in (None, [], {}, 0) or name in ("slug", "template", "seed"):
            data[name] = value
    return data


def _sealed(text: str) -> str:
    """The text with its digest as the last entry: an edited number must not reach a page, and
    two branches' changes must not merge into a record that no build made."""
    return f'{text}  "seal": "{digest_bytes(text.encode())}"\n}}\n'


def is_sealed(text: str) -> bool:
    """Whether the record is as it was written, by hand or merge unchanged."""
    text = text.replace("\r\n", "\n")
    start = text.rfind('  "seal": ')
    return start >= 0 and text == _sealed(text[:start])


def load_record(text: str) -> Record | None:
    """The record in `text`; None when it is torn, foreign or of another version."""
    try:
        data = json.loads(text)
        if isinstance(data, dict):
            data.pop("seal", None)
        if not isinstance(data, dict) or data.pop("version", None) != VERSION:
            return None
        unknown = set(data) - set(Record.__slots__)
        if (
            unknown
            or not isinstance(data.get("slug"), str)
            or not isinstance(data["template"], str)
        ):
            return None
        for stage in ("computed", "rendered"):
            data[stage] = Inputs(**data.get(stage, {}))
        for listed in ("claims", "problems"):
            data[listed] = tuple(data.get(listed, ()))
        record = Record(**data)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return record if _is_sound(record) else None


def _is_sound(record: Record) -> bool:
    """Whether every part has the kind that readers of a record rely on."""
    mappings = (
        *(
            getattr(stage, name)
            for stage in (record.computed, record.rendered)
            for name in Inputs.__slots__
        ),
        record.outputs,
        record.parts,
        record.versions,
    )
    plain = (record.params, record.settings, record.results, record.where)
    return (
        all(isinstance(mapping, dict) for mapping in (*mappings, *plain))
        and all(isinstance(value, str) for mapping in mappings for value in mapping.values())
        and all(isinstance(item, dict) for item in (*record.claims, *record.problems))
        and isinstance(record.demo, str | None)
        and isinstance(record.seed, int | None)
        and all(is_inside(path) for path in record.outputs)
    )


def is_inside(path: str) -> bool:
    """Whether a path of a record stays in the site: what it owns may be deleted."""
    return (
        not path.startswith("/") and "\\" not in path and ".." not in path.split("/") and path != ""
    )


def split_conflict(text: str) -> tuple[str, str]:
    """Both sides of a text with conflict marks."""
    sides: tuple[list[str], list[str]] = ([], [])
    inside = ""
    for line in re.findall(r"[^\n]*\n|[^\n]+", text):
        mark = CONFLICT_LINE.match(line)
        if mark:
            inside = {"<": "ours", "|": "base", "=": "theirs", ">": ""}[mark.group(1)[0]]
        elif inside != "base":
            for side, name in zip(sides, ("ours", "theirs"), strict=True):
                if inside in ("", name):
                    side.append(line)
    return "".join(sides[0]), "".join(sides[1])


def format_json(value: Any, indent: str = "", *, ordered: bool = False) -> str:
    """JSON, keys sorted unless `ordered` as they are; what fits on a line stays on it."""
    flat = json.dumps(value, sort_keys=not ordered, ensure_ascii=False, allow_nan=False)
    simple = not isinstance(value, dict) or not value or indent.count("  ") > 2
    if simple and len(flat) + len(indent) <= _WIDTH:
        return flat
    deeper = indent + "  "
    if isinstance(value, dict):
        lines = (
            f"{deeper}{json.dumps(key, ensure_ascii=False)}: "
            + format_json(value[key], deeper, ordered=ordered)
            for key in (value if ordered else sorted(value))
        )
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}" if value else "{}"
    if isinstance(value, (list, tuple)):
        return "[\n" + ",\n".join(_fill_lines(value, deeper, ordered)) + f"\n{indent}]"
    return flat


def _fill_lines(items: Iterable[Any], indent: str, ordered: bool) -> list[str]:
    """List items, as many scalars on a line as fit."""
    lines: list[str] = []
    current = ""
    for item in items:
        text = format_json(item, indent, ordered=ordered)
        scalar = not isinstance(item, (list, dict))
        if scalar and current and len(current) + len(text) + 2 <= _WIDTH:
            current += ", " + text
            continue
        if current:
            lines.append(current)
        current = indent + text if scalar else ""
        if not scalar:
            lines.append(indent + text)
    return [*lines, current] if current else lines
