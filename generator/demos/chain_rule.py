"""The chain rule: a product of local slopes, against a complex step, and against depth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generator import PALETTE, Figure, Table, Tex, subplots

STEP = 1e-30
"""The imaginary step: nothing is subtracted, so it may be as small as one likes."""
COMPOSITIONS = 300
"""Random compositions that the product is compared on."""
STEEPNESS = 1.5
"""Slope at zero of the steep map tanh(STEEPNESS·x)."""
GROWTH, WOBBLE = 1.1, 0.05
"""The expanding map GROWTH·x + WOBBLE·sin x, whose slope is at least GROWTH - WOBBLE."""
DEPTH = 64
"""The deepest composition."""
LOST_RANGE = (10, 11)
"""Where the cancellation is measured."""
LATE = 8192
"""A depth at which the slow decay has settled."""
STARTS = 201
"""Starting points that each map is iterated from."""

Floats = NDArray[np.float64]
Numbers = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Layer:
    """A scalar function with its derivative, both elementwise."""

    apply: Callable[[Numbers], Numbers]
    """The function; it accepts complex arrays."""
    slope: Callable[[Floats], Floats]
    """Its derivative on real arrays."""


def sech_squared(x: Floats) -> Floats:
    """The derivative of tanh, with full relative accuracy wherever cosh does not overflow."""
    return 1 / np.cosh(x) ** 2


def tanh_layer(weight: float, bias: float = 0.0) -> Layer:
    """The layer tanh(weight·x + bias)."""
    return Layer(
        lambda x: np.tanh(weight * x + bias), lambda x: weight * sech_squared(weight * x + bias)
    )


def cancelling_tanh_layer(weight: float, bias: float = 0.0) -> Layer:
    """The same layer with its slope taken from the output: 1 - tanh², which cancels."""
    return Layer(
        lambda x: np.tanh(weight * x + bias),
        lambda x: weight * (1 - np.tanh(weight * x + bias) ** 2),
    )


EXPANDING = Layer(lambda x: GROWTH * x + WOBBLE * np.sin(x), lambda x: GROWTH + WOBBLE * np.cos(x))
MAPS = {"saturating": tanh_layer(1.0), "steep": tanh_layer(STEEPNESS), "expanding": EXPANDING}
FORMULAS = {
    "saturating": r"\tanh x",
    "steep": rf"\tanh {STEEPNESS}x",
    "expanding": rf"{GROWTH}x + {WOBBLE} \sin x",
}


def differentiate_chain(layers: Sequence[Layer], x: Floats) -> tuple[list[Floats], Floats]:
    """Differentiate a composition by the chain rule.

    Returns the stored activations x_0 … x_n and the derivative of x_n with respect to x_0, every
    array of the shape of `x`. Raises ValueError when there is no layer. Source: Griewank and
    Walther, Evaluating Derivatives, chapter 3 (reverse accumulation).
    """
    if not layers:
        raise ValueError("a composition needs at least one layer")
    activations = [x]
    for layer in layers:
        activations.append(layer.apply(activations[-1]))
    product = np.ones_like(x)
    for layer, stored in zip(reversed(layers), reversed(activations[:-1]), strict=True):
        product = product * layer.slope(stored)
    return activations, product


def complex_step(layers: Sequence[Layer], x: Floats) -> Floats:
    """The same derivative as Im f(x + ih) / h, without any derivative rule."""
    value: Numbers = x + 1j * STEP
    for layer in layers:
        value = layer.apply(value)
    return np.asarray(value.imag / STEP, dtype=np.float64)


def random_layers(rng: np.random.Generator, make: Callable[[float, float], Layer]) -> list[Layer]:
    """Between one and DEPTH layers with weights from N(0, 1) and biases from N(0, 2²)."""
    depth = int(rng.integers(1, DEPTH + 1))
    return [make(rng.standard_normal(), 2 * rng.standard_normal()) for _ in range(depth)]


def disagreements(seed: int, make: Callable[[float, float], Layer]) -> tuple[Floats, Floats]:
    """Relative differences between product and complex step over the random compositions.

    Returns them with the compositions' depths, both of shape (COMPOSITIONS,).
    """
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(COMPOSITIONS):
        layers = random_layers(rng, make)
        x = rng.standard_normal(1)
        ratio = differentiate_chain(layers, x)[1] / complex_step(layers, x)
        found.append((float(np.abs(ratio - 1)[0]), len(layers)))
    differences, depths = np.array(found).T
    return differences, depths


def slopes_by_depth(layer: Layer, x: Floats, depth: int = DEPTH) -> Floats:
    """|dx_n/dx_0| of the iterated map for n = 1 … depth, shape (depth, number of starts)."""
    activations, _ = differentiate_chain([layer] * depth, x)
    slopes = np.array([np.abs(layer.slope(stored)) for stored in activations[:-1]])
    return np.asarray(np.cumprod(slopes, axis=0))


def vanishing_point() -> float:
    """The smallest x, to a double's precision, at which 1 - tanh²(x) is exactly zero."""
    low, high = 1.0, 30.0
    while low < (middle := (low + high) / 2) < high:
        low, high = (low, middle) if 1 - np.tanh(middle) ** 2 == 0 else (middle, high)
    return high


def local_power(products: Floats, depth: int) -> float:
    """The p of n^p between depth/2 and depth, from medians over the starts."""
    early, late = np.median(products[[depth // 2 - 1, depth - 1]], axis=1)
    return float(np.log2(late / early))


def fixed_point(weight: float) -> float:
    """The positive solution of x = tanh(weight·x), by iteration; needs weight > 1."""
    x = 1.0
    for _ in range(1000):
        x = float(np.tanh(weight * x))
    return x


def draw_depths(products: dict[str, Floats]) -> Figure:
    """Median and 5th to 95th percentile of the product against depth, on a log axis."""
    figure, axis = subplots()
    depths = np.arange(1, DEPTH + 1)
    for colour, name in zip(PALETTE, ("expanding", "saturating", "steep"), strict=False):
        low, middle, high = np.quantile(products[name], [0.05, 0.5, 0.95], axis=1)
        axis.fill_between(depths, low, high, color=colour, alpha=0.2, linewidth=0)
        axis.plot(depths, middle, color=colour, label=f"${FORMULAS[name]}$")
    axis.set(yscale="log", xlabel="depth n (layers)", ylabel=r"$|dx_n/dx_0|$", ylim=(1e-31, 1e5))
    axis.set_yticks([1e-30, 1e-20, 1e-10, 1])  # none behind the legend
    axis.set_xticks([1, 8, 16, 24, 32, 40, 48, 56, 64])
    axis.legend()
    return Figure(
        figure,
        alt=(
            "The size of the derivative against depth on a log axis. The expanding map rises along "
            "a straight line, tanh x sinks slowly along a curve that flattens, and the steep "
            "tanh falls along a straight line through more than twenty powers of ten."
        ),
        caption=(
            r"\(\lvert dx_n/dx_0 \rvert\) of three iterated maps: median over the starting "
            "points, with the band from the 5th to the 95th percentile."
        ),
    )


def run(rng: np.random.Generator) -> dict[str, object]:
    """Check the product against a complex step, then follow it through depth."""
    seed = int(rng.integers(2**32))
    starts = rng.standard_normal(STARTS)
    products = {name: slopes_by_depth(layer, starts) for name, layer in MAPS.items()}
    shown = [1, 8, DEPTH]
    means = {
        name: [float(np.median(product[n - 1] ** (1 / n))) for n in shown]
        for name, product in products.items()
    }
    final = {name: float(np.median(product[-1])) for name, product in products.items()}
    x = np.linspace(*LOST_RANGE, 1001)
    lost = np.abs((1 - np.tanh(x) ** 2) / sech_squared(x) - 1)
    point = fixed_point(STEEPNESS)
    differences, depths = disagreements(seed, tanh_layer)
    cancelling, _ = disagreements(seed, cancelling_tanh_layer)
    late = slopes_by_depth(MAPS["saturating"], starts, LATE)
    grid = np.linspace(-100, 100, 100_001)
    table = Table(
        {
            "Map": [Tex(formula) for formula in FORMULAS.values()],
            **{rf"\(n = {n}\)": [means[m][k] for m in FORMULAS] for k, n in enumerate(shown)},
            rf"Product at \(n = {DEPTH}\)": [final[name] for name in FORMULAS],
        },
        formats={
            **{rf"\(n = {n}\)": "fixed(3)" for n in shown},
            rf"Product at \(n = {DEPTH}\)": "sig(3)",
        },
        variant="academic",
    )
    return {
        "depths": draw_depths(products),
        "means": table,
        "step": STEP,
        "epsilon": float(np.finfo(np.float64).eps),
        "compositions": COMPOSITIONS,
        "depth": DEPTH,
        "starts": STARTS,
        "disagreement": float(differences.max()),
        "disagreement_per_layer": float((differences / depths).max()),
        "disagreement_cancelling": float(cancelling.max()),
        "lost_range": list(LOST_RANGE),
        "lost": float(lost.max()),
        "vanishes_at": vanishing_point(),
        "mean": means,
        "final": final,
        "saturating_power": local_power(products["saturating"], DEPTH),
        "saturating_power_late": local_power(late, LATE),
        "late": LATE,
        "steepness": STEEPNESS,
        "growth": GROWTH,
        "wobble": WOBBLE,
        "slope_at_zero": float(MAPS["steep"].slope(np.zeros(1))[0]),
        "last_factor": float(np.median(products["steep"][-1] / products["steep"][-2])),
        "fixed_point": point,
        "fixed_slope": float(MAPS["steep"].slope(np.array([point]))[0]),
        "least_slope": float(EXPANDING.slope(grid).min()),
        "greatest_slope": float(EXPANDING.slope(grid).max()),
    }
