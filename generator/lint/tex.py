"""What is known of TeX macros: which of the two typesetters of a SciDraft page knows them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from generator.lint.note import Note, Placed

_KATEX_ONLY = (
    "R N Z reals Reals natnums Complex bm bold argmax argmin plim coloneqq Coloneqq eqqcolon "
    "vcentcolon minuscolon dblcolon ratio llbracket rrbracket mathclap mathllap mathrlap "
    "underbracket overbracket utilde medspace thetasym degree raisebox htmlId KaTeX "
    "includegraphics"
)
KATEX_ONLY = frozenset(_KATEX_ONLY.split())
KATEX_ONLY_ENVIRONMENTS = frozenset(("dcases", "rcases", "drcases"))
MATHJAX_ONLY = frozenset(("label", "ref", "eqref", "mbox", "DeclareMathOperator"))
MATHJAX_ONLY_ENVIRONMENTS = frozenset(("multline", "multline*"))
_UNKNOWN = (
    "mathbbm mathds norm abs E KL Var sign sgn tr Tr softmax textsc argsort diag rank erf supp "
    "vb dv qty bigsqcap intertext shortintertext undertilde"
)
UNKNOWN = frozenset(_UNKNOWN.split())
INSTEAD = {
    "R": "\\mathbb{R}",
    "N": "\\mathbb{N}",
    "Z": "\\mathbb{Z}",
    "bm": "\\boldsymbol",
    "argmax": "\\operatorname*{arg\\,max}",
    "argmin": "\\operatorname*{arg\\,min}",
    "coloneqq": "\\mathrel{:=}",
    "llbracket": "[\\![",
    "rrbracket": "]\\!]",
    "dcases": "\\begin{cases} with \\displaystyle",
    "mbox": "\\text",
    "norm": "\\lVert … \\rVert",
    "abs": "\\lvert … \\rvert",
    "E": "\\mathbb{E}",
    "mathbbm": "\\mathbb",
    "mathds": "\\mathbb",
    "textsc": "\\text",
    "rcases": "\\left. \\begin{aligned} … \\end{aligned} \\right\\}",
    "multline": "\\begin{gathered}",
    "multline*": "\\begin{gathered}",
    "mathclap": "\\substack or less text",
    "bold": "\\mathbf",
    "bigsqcap": "\\sqcap",
    "vb": "\\mathbf",
    "dv": "\\frac{d…}{d…}",
    "intertext": "\\text on a line of its own",
}
_OPERATOR_NAMES = "KL Var sign sgn tr Tr softmax argsort diag rank erf supp plim"
_OPERATORS = frozenset(_OPERATOR_NAMES.split())
MACRO = re.compile(r"\\([A-Za-z]+)")
ENVIRONMENT = re.compile(r"\\begin\s*\{([A-Za-z]+\*?)\}")
_DEFINED = re.compile(
    r"\\(?:(?:re)?newcommand\*?|providecommand|DeclareMathOperator\*?|g?def|let)\s*\{?\\([A-Za-z]+)"
)


@cache
def defined_macros(text: str) -> frozenset[str]:
    """The macros that a note defines for itself."""
    return frozenset(_DEFINED.findall(text))


def unknown_macros(
    note: Note, placed: Placed, names: frozenset[str], environments: frozenset[str] = frozenset()
) -> Iterator[tuple[int, str]]:
    """The macros of a formula that are among `names` and not defined in the note, placed."""
    source = placed.source
    for found in MACRO.finditer(source):
        if found[1] in names and found[1] not in defined_macros(note.text):
            yield placed.passage.locate(placed.span.inner[0] + found.start()), found[1]
    for found in ENVIRONMENT.finditer(source):
        if found[1] in environments:
            yield placed.passage.locate(placed.span.inner[0] + found.start()), found[1]


def write_instead(name: str) -> str:
    """What both typesetters know in place of a macro."""
    if name in INSTEAD:
        return f"write `{INSTEAD[name]}`"
    if name in _OPERATORS:
        return f"write `\\operatorname{{{name}}}`"
    return ""
