"""Front matter: where it ends, and the places in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.places.marks import PLACEHOLDER, numbers_in
from generator.places.scalars import Scalar, find_scalars
from generator.spots import Place, Spot

_MATTER = re.compile(
    r"(\ufeff?---[ \t]*\r?\n)(.*?)(^---[ \t]*(?:\r?\n|\Z))", re.DOTALL | re.MULTILINE
)
_OTHER_MATTER = re.compile(
    r"\ufeff?(\+\+\+[ \t]*\r?\n.*?^\+\+\+[ \t]*(?:\r?\n|\Z))", re.DOTALL | re.MULTILINE
)
_JSON_MATTER = re.compile(r"\ufeff?\{\r?\n.*?^\}[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_MATH_OPEN = re.compile(r"\\\(|\\\)|\$")


def split_matter(text: str) -> tuple[str, str]:
    """The front matter with its fences, and the body."""
    for pattern in (_MATTER, _OTHER_MATTER, _JSON_MATTER):
        if match := pattern.match(text):
            return text[: match.end()], text[match.end() :]
    return "", text


def find_in_matter(head: str) -> Iterator[tuple[int, Spot]]:
    """The spot of each placeholder in front matter."""
    for number in numbers_in(head):
        yield number, Spot(Place.OPAQUE_FRONT_MATTER)
    for scalar in matter_scalars(head):
        yield from scalar_spots(scalar)


def matter_scalars(head: str) -> list[Scalar]:
    """The scalars that hold placeholders; none if the front matter is not YAML."""
    match = _MATTER.match(head)
    return find_scalars(match[2], match.end(1)) if match else []


def scalar_spots(scalar: Scalar) -> Iterator[tuple[int, Spot]]:
    """The spots in one scalar; inside `\\(…\\)` they are math."""
    whole = PLACEHOLDER.fullmatch(scalar.value.strip()) is not None
    for match in PLACEHOLDER.finditer(scalar.value):
        spot = Spot(Place.FRONT_MATTER, quote=scalar.style, whole=whole)
        if _in_math(scalar.value[: match.start()]):
            before = scalar.value[match.start() - 1 : match.start()]
            spot = Spot(Place.MATH_INLINE, quote=scalar.style, before=before)
        yield int(match[1]), spot


def _in_math(head: str) -> bool:
    last = ""
    for match in _MATH_OPEN.finditer(head):
        if match[0] == "$":
            last = "" if last == "$" else last or "$"
        elif last != "$":
            last = match[0] if match[0] == r"\(" else ""
    return bool(last)
