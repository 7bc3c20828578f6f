"""Mermaid diagrams of a type that Mermaid does not know."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.errors import near_names
from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule

_EVERY_TYPE = (
    "graph flowchart flowchart-elk sequenceDiagram classDiagram classDiagram-v2 stateDiagram "
    "stateDiagram-v2 erDiagram journey gantt pie quadrantChart requirement requirementDiagram "
    "gitGraph mindmap timeline sankey sankey-beta xychart xychart-beta block block-beta packet "
    "packet-beta kanban architecture architecture-beta radar-beta treemap treemap-beta info "
    "C4Context C4Container C4Component C4Dynamic C4Deployment eventmodeling treeView-beta "
    "railroad-beta railroad-abnf-beta railroad-ebnf-beta railroad-peg-beta venn-beta "
    "wardley-beta ishikawa ishikawa-beta cynefin-beta swimlane-beta"
)
TYPES = frozenset(_EVERY_TYPE.split())
_FRONT = re.compile(r"\s*---[ \t]*\n.*?\n---[ \t]*\n", re.DOTALL)
_REMARK = re.compile(r"%%\{.*?\}%%|%%[^\n]*", re.DOTALL)


def diagram_type(content: str) -> str:
    """The first word of a diagram, after its front matter, directives and remarks."""
    text = _REMARK.sub("", _FRONT.sub("", content, count=1)).strip()
    found = re.match(r"[\w-]+", text)
    return found[0] if found else ""


def is_diagram(content: str) -> bool:
    return diagram_type(content) in TYPES


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    for fence in note.fences:
        if fence.language != "mermaid":
            continue
        name = diagram_type(fence.content)
        if name in TYPES:
            continue
        offset = fence.content[: fence.content.find(name)].count("\n") if name else -1
        at = note.starts[min(fence.first + 1 + offset, len(note.starts) - 1)]
        near = near_names(name, TYPES) or _same_letters(name)
        message = f"Mermaid knows no diagram type `{name}`" if name else "the diagram is empty"
        yield Finding(at, message, near, severity=None if near or not name else "warning")


def _same_letters(name: str) -> str:
    same = [kind for kind in sorted(TYPES) if kind.lower() == name.lower()]
    return f"write `{same[0]}`" if same else ""


RULE = Rule(
    "mermaid-type",
    "error",
    "A Mermaid fence of an unknown type",
    "The page shows an error picture. A type that resembles none of Mermaid 11's may belong to a "
    "newer version (a warning).",
    _check,
)
