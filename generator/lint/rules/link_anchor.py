"""Links to anchors that are not there."""

from __future__ import annotations

from collections.abc import Iterator

from generator.errors import near_names
from generator.lint.addresses import decode
from generator.lint.anchors import find_anchors, loosen
from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    own: frozenset[str] | None = None
    for link in note.spans("link"):
        address, mark, anchor = link.target.partition("#")
        if not mark or not anchor or note.shortcode_at(link.at, link.end):
            continue
        if not address:
            own = find_anchors(note.text[note.front.end :]) if own is None else own
            anchors: frozenset[str] | None = own
        else:
            anchors = (facts.pages or {}).get(address) or None
        if anchors is not None and not _has(anchors, decode(anchor)):
            where = f"on `{address}`" if address else "in this note"
            hint = near_names(anchor, anchors)
            yield Finding(link.target_at, f"there is no anchor `#{anchor}` {where}", hint)


def _has(anchors: frozenset[str], anchor: str) -> bool:
    generated = anchor.startswith(("fn:", "fnref:", "ref-", "cite-", "algorithm-", "top"))
    return generated or anchor in anchors or loosen(anchor) in anchors


RULE = Rule(
    "link-anchor",
    "warning",
    "A link to an anchor that is not there",
    "The reader stays at the top of the page.",
    _check,
)
