"""The source of an algorithm as a code fence with the line numbers of its file."""

from __future__ import annotations

import re
import textwrap

from generator.algorithms.comments import read_source
from generator.algorithms.docstring import find_docstring
from generator.algorithms.lines import Listing
from generator.algorithms.steps import Program


def write_listing(source: Listing, *, strip: bool) -> str:
    """A fence longer than any run of backticks in the source; numbered from its file's line."""
    text = source.bare if strip else source.text
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    first = 1 if strip else source.first
    return f"{fence}python {{linenos=true linenostart={first}}}\n{text.rstrip()}\n{fence}"


def cut_listing(text: str, program: Program) -> Listing:
    """The lines of a program's function, and the same without annotations."""
    node = program.node
    lines = text.split("\n")
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    last = node.end_lineno or node.lineno
    whole = textwrap.dedent("\n".join(lines[first - 1 : last]))
    docstring = find_docstring(node)
    dropped: set[int] = set()
    if docstring is not None:
        dropped = set(range(docstring.lineno, (docstring.end_lineno or docstring.lineno) + 1))
    comments = read_source(text).comments
    bare = []
    for number in range(node.lineno, last + 1):
        line, comment = lines[number - 1], comments.get(number)
        if number in dropped or (comment and comment.alone) or not line.strip():
            continue
        bare.append(line[: comment.column].rstrip() if comment else line)
    return Listing(whole, textwrap.dedent("\n".join(bare)), first)
