"""Values and the way they are written in a note."""

from generator.values.escape import check_text
from generator.values.formats import (
    FORMATS,
    Number,
    allow_nan,
    binary,
    fixed,
    literal,
    parse_format,
    percent,
    plus_minus,
    sci,
    short,
    si,
    sig,
    thousands,
    unit,
)
from generator.values.kinds import Md, Measure, Refused, Tex
from generator.values.writing import write_text, write_value

__all__ = [
    "FORMATS",
    "Md",
    "Measure",
    "Number",
    "Refused",
    "Tex",
    "allow_nan",
    "binary",
    "check_text",
    "fixed",
    "literal",
    "parse_format",
    "percent",
    "plus_minus",
    "sci",
    "short",
    "si",
    "sig",
    "thousands",
    "unit",
    "write_text",
    "write_value",
]
