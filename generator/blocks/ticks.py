"""Tick labels of logarithmic axes that do not run into each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LABELLED = (2, 5)


def thin_log_ticks(figure: Figure) -> None:
    """Label decades; where fewer than two are in view, also their double and fivefold.

    Axes whose author chose a formatter for minor ticks are left alone.
    """
    from matplotlib.ticker import FuncFormatter, LogFormatterSciNotation, NullFormatter

    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if axis.get_scale() != "log" or not axis.isDefault_minfmt:
                continue
            if _count_decades(*sorted(axis.get_view_interval())) >= 2:
                axis.set_minor_formatter(NullFormatter())
                continue
            write = LogFormatterSciNotation(labelOnlyBase=False, minor_thresholds=(99, 99))
            write.set_axis(axis)
            axis.set_minor_formatter(FuncFormatter(_labelling(write)))


def _labelling(write: Any) -> Any:
    def label(value: float, place: int | None = None) -> str:
        leading = round(float(f"{value:e}".partition("e")[0]), 6)
        return str(write(value, place)) if leading in _LABELLED else ""

    return label


def _count_decades(low: float, high: float) -> int:
    """Powers of ten between two positive numbers, both included."""
    from math import ceil, floor, log10

    if low <= 0:
        return 2
    return floor(log10(high) + 1e-9) - ceil(log10(low) - 1e-9) + 1
