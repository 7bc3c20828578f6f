"""A value with its uncertainty: `0.0735 ± 0.0021` and `0.0735(21)`.

How many digits the uncertainty deserves is the `uncertainties` library's to say; it is imported
when the first such value is written.
"""

from __future__ import annotations

import math
import re
import sys
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

from generator.spots import Notation
from generator.values.kinds import Measure, Refused
from generator.values.notation import MINUS, write_power, write_unit

_LONG = re.compile(r"\(?(?P<value>[^+]+?)\+/-(?P<error>[\d.]+)\)?(?:e(?P<power>[-+]\d+))?")
_SHORT = re.compile(r"(?P<value>-?[\d.]+)\((?P<error>[\d.]+)\)(?:e(?P<power>[-+]\d+))?")


def to_measure(value: Any) -> Measure:
    """A measure, ours or the library's, as ours."""
    if isinstance(value, Measure):
        return value
    return Measure(float(value.nominal_value), float(value.std_dev))


def write_measure(
    measure: Measure, notation: Notation, *, brief: bool, digits: int | None, unit: str = ""
) -> str:
    """The measure in one notation; `brief` is the form with brackets."""
    if not (math.isfinite(measure.nominal) and math.isfinite(measure.std)):
        raise Refused("the value or its uncertainty is not finite", "mend the computation")
    if measure.std < 0:
        raise Refused("the uncertainty is negative", "mend the computation")
    match = _format(measure, brief, digits)
    minus = MINUS if notation is Notation.PROSE else "-"
    value, error = match["value"].replace("-", minus), match["error"]
    exponent = int(match["power"]) if match["power"] else None
    sign = {Notation.PROSE: "±", Notation.MATH: r"\pm", Notation.CODE: "+/-"}[notation]
    text = f"{value}({error})" if brief else f"{value} {sign} {error}"
    power = write_power(exponent, notation)
    if not brief and (power or unit):
        text = f"({text})"
    return text + power + write_unit(unit, notation)


def _format(measure: Measure, brief: bool, digits: int | None) -> re.Match[str]:
    ufloat = _load_ufloat()
    precision = f".{digits}u" if digits else (".2u" if measure.std else "")
    with warnings.catch_warnings(action="ignore"):  # that an uncertainty of 0 may be a mistake
        text = format(ufloat(measure.nominal, measure.std), precision + ("S" if brief else ""))
    match = (_SHORT if brief else _LONG).fullmatch(text)
    if match is None:
        raise Refused(f"{text} can't be written", "print value and uncertainty on their own")
    return match


@cache
def _load_ufloat() -> Callable[[float, float], Any]:
    """The library's constructor. The library imports numpy for arrays, which are never handed to it
    here: where numpy is not loaded yet, a private copy is made that does without, so that rendering
    stays quick and a demo that imports the library later gets a whole one."""
    if "numpy" in sys.modules or "uncertainties" in sys.modules:
        from uncertainties import ufloat

        return ufloat  # type: ignore[no-any-return]
    sys.modules["numpy"] = None  # type: ignore[assignment]
    try:
        from uncertainties import ufloat
    finally:
        del sys.modules["numpy"]
        for name in [name for name in sys.modules if name.partition(".")[0] == "uncertainties"]:
            del sys.modules[name]
    return ufloat  # type: ignore[no-any-return]
