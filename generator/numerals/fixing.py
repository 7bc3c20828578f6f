"""The tag that takes the place of a numeral."""

from __future__ import annotations

import re

from generator.numerals.scanning import Numeral
from generator.numerals.sources import Source
from generator.places.matter import split_matter
from generator.values.digits import parse_literal


def write_fix(template: str, numeral: Numeral, source: Source) -> str:
    """The tag that prints the numeral as it is and holds it against its source."""
    literal = numeral.literal
    typed = parse_literal(literal)
    expression = source.expression
    if typed.value and source.value and (typed.value < 0) != (source.value < 0):
        expression = f"(-{expression})"
    if "%" in literal and abs(typed.value) * 10 < abs(source.value):
        literal = literal.rstrip("%")
        return _tag(template, numeral, expression, literal) + ("\\%" if numeral.in_math else "%")
    return _tag(template, numeral, expression, literal)


def _tag(template: str, numeral: Numeral, expression: str, literal: str) -> str:
    line_start = template.rfind("\n", 0, numeral.start) + 1
    line = template[line_start : template.find("\n", numeral.start) % (len(template) + 1)]
    if literal.lstrip("-").isdigit():
        return f"<%= {expression} %>"
    in_table = line.lstrip(" >").startswith("|")
    if in_table:
        return f"<%= {_call(expression, literal)} %>"
    quote = (
        "'"
        if '"' in line.partition("<%")[0] and line_start < len(split_matter(template)[0])
        else '"'
    )
    return f"<%= {expression} | claim({quote}{literal}{quote}) %>"


def _call(expression: str, literal: str) -> str:
    """A format as a call: a `|` would end the table cell in most editors."""
    mantissa = re.sub(r"[eE].*|%", "", literal)
    places = len(mantissa.partition(".")[2])
    if "%" in literal:
        return f"percent({expression}, {places})"
    if "e" in literal.lower():
        return f"sci({expression}, {len(re.sub('[-.,]', '', mantissa))})"
    if "," in literal:
        return f"thousands({expression}, {places})"
    return f"fixed({expression}, {places})"
