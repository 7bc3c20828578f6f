"""Validation loss by model size: perplexities, two power laws, and what their residuals say."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from math import atan, cos, pi, sin, sqrt
from pathlib import Path
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from generator import PALETTE, Figure, Table, subplots

DATA = Path(__file__).parent / "data" / "validation_loss.csv"
LAST = 4
"""How many of the largest models the main fit uses."""
LEVEL = 0.95
"""Coverage of the intervals."""
HALF_DIGIT = 0.0005
"""Half a unit in the last digit of the losses, which are given to three decimals."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PowerLaw:
    """A least-squares line through log loss against log parameters: L = A·N^exponent."""

    exponent: float
    """Slope of the line."""
    intercept: float
    """Logarithm of A."""
    error: float
    """Standard error of the exponent, from the residuals over the degrees of freedom."""
    freedom: int
    """Degrees of freedom: rows less two."""
    residuals: Floats
    """log loss less fitted log loss, shape (rows,)."""

    def predict(self, parameters: Floats) -> Floats:
        """Fitted losses for `parameters`, of the same shape."""
        return np.exp(self.intercept + self.exponent * np.log(parameters))

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Student's interval for the exponent at the given level."""
        reach = student_quantile(level, self.freedom) * self.error
        return self.exponent - reach, self.exponent + reach


def fit_power_law(parameters: Floats, losses: Floats) -> PowerLaw:
    """Fit log losses on log parameters, both of shape (n,), by ordinary least squares.

    The standard error is that of a simple regression: sqrt(RSS / (n - 2) / Sxx). Raises
    ValueError for fewer than three rows. Source: Montgomery, Peck and Vining, Introduction to
    Linear Regression Analysis, section 2.3.
    """
    if len(losses) < 3:
        raise ValueError("a slope and its standard error need at least three rows")
    x, y = np.log(parameters), np.log(losses)
    spread = float(np.sum((x - x.mean()) ** 2))
    exponent = float(np.sum((x - x.mean()) * (y - y.mean()))) / spread
    intercept = float(y.mean() - exponent * x.mean())
    residuals = y - (intercept + exponent * x)
    freedom = len(losses) - 2
    error = sqrt(float(np.sum(residuals**2)) / freedom / spread)
    return PowerLaw(exponent, intercept, error, freedom, residuals)


def student_quantile(level: float, freedom: int) -> float:
    """The t with P(|T| <= t) = level for Student's T with `freedom` degrees, by bisection.

    The probability is a finite sum for whole degrees of freedom: Abramowitz and Stegun,
    Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
    """
    low, high = 0.0, 1e6
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if central_mass(middle, freedom) < level else (low, middle)
    return high


def central_mass(t: float, freedom: int) -> float:
    """P(|T| <= t) for Student's T with a whole number of degrees of freedom."""
    angle = atan(t / sqrt(freedom))
    odd = freedom % 2 == 1
    term = cos(angle) if odd else 1.0
    total = 0.0
    for k in range(1 if odd else 0, freedom - 1, 2):
        total += term
        term *= cos(angle) ** 2 * (k + 1) / (k + 2)
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


def local_slopes(parameters: Floats, losses: Floats) -> Floats:
    """Slopes of log loss against log parameters between neighbouring rows, shape (n - 1,)."""
    return np.diff(np.log(losses)) / np.diff(np.log(parameters))


def slope_rounding(parameters: Floats, losses: Floats) -> Floats:
    """How far rounding the losses can move each local slope, shape (n - 1,)."""
    relative = HALF_DIGIT / losses
    return (relative[1:] + relative[:-1]) / np.diff(np.log(parameters))


def residual_rounding(parameters: Floats, losses: Floats) -> Floats:
    """How far rounding the losses can move each residual of the fit, shape (n,).

    The residuals are (I - H) log L, with the hat matrix H of the regression on log parameters.
    """
    design = np.column_stack([np.ones(len(losses)), np.log(parameters)])
    hat = design @ np.linalg.pinv(design)
    return np.asarray(np.abs(np.eye(len(losses)) - hat) @ (HALF_DIGIT / losses))


def draw_fit(parameters: Floats, losses: Floats, law: PowerLaw, wide: PowerLaw) -> Figure:
    """Losses with both fitted lines, and below them the residuals, on one axis of sizes."""
    figure, (top, bottom) = subplots(2, 1, height=620, sharex=True, height_ratios=(2, 1))
    sizes = np.geomspace(parameters[0] / 1.25, parameters[-1] * 1.25, 100)
    kept = parameters[-LAST:]
    ours, theirs = PALETTE[0], PALETTE[1]
    top.plot(sizes, law.predict(sizes), color=ours, label=f"last {LAST} rows")
    top.plot(sizes, wide.predict(sizes), color=theirs, linestyle="--", label="all rows")
    top.plot(parameters, losses, "o", color=PALETTE[2], label="trained models")
    top.set(xscale="log", yscale="log", ylabel="validation loss (nats per token)")
    ticks = [2.6, 2.8, 3.0, 3.2, 3.4]
    top.set_yticks(ticks, [f"{tick:.1f}" for tick in ticks])
    top.minorticks_off()
    top.legend()
    bottom.axhline(0, linewidth=1, color=PALETTE.grey)
    bottom.plot(kept, 100 * law.residuals, "o-", color=ours)
    bottom.plot(parameters, 100 * wide.residuals, "s--", color=theirs)
    bottom.set(xlabel="parameters", ylabel="residual (%)")
    bottom.set_xticks(parameters, [f"{size / 1e6:.0f}M" for size in parameters])
    bottom.minorticks_off()
    return Figure(
        figure,
        alt=(
            "Two panels over model size on log axes. Above, five losses fall from left to right; "
            "the line through the last four passes below the smallest model, and the line "
            "through all five is steeper. Below, the residuals of both fits bend like a bowl: "
            "positive at the ends, negative between."
        ),
        caption="Loss against size with both fits (above) and the residuals of log loss (below).",
    )


def run(rng: np.random.Generator) -> dict[str, object]:
    """Read the table, fit it twice, and describe how the fits miss."""
    with DATA.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    parameters = np.array([float(row["parameters"]) for row in rows])
    losses = np.array([float(row["loss"]) for row in rows])
    law = fit_power_law(parameters[-LAST:], losses[-LAST:])
    wide = fit_power_law(parameters, losses)
    slopes = local_slopes(parameters, losses)
    rounding = slope_rounding(parameters, losses)
    perplexities = np.exp(losses)
    widths = np.array([int(row["d_model"]) for row in rows])
    heads = np.array([int(row["heads"]) for row in rows])
    sizes = [f"{size / 1e6:.0f}M" for size in parameters]
    table = Table(
        {
            "Parameters": sizes,
            r"\(d_{\text{model}}\)": widths,
            "Heads": heads,
            "Validation loss": losses,
            "Perplexity": perplexities,
        },
        align={"Parameters": "right"},
        formats={"Validation loss": "fixed(3)", "Perplexity": "fixed(2)"},
    )
    misses = Table(
        {
            "Parameters": sizes,
            "Local slope": [None, *slopes],
            f"Residual, last {LAST}": [None] * (len(rows) - LAST) + list(law.residuals),
            "Residual, all": wide.residuals,
        },
        align={"Parameters": "right"},
        formats={
            "Local slope": "fixed(4)",
            f"Residual, last {LAST}": "percent(2)",
            "Residual, all": "percent(2)",
        },
    )
    return {
        "losses": table,
        "misses": misses,
        "fit": draw_fit(parameters, losses, law, wide),
        "rows": len(rows),
        "last": LAST,
        "freedom": law.freedom,
        "exponent": law.exponent,
        "error": law.error,
        "interval": law.interval(),
        "level": LEVEL,
        "student": student_quantile(LEVEL, law.freedom),
        "normal": NormalDist().inv_cdf((1 + LEVEL) / 2),
        "exponent_all": wide.exponent,
        "error_all": wide.error,
        "freedom_all": wide.freedom,
        "interval_all": wide.interval(),
        "perplexities": perplexities,
        "head_widths": widths / heads,
        "residuals": law.residuals,
        "residuals_all": wide.residuals,
        "worst_residual": float(np.abs(law.residuals).max()),
        "worst_residual_all": float(np.abs(wide.residuals).max()),
        "over_rounding": np.abs(law.residuals)
        / residual_rounding(parameters[-LAST:], losses[-LAST:]),
        "slopes": slopes,
        "slope_changes": np.diff(slopes),
        "slope_rounding": rounding[1:] + rounding[:-1],
        "first_excess": losses[0] / float(law.predict(parameters[:1])[0]) - 1,
        "doubling": 1 - 2**law.exponent,
    }
