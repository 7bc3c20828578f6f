"""Scaled dot-product attention: why the scores are divided by the root of their dimension."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from generator import PALETTE, Figure, Measure, Table, algorithm, subplots

Array = NDArray[np.float64]

DIMENSIONS = tuple(2**power for power in range(2, 11))
SIZES = ((16, 24), (32, 48), (64, 96), (128, 192), (256, 384))


def softmax(S: Array) -> Array:
    """The softmax of each row of S (n, m), shifted by the row's maximum."""
    E = np.exp(S - S.max(axis=1, keepdims=True))
    weights: Array = E / E.sum(axis=1, keepdims=True)
    return weights


# The formatter would take `#?` for a comment.
# fmt: off
@algorithm("Scaled Dot-Product Attention")
def attention(Q: Array, K: Array, V: Array) -> Array:
    r"""Every query's mean of the values, weighted by the softmax of its scaled scores.

    Raises ValueError where shapes do not fit. Source: Vaswani et al., Attention Is All You
    Need (2017), equation 1.

    Require: Queries \(Q \in \mathbb{R}^{n \times d_k}\)
    Require: Keys \(K \in \mathbb{R}^{m \times d_k}\), values \(V \in \mathbb{R}^{m \times d_v}\)
    Ensure: Output \(O \in \mathbb{R}^{n \times d_v}\)
    """
    # [scores] Score every query against every key:
    S = Q @ K.T  #: \(S \leftarrow Q K^{\top}\) with \(S \in \mathbb{R}^{n \times m}\)
    # [scale] Divide out the growth of the scores with their dimension:
    S = S / np.sqrt(K.shape[1])  #: \(S \leftarrow S / \sqrt{d_k}\)
    # [weights] Turn each row of scores into weights:
    A = softmax(S)  #: \(A \leftarrow \mathrm{softmax}(S)\) by rows
    #? np.allclose(A.sum(axis=1), 1)
    # [mix] Mix the values by the weights:
    O = A @ V

    return O


# fmt: on


def attention_weights(Q: Array, K: Array) -> Array:
    """The weights (n, m) that `attention` gives the keys: its output for one-hot values.

    A last column of ones makes d_v = m + 1, and comes out as the rows' sums.
    """
    m = len(K)
    # Unwrapped, an algorithm runs unobserved, at full speed.
    output = inspect.unwrap(attention)(Q, K, np.hstack([np.eye(m), np.ones((m, 1))]))
    if not np.allclose(output[:, m], 1, rtol=0, atol=1e-12):
        raise ArithmeticError("a row of weights does not sum to one")
    weights: Array = output[:, :m]
    return weights


def entropy(A: Array) -> float:
    """The mean over the rows of A (n, m) of −Σ a ln a, in nats; 0 ln 0 counts as 0."""
    return float(-(A * np.log(np.where(A > 0, A, 1))).sum(axis=1).mean())


def product_spread(rng: np.random.Generator, d_k: int, pairs: int) -> float:
    """The standard deviation of q·k over independent pairs of standard normal vectors."""
    q, k = rng.standard_normal((2, pairs, d_k))
    return float(np.einsum("ij,ij->i", q, k).std(ddof=1))


def fit_power(x: Sequence[float], y: Sequence[float]) -> Measure:
    """The exponent of y ∝ xᵖ by least squares on logarithms, with its standard error."""
    (slope, _), covariance = np.polyfit(np.log(x), np.log(y), 1, cov=True)
    return Measure(float(slope), float(np.sqrt(covariance[0, 0])))


def lies_within(Q: Array, K: Array, V: Array) -> bool:
    """Whether each entry of the output is between the least and the largest of its column of V."""
    output, low, high = attention(Q, K, V), V.min(axis=0), V.max(axis=0)
    return bool((output == output.clip(low, high)).all())


def draw_weights(rng: np.random.Generator, d_k: int, n: int, m: int) -> tuple[Array, Array]:
    """The weights with the scaling and without it, from the same random queries and keys."""
    Q, K = rng.standard_normal((n, d_k)), rng.standard_normal((m, d_k))
    return attention_weights(Q, K), attention_weights(Q * np.sqrt(d_k), K)


class Watched(np.ndarray[Any, Any]):
    """An array that notes how many entries the products it enters have."""

    entries: ClassVar[list[int]] = []

    def __matmul__(self, other: Any) -> Any:
        product = np.asarray(self) @ np.asarray(other)
        Watched.entries.append(product.size)
        return product


def score_entries(rng: np.random.Generator, n: int, m: int, d_k: int, d_v: int) -> tuple[int, int]:
    """Entries of S, and of Q, K, V and O together, counted in a run of `attention`."""
    shapes = ((n, d_k), (m, d_k), (m, d_v))
    Q, K, V = (rng.standard_normal(shape) for shape in shapes)
    Watched.entries.clear()
    output = inspect.unwrap(attention)(Q.view(Watched), K, V)
    return Watched.entries[0], Q.size + K.size + V.size + output.size


def entropy_figure(found: Array, limit: float) -> Figure:
    """`found` is (dimensions, seeds, 2): entropies with the scaling and without it."""
    fig, ax = subplots(height=400)
    styles = (("scaled", "o-", PALETTE.blue), ("unscaled", "s--", PALETTE.orange))
    for index, (label, mark, colour) in enumerate(styles):
        mean, spread = (
            found[:, :, index].mean(axis=1),
            found[:, :, index].std(axis=1, ddof=1),
        )
        ax.plot(DIMENSIONS, mean, mark, color=colour, label=label)
        ax.fill_between(DIMENSIONS, mean - spread, mean + spread, color=colour, alpha=0.25, lw=0)
    ax.axhline(limit, color=PALETTE.grey, lw=1.8, ls=":", label="equal weights")
    ax.set_xscale("log", base=2)
    ax.set_xticks(DIMENSIONS[::2], [str(d) for d in DIMENSIONS[::2]])
    ax.set(
        xlabel="dimension of queries and keys",
        ylabel="mean row entropy (nats)",
        ylim=(0, None),
    )
    ax.legend()
    return Figure(
        fig,
        alt="Mean row entropy against the dimension d_k. With the scaling a level line a little "
        "below the entropy of equal weights; without it a line that falls towards zero.",
        caption=r"Mean row entropy of the weights against \(d_k\); bands are one standard "
        "deviation over the seeds.",
        data={
            "d_k": DIMENSIONS,
            "scaled": found[:, :, 0].mean(axis=1),
            "scaled_sd": found[:, :, 0].std(axis=1, ddof=1),
            "unscaled": found[:, :, 1].mean(axis=1),
            "unscaled_sd": found[:, :, 1].std(axis=1, ddof=1),
        },
    )


def spread_table(found: Array, what: str) -> Table:
    """Mean ± standard deviation over the seeds, for every other d_k; (dimensions, seeds, 2)."""
    mean, spread = found.mean(axis=1), found.std(axis=1, ddof=1)
    headers = [f"{what}, scaled", f"{what}, unscaled"]
    rows = [
        (d, *(Measure(float(a), float(s)) for a, s in zip(*pair, strict=True)))
        for d, *pair in zip(DIMENSIONS, mean, spread, strict=True)
    ]
    return Table(
        rows[::2],
        columns=[r"\(d_k\)", *headers],
        formats=dict.fromkeys(headers, "plus_minus(digits=2)"),
        variant="academic",
    )


def measure_weights(rng: np.random.Generator, n: int, m: int, seeds: int) -> Array:
    """Of the weights, means over rows: entropy, largest weight, Σ a (1 − a) of the derivatives.

    (3, dimensions, seeds, 2), with the scaling and without it.
    """
    generators = rng.spawn(seeds)
    drawn = [[draw_weights(seed, d, n, m) for seed in generators] for d in DIMENSIONS]
    measures: tuple[Callable[[Array], float], ...] = (
        entropy,
        lambda A: A.max(axis=1).mean(),
        lambda A: (A * (1 - A)).sum(axis=1).mean(),
    )
    return np.array([[[[f(A) for A in pair] for pair in row] for row in drawn] for f in measures])


def scaled_range(found: Array) -> list[float]:
    """Least and largest mean over the seeds, with the scaling; found is (dimensions, seeds, 2)."""
    means = found[:, :, 0].mean(axis=1)
    return [float(means.min()), float(means.max())]


def run(
    rng: np.random.Generator,
    *,
    n: int = 24,
    m: int = 48,
    seeds: int = 20,
    pairs: int = 2000,
    d_k: int = 20,
    d_v: int = 28,
) -> dict[str, object]:
    """Weights from `seeds` seeds, n queries and m keys; entries of S for heads d_k, d_v."""
    spreads = [product_spread(rng, d, pairs) for d in DIMENSIONS]
    entropies, largest, slopes = measure_weights(rng, n, m, seeds)
    shapes = ((n, d_k), (m, d_k), (m, d_v))
    within = lies_within(*(rng.standard_normal(shape) for shape in shapes))
    entries = np.array([score_entries(rng, *size, d_k, d_v) for size in SIZES])
    exponent = fit_power(DIMENSIONS, spreads)
    return {
        "attention": attention,
        "within": within,
        "dimensions": list(DIMENSIONS),
        "spreads": spreads,
        "spread_error": np.abs(np.array(spreads) / np.sqrt(DIMENSIONS) - 1).max(),
        "exponent": exponent,
        "exponent_z": abs(exponent.nominal - 0.5) / exponent.std,
        "entropies": entropies.mean(axis=1),
        "scaled_range": scaled_range(entropies),
        "falling": bool((np.diff(entropies.mean(axis=1)[:, 1]) < 0).all()),
        "largest": largest.mean(axis=1),
        "largest_range": scaled_range(largest),
        "slopes": slopes.mean(axis=1),
        "slope_range": scaled_range(slopes),
        "limit": np.log(m),
        "entropy_table": spread_table(entropies, "entropy"),
        "weight_table": spread_table(largest, "weight"),
        "score_growth": entries[1:, 0] / entries[:-1, 0],
        "other_growth": entries[1:, 1] / entries[:-1, 1],
        "crossing": SIZES[int(np.argmax(entries[:, 0] > entries[:, 1]))],
        "entries": Table(
            [(*size, *counted) for size, counted in zip(SIZES, entries, strict=True)],
            columns=[r"\(n\)", r"\(m\)", r"entries of \(S\)", r"of \(Q, K, V, O\)"],
            formats="thousands",
        ),
        "entropy_by_dimension": entropy_figure(entropies, np.log(m)),
    }
