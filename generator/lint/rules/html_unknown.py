"""Words in angle brackets that vanish as unknown HTML elements."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Edit, Finding, Rule

_HTML = (
    "a abbr acronym address applet area article aside audio b base bdi bdo big blink blockquote "
    "body br button canvas caption center cite code col colgroup data datalist dd del details dfn "
    "dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 "
    "h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link "
    "main map mark marquee math menu meta meter nav nobr noframes noscript object ol optgroup "
    "option output p param picture pre progress q rp rt ruby s samp script search section select "
    "slot small source span strike strong style sub summary sup svg table tbody td template "
    "textarea tfoot th thead time title tr track tt u ul var video wbr"
)
_DRAWING = (
    "circle clippath defs desc ellipse filter foreignobject g image line lineargradient marker "
    "mask metadata path pattern polygon polyline radialgradient rect stop symbol text textpath "
    "tspan use view animate annotation maction merror mfrac mi mmultiscripts mn mo mover mpadded "
    "mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext "
    "mtr munder munderover none semantics"
)
ELEMENTS = frozenset(_HTML.split())
DRAWING_ELEMENTS = frozenset(_DRAWING.split())
_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)")


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    known = ELEMENTS
    if "<svg" in note.text or "<math" in note.text:
        known |= DRAWING_ELEMENTS
    for at, tag in _tags(note):
        found = _NAME.match(tag)
        if found and "-" not in found[1] and found[1].lower() not in known:
            edit = Edit(at, at + 1, "&lt;")
            message = f"`{tag[:40]}` is no HTML element and vanishes from the page"
            yield Finding(at, message, "write `&lt;`, or put it in backticks", (edit,))


def _tags(note: Note) -> Iterator[tuple[int, str]]:
    """The tags in text, and those that open a block of HTML."""
    for placed in note.spans("html"):
        yield placed.at, placed.passage.text[placed.span.start : placed.span.end]
    for block in note.blocks:
        if block.kind == "html" and (found := re.match(r"\s*(<[^<>\n]*>)", block.content)):
            at = note.text.find(found[1], block.at)
            yield max(at, block.at), found[1]


RULE = Rule(
    "html-unknown",
    "error",
    "A word in angle brackets vanishes",
    "Raw HTML is let through, so `<name>` reaches the browser as an element that shows nothing. "
    "Names with a hyphen are left alone: they may be custom elements.",
    _check,
    fixes=True,
)
