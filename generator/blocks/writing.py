"""What a drawing wrote and where: room for it, and what makes it hard to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from math import cos, radians, sin
from typing import TYPE_CHECKING

from generator.blocks.style import PHONE_WIDTH
from generator.errors import Problem
from generator.frozen import dataclass

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SMALLEST = 9.0
"""The smallest text on a phone, in pixels."""
SLACK = 2.0
_SPARE = 4.0
_LEAST_AXES = 0.2
_COMPARED = 150
_TOLD = 3


@dataclass(frozen=True, slots=True)
class Written:
    """One line of text in a drawing, in pixels from its top left."""

    text: str
    """What it says."""
    size: float
    """Its font's size."""
    left: float
    top: float
    right: float
    bottom: float
    upright: bool
    """Whether the box is the text's own: not turned by anything but right angles."""


def measure_text(
    text: str, size: float, x: float, y: float, box: tuple[float, float, float], angle: float
) -> Written:
    """Text whose baseline starts at (x, y); `box` is its width, height and descent."""
    width, height, descent = box
    turn = radians(angle)
    corners = [
        (x + along * cos(turn) - up * sin(turn), y - along * sin(turn) - up * cos(turn))
        for along in (0, width)
        for up in (height - descent, -descent)
    ]
    across, down = zip(*corners, strict=True)
    upright = abs(angle % 90) < 1e-6
    return Written(text, size, min(across), min(down), max(across), max(down), upright)


def widen_margins(figure: Figure, written: Sequence[Written], width: float, height: float) -> bool:
    """Make room for text that sticks out; False when none does, or the axes leave no room."""
    if not any(_sticks_out(item, width, height) for item in written):
        return False
    pars = figure.subplotpars
    left = pars.left + _excess(-min(item.left for item in written)) / width
    right = pars.right - _excess(max(item.right for item in written) - width) / width
    top = pars.top - _excess(-min(item.top for item in written)) / height
    bottom = pars.bottom + _excess(max(item.bottom for item in written) - height) / height
    if right - left < _LEAST_AXES or top - bottom < _LEAST_AXES:
        return False
    figure.subplots_adjust(left=left, right=right, top=top, bottom=bottom)
    return True


def find_problems(
    figure: Figure, written: Sequence[Written], width: float, height: float
) -> Iterator[Problem]:
    """Missing labels, and text that is too small, cut off, or written over other text."""
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            ticks = any(label.get_text() for label in axis.get_ticklabels())
            if axes.axison and axis.get_visible() and ticks and not axis.get_label_text():
                name = axis.axis_name
                yield _warn("label", f"an axis has no label: {name}", f"ax.set_{name}label(…)")
    scale = PHONE_WIDTH / max(width, PHONE_WIDTH)
    smallest = min((item.size for item in written), default=SMALLEST / scale)
    if smallest * scale < SMALLEST - 0.05:
        small = f"text of size {smallest:g} is {smallest * scale:.1f} px high on a phone"
        yield _warn("text", small, f"use size {SMALLEST / scale:.1f} or more")
    for item in written:
        if _sticks_out(item, width, height):
            yield _warn("clipped", f"the text {item.text!r} is cut off", "fig.subplots_adjust(…)")
    for one, other in islice(_overlaps(written), _TOLD):
        yield _warn("overlap", f"{one.text!r} is written over {other.text!r}", "give them room")


def _overlaps(written: Sequence[Written]) -> Iterator[tuple[Written, Written]]:
    upright = [item for item in written if item.upright and item.text.strip()]
    for one, other in combinations(upright[:_COMPARED], 2):
        across = min(one.right, other.right) - max(one.left, other.left)
        down = min(one.bottom, other.bottom) - max(one.top, other.top)
        if across > SLACK and down > 2 * SLACK:
            yield one, other


def _sticks_out(item: Written, width: float, height: float) -> bool:
    beyond = max(-item.left, -item.top, item.right - width, item.bottom - height)
    return beyond > SLACK and bool(item.text.strip())


def _excess(amount: float) -> float:
    return amount + _SPARE if amount > SLACK else 0.0


def _warn(code: str, message: str, hint: str) -> Problem:
    return Problem("", 0, message, hint, f"figure-{code}", "warning")
