"""A note's front matter with the position of each key and value."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from generator.frozen import dataclass

_FENCE = re.compile(r"\ufeff?(?:\s*\n)?(---|\+\+\+)[ \t]*\r?\n")


@dataclass(frozen=True, slots=True)
class Field:
    """One key of the front matter."""

    key: str
    """As written."""
    value: object
    """A string, number, boolean, list, mapping or nothing; dates as they are written."""
    at: int
    """Offset of the key in the note."""
    start: int
    """Offset of the value."""
    end: int
    """Offset after the value."""
    quoted: bool = False
    """Whether the value is a quoted string."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The block of metadata that opens a note."""

    language: str = ""
    """`yaml`, `toml`, `json`, or empty where the note has none."""
    end: int = 0
    """Offset of the first character after it."""
    fields: Mapping[str, Field] = field(default_factory=dict)
    """Its top-level keys, in lower case, for Hugo ignores letter case."""
    source: str = ""
    """The text between its fences."""
    fault: str = ""
    """Why it cannot be read; empty where it can."""
    fault_at: int = 0
    """Where in the note."""

    def value(self, key: str) -> object:
        """A key's value, letter case ignored; `None` where it is missing."""
        found = self.fields.get(key.lower())
        return found.value if found else None


def front_matter_of(text: str) -> str:
    """The start of a note that alone decides what its front matter is; empty for none."""
    opened = _FENCE.match(text)
    closed = _closing(opened[1]).search(text, opened.end()) if opened else None
    return text[: closed.end()] if closed else ""


def dump_front_matter(front: FrontMatter) -> str:
    """As JSON, if that gives the same back; else nothing."""
    fields = [
        (name, f.key, f.value, f.at, f.start, f.end, f.quoted) for name, f in front.fields.items()
    ]
    whole = [front.language, front.end, fields, front.source, front.fault, front.fault_at]
    try:
        text = json.dumps(whole)
        return text if load_front_matter(text) == front else ""
    except (TypeError, ValueError, RecursionError):
        return ""


def load_front_matter(text: str) -> FrontMatter:
    language, end, fields, source, fault, fault_at = json.loads(text)
    named = {name: Field(*parts) for name, *parts in fields}
    return FrontMatter(language, end, named, source, fault, fault_at)


def read_front_matter(text: str) -> FrontMatter:
    """Splits the front matter from a note; never raises."""
    opened = _FENCE.match(text)
    if not opened:
        return _read_json(text) if text.lstrip("\ufeff \t\r\n").startswith("{") else FrontMatter()
    language = "yaml" if opened[1] == "---" else "toml"
    closed = _closing(opened[1]).search(text, opened.end())
    if not closed:
        fault = f"the front matter is never closed by a line of `{opened[1]}`"
        return FrontMatter(language, len(text), fault=fault)
    source = text[opened.end() : closed.start()]
    read = _read_yaml if language == "yaml" else _read_toml
    fields, fault, fault_at = read(source, opened.end())
    return FrontMatter(language, closed.end(), fields, source, fault, fault_at)


def _closing(fence: str) -> re.Pattern[str]:
    return re.compile(rf"^{re.escape(fence)}[ \t]*(?:\r?\n|\Z)", re.MULTILINE)


Reading = tuple[Mapping[str, Field], str, int]


def _read_yaml(source: str, offset: int) -> Reading:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    starts = _line_starts(source)

    def position(mark: Any) -> int:
        column: int = mark.column
        line: int = min(mark.line, len(starts) - 1)
        return offset + min(starts[line] + column, len(source))

    try:
        root = yaml.compose(source, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = str(getattr(error, "problem", None) or error).splitlines()[0]
        return {}, f"the front matter is not valid YAML: {reason}", position(mark) if mark else 0
    if root is None:
        return {}, "", 0
    if not isinstance(root, yaml.MappingNode):
        return {}, "the front matter is not a list of `key: value` lines", offset
    fields: dict[str, Field] = {}
    for key, value in root.value:
        name = str(key.value)
        at = position(key.start_mark)
        if name.lower() in fields and fields[name.lower()].key == name:
            return fields, f"the key `{name}` stands twice in the front matter", at
        quoted = getattr(value, "style", None) in ("'", '"')
        start, end = position(value.start_mark), position(value.end_mark)
        fields[name.lower()] = Field(name, _plain(value), at, start, end, quoted)
    return fields, "", 0


def _plain(node: Any) -> object:
    if isinstance(node.value, list):
        if node.tag.endswith(":map"):
            return {str(key.value): _plain(value) for key, value in node.value}
        return [_plain(item) for item in node.value]
    kind, text = node.tag.rsplit(":", 1)[-1], node.value
    if kind == "bool":
        return text.lower() in ("true", "yes", "on")
    if kind == "null":
        return None
    if kind in ("int", "float"):
        try:
            return int(text) if kind == "int" else float(text)
        except ValueError:
            return text
    return text


def _read_toml(source: str, offset: int) -> Reading:
    import tomllib

    try:
        values = tomllib.loads(source.replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        found = re.search(r"line (\d+)", str(error))
        line = int(found[1]) - 1 if found else 0
        starts = _line_starts(source)
        at = offset + starts[min(line, len(starts) - 1)]
        reason = re.sub(r" \(at .*\)$", "", str(error))
        return {}, f"the front matter is not valid TOML: {reason}", at
    fields: dict[str, Field] = {}
    for key, value in values.items():
        mark = re.search(rf"^\s*[\"']?{re.escape(key)}[\"']?\s*[=.]?\s*(.*)$", source, re.MULTILINE)
        at = offset + (mark.start() if mark else 0)
        start, end = (offset + mark.start(1), offset + mark.end(1)) if mark else (at, at)
        plain = value if isinstance(value, (bool, int, float, str, list, dict)) else str(value)
        quoted = isinstance(value, str)
        fields[key.lower()] = Field(key, plain, at, start, end, quoted)
    return fields, "", 0


def _read_json(text: str) -> FrontMatter:
    """JSON front matter; its values all stand where it begins."""
    start = text.index("{")
    try:
        values, end = json.JSONDecoder().raw_decode(text, start)
    except ValueError:
        # Also how a note without front matter may begin, with a shortcode or a brace.
        return FrontMatter()
    fields = {key.lower(): Field(key, value, start, start, start) for key, value in values.items()}
    return FrontMatter("json", end, fields, text[start:end])


def _line_starts(source: str) -> list[int]:
    return [0, *(found.end() for found in re.finditer("\n", source))]
