"""YAML scalars: those that hold values are rewritten, all else in front matter stays as it is."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from generator.frozen import dataclass
from generator.places.marks import PLACEHOLDER
from generator.spots import Notation, Place
from generator.values import write_value
from generator.values.plain import to_python, write_plain

if TYPE_CHECKING:
    from yaml.nodes import Node, ScalarNode

_PROPERTIES = re.compile(r"(?:[&!]\S*\s+)+")
_WORDS = re.compile(r"[A-Za-z][A-Za-z0-9 ]*[A-Za-z0-9]|[A-Za-z]")
_HARMLESS = re.compile(r"[\w .()/+\u2212\u202f×±·–—⁻-]*")
_RESERVED = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n", "nan", "inf"})


@dataclass(frozen=True, slots=True)
class Scalar:
    """One YAML scalar that holds placeholders."""

    start: int
    """Offset of its first character in the note."""
    end: int
    """Offset behind its last character."""
    style: str
    """Its quote, `|` or `>`, or nothing for a plain scalar."""
    value: str
    """Its text as YAML reads it."""


def find_scalars(source: str, offset: int) -> list[Scalar]:
    """The scalars of some YAML that hold placeholders, keys left out; empty when it can't be read,
    which other checks report. `offset` is where the YAML starts in the note."""
    if not PLACEHOLDER.search(source):
        return []
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        root = yaml.compose(source, Loader=loader)
    except yaml.YAMLError:
        return []
    found = {
        node.start_mark.index: Scalar(
            offset + _behind_properties(source, node.start_mark.index),
            offset + node.end_mark.index,
            node.style or "",
            node.value,
        )
        for node in _scalars(root)
        if PLACEHOLDER.search(node.value)
    }
    return list(found.values())


def _behind_properties(source: str, start: int) -> int:
    """Where a scalar's text starts, behind its anchor and tag."""
    match = _PROPERTIES.match(source, start)
    return match.end() if match else start


def _scalars(node: Node | None) -> Iterator[ScalarNode]:
    from yaml.nodes import MappingNode, ScalarNode, SequenceNode

    if isinstance(node, ScalarNode):
        yield node
    elif isinstance(node, SequenceNode):
        for item in node.value:
            yield from _scalars(item)
    elif isinstance(node, MappingNode):
        for _, item in node.value:
            yield from _scalars(item)


def rewrite_scalar(
    source: str, scalar: Scalar, write: Callable[[int], str], typed: str = ""
) -> str:
    """The scalar's new source. `write` gives the text of a value; `typed` is the YAML for a value
    that has a plain scalar to itself and keeps its type."""
    if typed and not scalar.style:
        return typed
    if scalar.style == '"':
        return PLACEHOLDER.sub(lambda m: quote_double(write(int(m[1])))[1:-1], source)
    if scalar.style == "'":
        filled = PLACEHOLDER.sub(lambda m: write(int(m[1])).replace("'", "''"), source)
        return filled if _is_printable(filled) else quote_double(_fill(scalar.value, write))
    if scalar.style in ("|", ">"):
        return PLACEHOLDER.sub(lambda m: " ".join(write(int(m[1])).split()), source)
    text = _fill(scalar.value, write)
    if "\n" not in source and _is_plain(text):
        return PLACEHOLDER.sub(lambda m: write(int(m[1])), source)
    return quote_double(text)


def _fill(text: str, write: Callable[[int], str]) -> str:
    return PLACEHOLDER.sub(lambda match: write(int(match[1])), text)


_SPACES = "\u00a0\u202f"
"""No-break spaces: not printable for Python, yet fine in YAML and for a reviewer."""


def quote_double(text: str) -> str:
    """A double-quoted YAML scalar. What can't be seen is written as an escape."""
    import json

    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(c if c.isprintable() or c in _SPACES else f"\\U{ord(c):08x}" for c in quoted)


def _is_printable(text: str) -> bool:
    return all(char.isprintable() for char in text)


def _is_plain(text: str) -> bool:
    """Whether YAML, in any version and in a flow list, reads the bare text as that string."""
    if _WORDS.fullmatch(text):
        return text.lower() not in _RESERVED
    return text[:1].isalpha() and text == text.rstrip() and _HARMLESS.fullmatch(text) is not None


def write_yaml(value: object, digits: int) -> str:
    """A value that keeps its type in YAML: a number stays a number. Text for readers comes back
    empty, since it is written into the scalar like any other."""
    value = to_python(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if math.isinf(value):
            return ".inf" if value > 0 else "-.inf"
        return write_plain(value, Notation.CODE, digits)
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_yaml_item(item, digits) for item in value) + "]"
    if isinstance(value, Mapping):
        pairs = (f"{quote_double(str(k))}: {_yaml_item(v, digits)}" for k, v in value.items())
        return "{" + ", ".join(pairs) + "}"
    return ""


def _yaml_item(value: Any, digits: int) -> str:
    if typed := write_yaml(value, digits):
        return typed
    return quote_double(write_value(value, Place.FRONT_MATTER, digits=digits))
