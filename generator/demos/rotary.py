"""Rotary position embedding: what rotating queries and keys keeps, and how exactly."""

from __future__ import annotations

import numpy as np
from numpy.typing import DTypeLike, NDArray

from generator import PALETTE, Figure, Table, Tex, subplots

Array = NDArray[np.floating]
Positions = NDArray[np.integer]

BASE = 10000
OFFSETS = range(257)
REACHES = (1_000, 10_000, 100_000, 1_000_000)


def frequencies(d_h: int, dtype: DTypeLike = np.float64) -> Array:
    """θ_i = 10000^(−2(i−1)/d_h) for i = 1 … d_h/2, in radians a position: (d_h/2,).

    Raises ValueError for an odd d_h. Source: Su et al., RoFormer (2021), section 3.2.
    """
    if d_h % 2:
        raise ValueError(f"pairs of coordinates need an even dimension, not {d_h}")
    i = np.arange(1, d_h // 2 + 1)
    return np.asarray(float(BASE) ** (-2 * (i - 1) / d_h), dtype=dtype)


def rotate(x: Array, position: int | Positions) -> Array:
    """x (…, d_h) with each pair (x_{2i−1}, x_{2i}) turned by position · θ_i.

    One position for all vectors, or one for each of them; all in the precision of x.
    Raises ValueError for an odd d_h. Source: Su et al., RoFormer (2021), section 3.2.
    """
    places = np.asarray(position).astype(x.dtype)[..., None]
    angle = places * frequencies(x.shape[-1], x.dtype)
    cosine, sine = np.cos(angle), np.sin(angle)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = np.empty_like(x)
    turned[..., 0::2] = first * cosine - second * sine
    turned[..., 1::2] = first * sine + second * cosine
    return turned


def score(q: Array, k: Array, at: int | Positions, offset: int | Positions) -> Array:
    """The scores (…,) of queries at position `at` and keys `offset` positions before them."""
    value: Array = (rotate(q, at) * rotate(k, at - offset)).sum(axis=-1)
    return value


def norms(x: Array) -> Array:
    """The Euclidean lengths (…,) of vectors x (…, d_h)."""
    lengths: Array = np.sqrt((x * x).sum(axis=-1))
    return lengths


def discrepancy(q: Array, k: Array, reach: int, rng: np.random.Generator) -> float:
    """How far scores at equal offsets differ, over ‖q‖‖k‖: the largest of many positions.

    Each pair (q, k) is scored at an offset from 0 to 99 twice: with the key at position zero,
    and with the query at a random position in the upper half of `reach`.
    """
    offsets = rng.integers(0, 100, len(q))
    late = rng.integers(reach // 2, reach + 1, len(q))
    gaps = np.abs(score(q, k, late, offsets) - score(q, k, offsets, offsets))
    return float((gaps / (norms(q) * norms(k))).max())


def power_above(value: float) -> int:
    """The least whole p with 10ᵖ ≥ value."""
    return int(np.ceil(np.log10(value)))


def score_figure(q: Array, profile: Array) -> Figure:
    """Scores of equal queries and keys against the offset, over ‖q‖²; q is (draws, d_h)."""
    own = np.array([score(q, q, offset, offset) for offset in OFFSETS]) / (q * q).sum(axis=-1)
    mean, spread = own.mean(axis=1), own.std(axis=1, ddof=1)
    fig, ax = subplots(height=400)
    ax.fill_between(
        OFFSETS,
        mean - spread,
        mean + spread,
        color=PALETTE.orange,
        alpha=0.25,
        lw=0,
        label="Gaussian entries",
    )
    ax.plot(OFFSETS, profile, color=PALETTE.blue, label="all entries equal")
    ax.axhline(0, color=PALETTE.grey, lw=0.8)
    ax.set(
        xlabel="offset (positions)",
        ylabel="score / squared length",
        xlim=(0, OFFSETS[-1]),
    )
    ax.legend()
    return Figure(
        fig,
        alt="The score of a query with an equal key against their offset: one at offset "
        "zero, a steep fall over the first few positions, then a slow, wavy decline.",
        caption=r"Score of a query with a key equal to it, over \(\lVert q \rVert^2\), against the "
        f"offset. Line: all entries equal. Band: mean ± one standard deviation over {len(q)} "
        "Gaussian vectors.",
        data={"offset": OFFSETS, "equal_entries": profile, "mean": mean, "sd": spread},
    )


def agreement_table(float64: list[float], float32: list[float]) -> Table:
    """The powers of ten that bound the discrepancies found, for each of REACHES."""
    columns = {"float64": float64, "float32": float32}
    bounds = {
        name: [Tex(f"10^{{{power_above(gap)}}}") for gap in gaps] for name, gaps in columns.items()
    }
    return Table(
        {"positions up to": REACHES, **bounds},
        align=["right", "right", "right"],
        formats={"positions up to": "thousands"},
        variant="academic",
    )


def run(rng: np.random.Generator, *, d_h: int = 64, vectors: int = 200) -> dict[str, object]:
    """`vectors` Gaussian queries and keys of dimension d_h, at positions up to REACHES."""
    q, k = rng.standard_normal((2, vectors, d_h))
    single = q.astype(np.float32), k.astype(np.float32)
    gaps64 = [discrepancy(q, k, reach, rng) for reach in REACHES]
    gaps32 = [discrepancy(*single, reach, rng) for reach in REACHES]

    positions = rng.integers(0, REACHES[-1] + 1, vectors)
    same = np.abs(score(q, k, positions, 0) - (q * k).sum(axis=-1)) / (norms(q) * norms(k))
    theta, ones = frequencies(d_h), np.ones(d_h)
    profile = np.array([score(ones, ones, offset, offset) for offset in OFFSETS]) / d_h
    cosines = np.cos(np.outer(OFFSETS, theta)).mean(axis=1)
    return {
        "base": BASE,
        "turned": rotate(np.eye(d_h)[0], 1)[:2],
        "second_turned": rotate(np.eye(d_h)[2], 1)[2:4],
        "shortest_turn": 2 * np.pi / theta[0],
        "longest_turn": 2 * np.pi / theta[-1],
        "length_error": np.abs(norms(rotate(q, positions)) / norms(q) - 1).max(),
        "same_position_error": same.max(),
        "reaches": list(REACHES),
        "gaps": gaps64,
        "single_gaps": gaps32,
        "growth": np.polyfit(np.log(REACHES), np.log(gaps64), 1)[0],
        "single_growth": np.polyfit(np.log(REACHES), np.log(gaps32), 1)[0],
        "bounds": [[power_above(gap) for gap in gaps] for gaps in (gaps64, gaps32)],
        "agreement": agreement_table(gaps64, gaps32),
        "profile": profile,
        "profile_error": np.abs(profile - cosines).max(),
        "half_offset": int(np.argmax(profile < 0.5)),
        "rises": int((np.diff(profile) > 0).sum()),
        "last_offset": OFFSETS[-1],
        "score_by_offset": score_figure(q, profile),
    }
