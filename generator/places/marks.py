"""What stands in for a value until its place is known: letters and digits, safe in any syntax."""

from __future__ import annotations

import re

PLACEHOLDER = re.compile(r"zxq(0|[1-9][0-9]{0,8})qxz")
"""A placeholder, with its number."""


def placeholder(number: int) -> str:
    """The stand-in for value `number`."""
    return f"zxq{number}qxz"


def numbers_in(text: str) -> list[int]:
    """The numbers of the placeholders in a text, in order."""
    return [int(match[1]) for match in PLACEHOLDER.finditer(text)]
