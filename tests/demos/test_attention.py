"""Scaled dot-product attention against loops over single queries and keys."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from generator.demos import attention as demo


def slow_weights(q: np.ndarray, K: np.ndarray, *, scale: bool = True) -> list[float]:
    """One query's weights by Python floats, shifted by nothing."""
    root = math.sqrt(len(q)) if scale else 1.0
    scores = [math.fsum(a * b for a, b in zip(q, k, strict=True)) / root for k in K]
    powers = [math.exp(score) for score in scores]
    return [power / math.fsum(powers) for power in powers]


def slow_attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    return np.array(
        [
            [
                math.fsum(a * v for a, v in zip(slow_weights(q, K), column, strict=True))
                for column in V.T
            ]
            for q in Q
        ]
    )


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    return demo.run(np.random.default_rng(3))


def test_attention_equals_the_loop() -> None:
    rng = np.random.default_rng(0)
    Q, K, V = (rng.standard_normal(shape) for shape in ((3, 5), (7, 5), (7, 2)))
    np.testing.assert_allclose(demo.attention(Q, K, V), slow_attention(Q, K, V), rtol=1e-13)


def test_output_does_not_depend_on_the_order_of_keys() -> None:
    rng = np.random.default_rng(1)
    Q, K, V = (rng.standard_normal(shape) for shape in ((3, 5), (7, 5), (7, 2)))
    order = rng.permutation(7)
    np.testing.assert_allclose(
        demo.attention(Q, K[order], V[order]), demo.attention(Q, K, V), rtol=1e-13
    )


def test_large_scores_do_not_overflow() -> None:
    Q, K, V = np.array([[4000.0]]), np.array([[1.0], [0.5]]), np.array([[3.0], [5.0]])
    assert demo.attention(Q, K, V) == pytest.approx(np.array([[3.0]]))


def test_misfit_is_refused() -> None:
    with pytest.raises(ValueError):
        demo.attention(np.ones((2, 3)), np.ones((4, 5)), np.ones((4, 1)))


def test_weights_come_out_of_one_hot_values() -> None:
    rng = np.random.default_rng(2)
    Q, K = rng.standard_normal((3, 5)), rng.standard_normal((7, 5))
    expected = [slow_weights(q, K) for q in Q]
    np.testing.assert_allclose(demo.attention_weights(Q, K), expected, rtol=1e-13)


def test_draw_gives_the_scaled_weights_first() -> None:
    scaled, unscaled = demo.draw_weights(np.random.default_rng(4), 6, 3, 5)
    rng = np.random.default_rng(4)
    Q, K = rng.standard_normal((3, 6)), rng.standard_normal((5, 6))
    np.testing.assert_allclose(scaled, [slow_weights(q, K) for q in Q], rtol=1e-12)
    np.testing.assert_allclose(unscaled, [slow_weights(q, K, scale=False) for q in Q], rtol=1e-12)


@pytest.mark.parametrize(
    ("row", "expected"),
    [([1.0, 0.0, 0.0], 0.0), ([0.25] * 4, math.log(4)), ([0.5, 0.5, 0.0], math.log(2))],
)
def test_entropy_of_known_rows(row: list[float], expected: float) -> None:
    assert demo.entropy(np.array([row])) == pytest.approx(expected)


def test_products_spread_as_the_root_of_the_dimension(found: dict[str, Any]) -> None:
    """The variance of q·k is d_k; a sample of N has a relative error of sqrt((2 + 6/d_k)/4N)."""
    for d, spread in zip(found["dimensions"], found["spreads"], strict=True):
        error = math.sqrt((2 + 6 / d) / (4 * 2000))
        assert abs(spread / math.sqrt(d) - 1) < 4 * error


def test_exponent_is_the_slope_of_the_logarithms(found: dict[str, Any]) -> None:
    x, y = np.log(found["dimensions"]), np.log(found["spreads"])
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    rest = y - y.mean() - slope * (x - x.mean())
    error = math.sqrt((rest**2).sum() / (len(x) - 2) / ((x - x.mean()) ** 2).sum())
    exponent = found["exponent"]
    assert (exponent.nominal, exponent.std) == pytest.approx((slope, error))
    assert found["exponent_z"] == pytest.approx(abs(slope - 0.5) / error)


@pytest.mark.parametrize("index", [0, 4, 8])
def test_entropies_and_weights_agree_with_fresh_draws(found: dict[str, Any], index: int) -> None:
    """Means over other seeds, computed here, within what the spread over seeds allows."""
    d, rng = 2 ** (index + 2), np.random.default_rng(99)
    fresh: list[list[float]] = []
    for _ in range(20):
        Q, K = rng.standard_normal((24, d)), rng.standard_normal((48, d))
        S = Q @ K.T
        numbers = []
        for scores in (S / math.sqrt(d), S):
            A = np.exp(scores - scores.max(axis=1)[:, None])
            A /= A.sum(axis=1)[:, None]
            numbers += [
                -(A * np.log(A + 1e-300)).sum(axis=1).mean(),
                A.max(axis=1).mean(),
            ]
            numbers += [(1 - (A**2).sum(axis=1)).mean()]
        fresh.append(numbers)
    mean, error = np.mean(fresh, axis=0), np.std(fresh, axis=0, ddof=1) / math.sqrt(20)
    given = [
        np.array(found[name])[index, which]
        for which in (0, 1)
        for name in ("entropies", "largest", "slopes")
    ]
    assert (np.abs(given - mean) < 5 * math.sqrt(2) * error).all()


def test_output_stays_within_the_values(found: dict[str, Any]) -> None:
    assert found["within"] is True
    Q, K, V = np.ones((2, 3)), np.ones((4, 3)), np.array([[0.0], [1.0], [2.0], [3.0]])
    np.testing.assert_allclose(slow_attention(Q, K, V), 1.5)
    assert demo.lies_within(Q, K, V)


def test_ranges_and_limit(found: dict[str, Any]) -> None:
    entropies = np.array(found["entropies"])
    for name, source in (("scaled", "entropies"), ("largest", "largest"), ("slope", "slopes")):
        scaled = [row[0] for row in found[source]]
        assert found[f"{name}_range"] == pytest.approx([min(scaled), max(scaled)])
    assert found["falling"] == (list(entropies[:, 1]) == sorted(entropies[:, 1], reverse=True))
    spreads = zip(found["dimensions"], found["spreads"], strict=True)
    worst = max(abs(spread / math.sqrt(d) - 1) for d, spread in spreads)
    assert found["spread_error"] == pytest.approx(worst)
    assert found["limit"] == pytest.approx(math.log(48))


@pytest.mark.parametrize(("n", "m"), [(2, 3), (16, 24), (40, 5)])
def test_entries_of_the_scores(n: int, m: int) -> None:
    counted = demo.score_entries(np.random.default_rng(0), n, m, 20, 28)
    assert counted == (n * m, n * 20 + m * 20 + m * 28 + n * 28)


def test_scores_outgrow_the_rest_where_the_note_says(found: dict[str, Any]) -> None:
    sizes = [(16 * 2**i, 24 * 2**i) for i in range(5)]
    larger = [(n, m) for n, m in sizes if n * m > 48 * (n + m)]
    assert tuple(found["crossing"]) == larger[0]
