"""Masked softmax attention: where the mask goes, what overflows, and rows with nothing left."""

from __future__ import annotations

import inspect

import numpy as np
from numpy.typing import NDArray

from generator import PALETTE, Figure, Table, algorithm, subplots

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
"""True where a key is removed."""

LENGTHS = (8, 32, 128, 512, 2048)
STRETCH = 500
LOWERING = 1000
STAND_IN = -(10**9)


# The formatter would take `#?` for a comment.
# fmt: off
@algorithm("Masked Softmax Attention")
def masked_attention(Q: Array, K: Array, V: Array, M: Mask) -> Array:
    r"""Every query's mean of the values of the keys that its row of the mask leaves.

    A row with every key removed is NaN. Raises ValueError where shapes do not fit. Source:
    Vaswani et al., Attention Is All You Need (2017), sections 3.2.1 and 3.2.3.

    Require: Queries \(Q \in \mathbb{R}^{n \times d_k}\)
    Require: Keys \(K \in \mathbb{R}^{m \times d_k}\), values \(V \in \mathbb{R}^{m \times d_v}\)
    Require: Mask \(M \in \{0,1\}^{n \times m}\), one where a key is removed
    Ensure: Output \(O \in \mathbb{R}^{n \times d_v}\)
    """
    # [scores] Score every query against every key:
    S = Q @ K.T / np.sqrt(K.shape[1])  #: \(S \leftarrow Q K^{\top} / \sqrt{d_k}\)
    # [mask] Give every removed key the score that the softmax sends to zero:
    S = np.where(M, -np.inf, S)
    #: \(S_{ij} \leftarrow \begin{cases} -\infty & \text{if } M_{ij} = 1 \\
    #: S_{ij} & \text{otherwise} \end{cases}\)
    # [shift] Subtract from each row its largest score:
    S = S - S.max(axis=1, keepdims=True)  #: \(S_{ij} \leftarrow S_{ij} - \max_{k} S_{ik}\)
    # [normalise] Exponentiate, and divide each row by its sum:
    A = np.exp(S) / np.exp(S).sum(axis=1, keepdims=True)
    #: \(A_{ij} \leftarrow \frac{e^{S_{ij}}}{\sum_{k=1}^{m} e^{S_{ik}}}\)
    #? np.allclose(A.sum(axis=1), 1)
    # [mix] Mix the values by the weights:
    O: Array = A @ V
    return O  #- the last step has named it


# fmt: on


def masked_weights(Q: Array, K: Array, M: Mask) -> Array:
    """The weights (n, m) of `masked_attention`, NaN rows too: its output for one-hot values."""
    # Unwrapped, an algorithm runs unobserved: a row with nothing left breaks its invariant.
    with np.errstate(invalid="ignore"):
        weights: Array = inspect.unwrap(masked_attention)(Q, K, np.eye(len(K)), M)
    return weights


def mask_afterwards(Q: Array, K: Array, M: Mask) -> Array:
    """The wrong order, (n, m): softmax over all keys, and then zeros for the removed ones."""
    return np.where(M, 0.0, masked_weights(Q, K, np.zeros_like(M)))


def sound_weights(Q: Array, K: Array, M: Mask) -> Array:
    """The weights (n, m), zero throughout a row with every key removed."""
    return np.where(M.all(axis=1, keepdims=True), 0.0, masked_weights(Q, K, M))


def naive_softmax(S: Array) -> Array:
    """The softmax of the rows of S (n, m) without the shift: overflows, and says so by NaN."""
    with np.errstate(over="ignore", invalid="ignore"):
        weights: Array = np.exp(S) / np.exp(S).sum(axis=1, keepdims=True)
    return weights


def causal_mask(T: int) -> Mask:
    """True where a key comes after the query: (T, T)."""
    mask: Mask = np.triu(np.ones((T, T), dtype=bool), k=1)
    return mask


def attend_to_kept(Q: Array, K: Array, V: Array, M: Mask) -> Array:
    """The output (n, d_v) with the removed keys left out of each query's computation."""
    plain = inspect.unwrap(masked_attention)
    rows = [
        plain(q[None], K[~gone], V[~gone], np.zeros((1, (~gone).sum()), dtype=bool))
        for q, gone in zip(Q, M, strict=True)
    ]
    return np.vstack(rows)


def weights_figure(before: Array, after: Array) -> Figure:
    """Weights (T, T) of one draw without a mask and with the causal one."""
    from matplotlib.colors import BoundaryNorm, LinearSegmentedColormap, to_rgb

    T = len(after)
    # One colour at growing opacity reads on light and on dark grounds.
    shades = [(*to_rgb(PALETTE.blue), opacity) for opacity in (0.06, 1.0)]
    levels = np.linspace(0, 1, 11)
    style = {"cmap": LinearSegmentedColormap.from_list("weight", shades, N=len(levels) - 1)}
    fig, axes = subplots(1, 2, height=440, sharey=True)
    fig.subplots_adjust(top=0.9)
    edges = np.arange(T + 1) + 0.5
    for ax, weights, title in zip(axes, (before, after), ("no mask", "causal mask"), strict=True):
        cells = np.ma.masked_equal(weights, 0)
        norm = BoundaryNorm(levels, len(levels) - 1)
        mesh = ax.pcolormesh(edges, edges, cells, norm=norm, **style)
        ax.set(xlabel="key", title=title, aspect="equal", xticks=(1, T), yticks=(1, T))
        ax.grid(visible=False)
    axes[0].set_ylabel("query")
    axes[0].invert_yaxis()
    fig.colorbar(
        mesh,
        ax=axes,
        label="weight",
        ticks=levels[::5],
        location="bottom",
        pad=0.24,
        aspect=30,
    )
    return Figure(
        fig,
        alt="Two square heat maps of attention weights, one row a query. Without a mask every "
        "cell is filled; with the causal mask only the lower triangle is, darkest in its first "
        "rows, where few keys share the weight.",
        caption="The weights of one draw without a mask and with the causal one. Blank cells are "
        "exactly zero.",
        data={
            "query": np.repeat(np.arange(1, T + 1), T),
            "key": np.tile(np.arange(1, T + 1), T),
            "no_mask": before.ravel(),
            "causal": after.ravel(),
        },
    )


def order_effects(rng: np.random.Generator, T: int, d: int, draws: int) -> dict[str, Array]:
    """What masking after the softmax does under the causal mask, for each draw.

    `sums`: the rows' sums (draws, T). `shift`: ‖O′ − O‖ / ‖O‖ of the outputs, Frobenius norms.
    `mended`: the largest difference of a weight once the rows are divided by their sums.
    """
    mask, found = causal_mask(T), []
    for _ in range(draws):
        Q, K, V = rng.standard_normal((3, T, d))
        right, wrong = masked_weights(Q, K, mask), mask_afterwards(Q, K, mask)
        sums = wrong.sum(axis=1)
        shift = np.linalg.norm((wrong - right) @ V) / np.linalg.norm(right @ V)
        found.append((sums, shift, np.abs(wrong / sums[:, None] - right).max()))
    columns = map(np.array, zip(*found, strict=True))
    return dict(zip(("sums", "shift", "mended"), columns, strict=True))


def overflow(rng: np.random.Generator, rows: int, m: int) -> dict[str, float | bool]:
    """How the naive softmax fails on rows of m scores, and how near it is where it does not."""
    S = rng.standard_normal((rows, m))
    keep_all = np.zeros(S.shape, dtype=bool)

    def shifted(scores: Array) -> Array:
        # Keys that make the scores of a query exactly its own entries.
        return masked_weights(scores * np.sqrt(m), np.eye(m), keep_all)

    large = STRETCH * S
    failing = np.isnan(naive_softmax(large)).any(axis=1)
    too_large = large.max(axis=1) > np.log(np.finfo(np.float64).max)
    return {
        "agreement": float(np.abs(naive_softmax(S) - shifted(S)).max()),
        "naive_rows": int(failing.sum()),
        "same_rows": bool((failing == too_large).all()),
        "shifted_rows": int((~np.isfinite(shifted(large))).any(axis=1).sum()),
        "lowered_rows": int((np.exp(S - LOWERING).sum(axis=1) == 0).sum()),
        "lowered_gap": float(np.abs(shifted(S - LOWERING) - shifted(S)).max()),
    }


def empty_row(rng: np.random.Generator, n: int, m: int, d_k: int) -> dict[str, Array]:
    """Weights (n, m) under a mask whose first row removes every key, by three treatments."""
    Q, K = rng.standard_normal((n, d_k)), rng.standard_normal((m, d_k))
    mask = rng.random((n, m)) < 0.3
    mask[:, 0] = False
    mask[0] = True
    scores = np.where(mask, STAND_IN, Q @ K.T / np.sqrt(d_k))
    return {
        "steps": masked_weights(Q, K, mask),
        "sound": sound_weights(Q, K, mask),
        "finite": naive_softmax(scores - scores.max(axis=1, keepdims=True)),
    }


def run(
    rng: np.random.Generator,
    *,
    n: int = 5,
    m: int = 7,
    d_k: int = 4,
    d_v: int = 3,
    T: int = 12,
    draws: int = 200,
) -> dict[str, object]:
    """One run of n queries and m keys; `draws` runs of T queries and keys, causally masked."""
    mask = rng.random((n, m)) < 0.4
    mask[:, 0] = False
    Q, K, V = (rng.standard_normal(shape) for shape in ((n, d_k), (m, d_k), (m, d_v)))
    output = masked_attention(Q, K, V, mask)
    order = order_effects(rng, T, d_k, draws)
    sums, expected = order["sums"], np.arange(1, T + 1) / T
    sums_error = sums.std(axis=0, ddof=1) / np.sqrt(draws)
    causal = causal_mask(T)
    queries, keys = rng.standard_normal((2, T, d_k))
    empty = empty_row(rng, n, m, d_k)
    counts = [(length**2, int((~causal_mask(length)).sum())) for length in LENGTHS]
    return {
        "masked_attention": masked_attention,
        "removed": int(mask.sum()),
        "kept_error": np.abs(output - attend_to_kept(Q, K, V, mask)).max(),
        "row_sum": sums.mean(),
        "row_sums": sums.mean(axis=0),
        "row_sums_z": (np.abs(sums.mean(axis=0) - expected) / sums_error)[:-1].max(),
        "least_sum": sums.min(),
        "shift_mean": order["shift"].mean(),
        "shift_sd": order["shift"].std(ddof=1),
        "mended_error": order["mended"].max(),
        "overflow": overflow(rng, draws, T),
        "stretch": STRETCH,
        "lowering": LOWERING,
        "largest_exponent": np.log(np.finfo(np.float64).max),
        "nan_rows": np.isnan(empty["steps"]).all(axis=1),
        "sound_row": empty["sound"][0],
        "sound_error": np.abs(empty["sound"] - empty["steps"])[1:].max(),
        "finite_row": empty["finite"][0],
        "stand_in": STAND_IN,
        "flipped_empty": np.flatnonzero((~causal).all(axis=1)) + 1,
        "counts": counts,
        "counts_exact": counts == [(size**2, size * (size + 1) // 2) for size in LENGTHS],
        "entries": Table(
            [
                (T_, full, part, part / full)
                for T_, (full, part) in zip(LENGTHS, counts, strict=True)
            ],
            columns=[r"\(T\)", "full", "causal", "causal / full"],
            formats={
                "full": "thousands",
                "causal": "thousands",
                "causal / full": "fixed(3)",
            },
        ),
        "weights_masked": weights_figure(
            masked_weights(queries, keys, np.zeros_like(causal)),
            masked_weights(queries, keys, causal),
        ),
    }
