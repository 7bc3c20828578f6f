"""From placeholders to text: each value is written for its place, all else stays byte for byte."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from generator.blocks.base import Block
from generator.frozen import dataclass
from generator.places.finding import find_places
from generator.places.marks import PLACEHOLDER, placeholder
from generator.places.matter import matter_scalars, split_matter
from generator.places.neighbours import check_emphasis, fit_math, look_around, may_be_empty
from generator.places.regions import rewrite_argument, rewrite_fence, rewrite_span
from generator.places.scalars import rewrite_scalar, write_yaml
from generator.spots import MATH, Notation, Place, Spot
from generator.values import Refused, write_value
from generator.values.plain import write_plain

REDELIMITED = frozenset({Place.CODE_SPAN, Place.CODE_FENCE, Place.SHORTCODE_ARG})
"""Places whose delimiters give way to a value that holds them."""


class Unplaceable(Exception):  # noqa: N818 - what it says is about a value, not about a bug
    """A value that can't stand where its tag is."""

    def __init__(self, i: int, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.i = i
        """The placeholder's number."""
        self.message = message
        """What is wrong."""
        self.hint = hint
        """What to do about it."""


def fill_places(
    text: str,
    values: Mapping[int, object],
    *,
    digits: int,
    block_markdown: Callable[[Block], str],
) -> str:
    """The note with every placeholder replaced by its value, written for its place. Whatever is no
    placeholder comes out as it went in. Raises a group of `Unplaceable`, one for each fault."""
    if not PLACEHOLDER.search(text):
        return text
    text, origins = _tell_apart(text, values)
    filler = _Filler(
        {number: values[origin] for number, origin in origins.items() if origin in values},
        find_places(text),
        digits,
        block_markdown,
    )
    filled = filler.fill(text)
    if filler.faults:
        order = {int(match[1]): index for index, match in enumerate(PLACEHOLDER.finditer(text))}
        faults = sorted(filler.faults, key=lambda fault: order[fault.i])
        raise ExceptionGroup(
            "values that can't stand where they are",
            [Unplaceable(origins[fault.i], fault.message, fault.hint) for fault in faults],
        )
    return filled


def _tell_apart(text: str, values: Mapping[int, object]) -> tuple[str, dict[int, int]]:
    """The text with a number of its own for each occurrence, and what each stood for.

    One that stands for no value stays: whatever it is, it came with the text.
    """
    origins: dict[int, int] = {}
    fresh = max((int(match[1]) for match in PLACEHOLDER.finditer(text)), default=0) + 1

    def renumber(match: re.Match[str]) -> str:
        nonlocal fresh
        number = int(match[1])
        if number not in values:
            return match[0]
        if number not in origins:
            origins[number] = number
            return match[0]
        origins[fresh] = number
        fresh += 1
        return placeholder(fresh - 1)

    return PLACEHOLDER.sub(renumber, text), origins


@dataclass(frozen=True, slots=True)
class Edit:
    """A stretch of the note to be replaced as a whole."""

    start: int
    end: int
    text: str


class _Filler:
    """The values of one note and the faults found on the way."""

    def __init__(
        self,
        values: Mapping[int, object],
        spots: Mapping[int, Spot],
        digits: int,
        block_markdown: Callable[[Block], str],
    ) -> None:
        self.values = values
        self.spots = spots
        self.digits = digits
        self.block_markdown = block_markdown
        self.faults: list[Unplaceable] = []

    def fill(self, text: str) -> str:
        head, _ = split_matter(text)
        edits = [*self._matter_edits(head), *self._region_edits(text, len(head))]
        parts, position = [], 0
        for edit in sorted(edits, key=lambda edit: edit.start):
            parts += [self._fill_plain(text, position, edit.start), edit.text]
            position = edit.end
        return "".join([*parts, self._fill_plain(text, position, len(text))])

    def _fill_plain(self, text: str, start: int, end: int) -> str:
        parts, position = [], start
        for match in PLACEHOLDER.finditer(text, start, end):
            parts.append(text[position : match.start()])
            number = int(match[1])
            if number in self.values:
                spot = look_around(text, match, self.spots[number])
                parts.append(self._write(number, spot))
            else:
                parts.append(match[0])
            position = match.end()
        return "".join([*parts, text[position:end]])

    def _write(self, number: int, spot: Spot) -> str:
        try:
            return self._write_at(self.values[number], spot)
        except Refused as fault:
            self.faults.append(Unplaceable(number, fault.message, fault.hint))
            return ""

    def _write_at(self, value: object, spot: Spot) -> str:
        if isinstance(value, Block):
            return self._write_block(value, spot)
        written = write_value(value, spot, digits=self.digits)
        if spot.place in MATH:
            return fit_math(written, spot)
        if not written.strip() and not may_be_empty(spot):
            raise Refused(
                f"an empty value can't stand in {spot.place.value}",
                "leave the tag out with `<% if … %>`",
            )
        check_emphasis(written, spot)
        return written

    def _write_block(self, block: Block, spot: Spot) -> str:
        if spot.place is not Place.BLOCK:
            where = "running text" if spot.place is Place.PROSE else spot.place.value
            raise Refused(
                f"a {type(block).__name__} can't stand in {where}",
                "give its tag a paragraph of its own, with an empty line before and after it",
            )
        lines = self.block_markdown(block).rstrip("\n").split("\n")
        prefix = spot.prefix
        rest = [(prefix + line) if line else prefix.rstrip() for line in lines[1:]]
        return spot.after_newline.join([lines[0], *rest])

    def _region_edits(self, text: str, start: int) -> Iterator[Edit]:
        """Code and shortcode arguments whose delimiters have to change."""
        done = -1
        for match in PLACEHOLDER.finditer(text, start):
            spot, region = self.spots[int(match[1])], None
            if match.start() < done or spot.place not in REDELIMITED:
                continue
            spot = look_around(text, match, spot)
            if spot.place is Place.CODE_SPAN:
                region = rewrite_span(text, match, spot, self._raw_code)
            elif spot.place is Place.CODE_FENCE:
                region = rewrite_fence(text, start, spot, self._raw_code)
            else:
                region = rewrite_argument(text, match, spot, self._raw_code)
            if region is not None:
                done = region[1]
                yield Edit(*region)

    def _raw_code(self, number: int) -> str | None:
        """A value's text in code, unescaped; None when it is not to be filled, or not here."""
        value = self.values.get(number)
        if value is None or isinstance(value, Block):
            return None
        try:
            return write_plain(value, Notation.CODE, self.digits)
        except Refused:
            return None

    def _matter_edits(self, head: str) -> Iterator[Edit]:
        for scalar in matter_scalars(head):
            numbers = [int(match[1]) for match in PLACEHOLDER.finditer(scalar.value)]
            if not all(number in self.values for number in numbers):
                continue
            source = head[scalar.start : scalar.end]
            typed = ""
            if not scalar.style and self.spots[numbers[0]].whole:
                typed = self._typed(numbers[0])
            write = self._matter_writer(source)
            yield Edit(scalar.start, scalar.end, rewrite_scalar(source, scalar, write, typed))

    def _matter_writer(self, source: str) -> Callable[[int], str]:
        def write(number: int) -> str:
            match = re.search(placeholder(number), source)
            spot = self.spots[number]
            return self._write(number, look_around(source, match, spot) if match else spot)

        return write

    def _typed(self, number: int) -> str:
        try:
            return write_yaml(self.values[number], self.digits)
        except Refused as fault:
            self.faults.append(Unplaceable(number, fault.message, fault.hint))
            return "null"
