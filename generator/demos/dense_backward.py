"""Backward pass through a dense layer: three gradients, their cost, and what must be kept."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from generator import PALETTE, Figure, Table, Tex, algorithm, subplots

Array = NDArray[Any]
"""Floats, or complex numbers while a complex step is taken."""
Function = Callable[[Array], Array]
Slope = Callable[[Function, Array], float]
"""The slope at zero of a function along a direction."""

STEPS = (0.04, 0.02, 0.01, 0.005)
DEPTHS = (1, 2, 4, 8, 16, 32)


# The formatter would take `#?` for a comment.
# fmt: off
@algorithm("Backward Pass Through a Dense Layer")
def dense_backward(X: Array, W: Array, b: Array, G: Array) -> tuple[Array, Array, Array]:
    r"""The gradients of a scalar loss L through Y = X W + b, from G, its gradient in Y.

    Raises ValueError where shapes do not fit. Source: Goodfellow, Bengio and Courville,
    Deep Learning (2016), section 6.5.

    Require: Inputs \(X \in \mathbb{R}^{n \times d_{in}}\), one example a row
    Require: Weights \(W \in \mathbb{R}^{d_{in} \times d_{out}}\),
        bias \(b \in \mathbb{R}^{d_{out}}\)
    Require: Upstream gradient \(G \in \mathbb{R}^{n \times d_{out}}\),
        which is \(\frac{\partial L}{\partial Y}\)
    Ensure: Gradients \(\frac{\partial L}{\partial W} \in \mathbb{R}^{d_{in} \times d_{out}}\),
        \(\frac{\partial L}{\partial b} \in \mathbb{R}^{d_{out}}\),
        \(\frac{\partial L}{\partial X} \in \mathbb{R}^{n \times d_{in}}\)
    Where: \(\frac{\partial L}{\partial W}\) is dW
    Where: \(\frac{\partial L}{\partial b}\) is db
    Where: \(\frac{\partial L}{\partial X}\) is dX
    """
    # [weights] Pair every input with every upstream entry, summed over the batch:
    dW = X.T @ G  #: \(\frac{\partial L}{\partial W} \leftarrow X^{\top} G\)
    # [bias] Sum the upstream gradient over the batch:
    db = G.sum(axis=0)  #: \(\frac{\partial L}{\partial b} \leftarrow \sum_{i=1}^{n} G_{i}\)
    #? db.shape == b.shape
    # [inputs] Send the upstream gradient back through the weights:
    dX = G @ W.T  #: \(\frac{\partial L}{\partial X} \leftarrow G W^{\top}\)

    return dW, db, dX


# fmt: on


def dense(X: Array, W: Array, b: Array) -> Array:
    """The layer: X (n, d_in), W (d_in, d_out) and b (d_out,) give Y (n, d_out)."""
    return X @ W + b


def loss(X: Array, W: Array, b: Array, T: Array) -> Array:
    """The mean over examples of ½‖tanh(Y) − T‖²; analytic, so that it takes complex steps."""
    value: Array = ((np.tanh(dense(X, W, b)) - T) ** 2).sum() / (2 * len(X))
    return value


def gradients(X: Array, W: Array, b: Array, T: Array) -> tuple[Array, Array, Array]:
    """The gradients of `loss` in W, b and X, by the backward pass."""
    Z = np.tanh(dense(X, W, b))
    return dense_backward(X, W, b, (Z - T) * (1 - Z**2) / len(X))


def complex_step(f: Function, unit: Array) -> float:
    """The slope of f along `unit`, without cancellation (Squire and Trapp, 1998)."""
    return float(np.imag(f(1e-30j * unit)) / 1e-30)


def central_difference(h: float) -> Slope:
    """The slope from values of f at ±h; its error is of order h²."""
    return lambda f, unit: float(f(h * unit) - f(-h * unit)) / (2 * h)


def disagreements(layer: Sequence[Array], slope: Slope) -> list[float]:
    """For W, b and X: the largest error of an entry, over the gradient's largest entry."""
    found = []
    for position, gradient in zip((1, 2, 0), gradients(*layer), strict=True):
        numeric = np.empty_like(gradient)
        for index in np.ndindex(gradient.shape):
            unit = np.zeros_like(gradient)
            unit[index] = 1.0

            def nudged(step: Array, at: int = position) -> Array:
                return loss(*(a + step if i == at else a for i, a in enumerate(layer)))

            numeric[index] = slope(nudged, unit)
        found.append(float(np.abs(gradient - numeric).max() / np.abs(gradient).max()))
    return found


class Counted(float):
    """A number that counts the multiplications it takes part in."""

    multiplications: ClassVar[int] = 0

    def __mul__(self, other: float) -> Counted:
        Counted.multiplications += 1
        return Counted(float(self) * float(other))

    def __add__(self, other: float) -> Counted:
        return Counted(float(self) + float(other))

    __rmul__, __radd__ = __mul__, __add__


def multiplications(work: Callable[..., object], *arrays: Array, only: int | None = None) -> int:
    """The scalar multiplications that `work` does, counted by the scalars themselves.

    With `only`, those that an entry of this one of the arrays takes part in.
    """
    counted = [
        np.frompyfunc(Counted, 1, 1)(array) if only in (None, at) else array
        for at, array in enumerate(arrays)
    ]
    Counted.multiplications = 0
    # Unwrapped, an algorithm runs unobserved: the checks of a call multiply too.
    inspect.unwrap(work)(*counted)
    return Counted.multiplications


def find_readers(X: Array, W: Array, b: Array, G: Array) -> dict[str, list[str]]:
    """Which gradients read which array, found by filling one array after another with NaN."""
    arrays, readers = {"X": X, "W": W, "b": b, "G": G}, {}
    for name, array in arrays.items():
        spoilt = {**arrays, name: np.full_like(array, np.nan)}
        found = inspect.unwrap(dense_backward)(*spoilt.values())
        reached = zip("WbX", found, strict=True)
        readers[name] = [which for which, gradient in reached if np.isnan(gradient).any()]
    return readers


def readers_table(readers: dict[str, list[str]]) -> Table:
    return Table(
        [
            [Tex(name), *("read" if which in reached else "–" for which in "WbX")]
            for name, reached in readers.items()
        ],
        columns=["array", *(rf"\(\partial L / \partial {which}\)" for which in "WbX")],
        align=["left", "center", "center", "center"],
        variant="academic",
    )


def forward(X: Array, layers: Sequence[tuple[Array, Array]]) -> tuple[list[Array], Array]:
    """A deep tanh network: what its backward pass reads again, and the output."""
    cache = []
    for W, b in layers:
        cache.append(X)
        X = np.tanh(dense(X, W, b))
    return cache, X


def backward(cache: list[Array], output: Array, layers: Sequence[tuple[Array, Array]]) -> Array:
    """The gradient of the output's sum in the network's input."""
    G = np.ones_like(output)
    for X, (W, b) in zip(reversed(cache), reversed(layers), strict=True):
        # The derivative of tanh comes from its output, which is the next layer's input.
        G = inspect.unwrap(dense_backward)(X, W, b, G * (1 - output**2))[2]
        output = X
    return G


def memory_figure(depths: Sequence[int], activations: Array, weights: Array) -> Figure:
    fig, ax = subplots(height=360)
    ax.plot(depths, activations / 1024, "o-", color=PALETTE.blue, label="cached inputs")
    ax.plot(depths, weights / 1024, "s--", color=PALETTE.orange, label="weights and biases")
    ax.set(xlabel="depth (layers)", ylabel="memory (KiB)", xticks=(1, 8, 16, 32))
    ax.set_ylim(0, 1.25 * activations.max() / 1024)  # room for the legend
    ax.locator_params(axis="y", nbins=4)
    ax.legend()
    return Figure(
        fig,
        alt="Two straight lines through the origin: the bytes of the cached inputs and of the "
        "weights against depth. The cached inputs lie above the weights throughout.",
        caption="What one training step keeps in float64, counted from the arrays of real runs.",
        data={"depth": depths, "cached_bytes": activations, "weight_bytes": weights},
    )


def run(
    rng: np.random.Generator,
    *,
    n: int = 7,
    d_in: int = 5,
    d_out: int = 3,
    width: int = 48,
    batch: int = 128,
) -> dict[str, object]:
    """One layer with n examples, d_in inputs and d_out outputs; deep runs of `width`, `batch`."""
    layer = (
        rng.standard_normal((n, d_in)),
        rng.standard_normal((d_in, d_out)) / np.sqrt(d_in),
        rng.standard_normal(d_out),
        rng.standard_normal((n, d_out)),
    )
    central = [max(disagreements(layer, central_difference(h))) for h in STEPS]
    readers = find_readers(*layer)

    layers = [
        (
            rng.standard_normal((width, width)) / np.sqrt(width),
            rng.standard_normal(width) / 10,
        )
        for _ in range(max(DEPTHS))
    ]
    X = rng.standard_normal((batch, width))
    runs = [forward(X, layers[:depth]) for depth in DEPTHS]
    cached = np.array([sum(kept.nbytes for kept in cache) for cache, _ in runs])
    weights = np.array([sum(W.nbytes + b.nbytes for W, b in layers[:depth]) for depth in DEPTHS])
    half = forward(X[: batch // 2], layers)[0]

    direction = rng.standard_normal(X.shape)
    deep = float((backward(*runs[3], layers[: DEPTHS[3]]) * direction).sum())
    stepped = complex_step(lambda step: forward(X + step, layers[: DEPTHS[3]])[1].sum(), direction)
    return {
        "dense_backward": dense_backward,
        "complex_error": max(disagreements(layer, complex_step)),
        "central_error": central,
        "central_steps": list(STEPS),
        "central_order": np.polyfit(np.log(STEPS), np.log(central), 1)[0],
        "readers": readers,
        "readers_table": readers_table(readers),
        "forward_products": multiplications(dense, *layer[:3]),
        "backward_products": multiplications(dense_backward, *layer),
        "products_with": {
            name: multiplications(dense_backward, *layer, only=at) for at, name in enumerate("XWbG")
        },
        "depths": list(DEPTHS),
        "cached": cached,
        "linear": bool((cached == cached[0] * np.array(DEPTHS)).all()),
        "cached_half_batch": sum(kept.nbytes for kept in half),
        "weights": weights,
        "deep_error": abs(deep / stepped - 1),
        "deep_layers": DEPTHS[3],
        "memory": memory_figure(DEPTHS, cached, weights),
    }
