"""Masked attention against loops over the keys that the mask leaves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from generator.demos import masked_softmax as demo


def slow_weights(q: np.ndarray, K: np.ndarray, removed: np.ndarray) -> list[float]:
    """One query's weights: a softmax over the kept keys, zero for the others."""
    scores = {
        j: math.fsum(a * b for a, b in zip(q, k, strict=True)) / math.sqrt(len(q))
        for j, (k, gone) in enumerate(zip(K, removed, strict=True))
        if not gone
    }
    total = math.fsum(map(math.exp, scores.values()))
    return [math.exp(scores[j]) / total if j in scores else 0.0 for j in range(len(K))]


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    return demo.run(np.random.default_rng(3))


@pytest.fixture(scope="module")
def case() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    mask = rng.random((4, 6)) < 0.5
    mask[:, 2] = False
    return (
        rng.standard_normal((4, 5)),
        rng.standard_normal((6, 5)),
        rng.standard_normal((6, 3)),
        mask,
    )


Case = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def test_output_and_weights_equal_the_loop(case: Case) -> None:
    Q, K, V, M = case
    weights = np.array([slow_weights(q, K, row) for q, row in zip(Q, M, strict=True)])
    np.testing.assert_allclose(demo.masked_attention(Q, K, V, M), weights @ V, rtol=1e-12)
    np.testing.assert_allclose(demo.masked_weights(Q, K, M), weights, rtol=1e-12)
    np.testing.assert_allclose(demo.attend_to_kept(Q, K, V, M), weights @ V, rtol=1e-12)


def test_removed_keys_and_values_do_not_matter(case: Case) -> None:
    Q, K, V, M = case
    M = M.copy()
    M[:, 5] = True
    moved_keys, moved_values = K.copy(), V.copy()
    moved_keys[5], moved_values[5] = 100.0, -100.0
    before = demo.masked_attention(Q, K, V, M)
    assert np.array_equal(demo.masked_attention(Q, moved_keys, moved_values, M), before)


def test_misfit_is_refused(case: Case) -> None:
    Q, K, V, M = case
    with pytest.raises(ValueError):
        demo.masked_attention(Q, K, V, M[:, :-1])


def test_masking_afterwards_keeps_the_whole_denominator(case: Case) -> None:
    Q, K, _, M = case
    everything = np.zeros(len(K), dtype=bool)
    expected = np.array([slow_weights(q, K, everything) for q in Q])
    expected[M] = 0
    np.testing.assert_allclose(demo.mask_afterwards(Q, K, M), expected, rtol=1e-12)


def test_a_row_with_nothing_left(case: Case) -> None:
    Q, K, _, M = case
    M = M.copy()
    M[1] = True
    steps, sound = demo.masked_weights(Q, K, M), demo.sound_weights(Q, K, M)
    assert np.isnan(steps[1]).all()
    assert (sound[1] == 0).all()
    for i in (0, 2, 3):
        np.testing.assert_allclose(sound[i], slow_weights(Q[i], K, M[i]), rtol=1e-12)


def test_causal_mask_by_its_definition() -> None:
    expected = [[key > query for key in range(5)] for query in range(5)]
    assert demo.causal_mask(5).tolist() == expected


def test_naive_softmax_is_right_where_it_is_finite() -> None:
    row = np.array([[0.0, 1.0, -2.0]])
    powers = [1.0, math.e, math.exp(-2)]
    np.testing.assert_allclose(demo.naive_softmax(row)[0], np.array(powers) / sum(powers))
    assert np.isnan(demo.naive_softmax(np.array([[710.0, 0.0]]))[0, 0])
    assert np.isnan(demo.naive_softmax(np.array([[-800.0, -900.0]]))).all()


def test_rows_keep_their_expected_share(found: dict[str, Any]) -> None:
    """All keys are exchangeable, so row i of T keeps i/T in expectation."""
    sums = np.array(found["row_sums"])
    assert np.abs(sums - np.arange(1, 13) / 12).max() < 0.04
    assert found["row_sum"] == pytest.approx(13 / 24, abs=0.01)
    assert 0 < found["least_sum"] < 0.02


def test_shift_of_the_output_on_fresh_draws(found: dict[str, Any]) -> None:
    rng, shifts = np.random.default_rng(77), []
    causal = np.array([[key > query for key in range(12)] for query in range(12)])
    for _ in range(200):
        Q, K, V = rng.standard_normal((3, 12, 4))
        E = np.exp(Q @ K.T / 2)
        kept = np.where(causal, 0, E)
        right = kept / kept.sum(axis=1)[:, None] @ V
        wrong = kept / E.sum(axis=1)[:, None] @ V
        shifts.append(math.sqrt(((wrong - right) ** 2).sum() / (right**2).sum()))
    error = np.std(shifts, ddof=1) * math.sqrt(2 / 200)
    assert abs(found["shift_mean"] - np.mean(shifts)) < 4 * error
    assert found["shift_sd"] == pytest.approx(np.std(shifts, ddof=1), rel=0.3)


@pytest.mark.parametrize("seed", range(3))
def test_overflow_for_other_seeds(seed: int) -> None:
    failures = demo.overflow(np.random.default_rng(seed), 100, 12)
    S = np.random.default_rng(seed).standard_normal((100, 12))
    over = sum(500 * max(row) > 1024 * math.log(2) for row in S)
    assert failures["naive_rows"] == over > 0
    assert failures["same_rows"]
    assert (failures["shifted_rows"], failures["lowered_rows"]) == (0, 100)
    assert failures["agreement"] < 1e-14
    assert failures["lowered_gap"] < 1e-12


def test_empty_row(found: dict[str, Any]) -> None:
    assert list(found["nan_rows"]) == [True, False, False, False, False]
    assert list(found["sound_row"]) == [0] * 7
    assert list(found["finite_row"]) == pytest.approx([1 / 7] * 7)


def test_the_kept_keys_alone(found: dict[str, Any]) -> None:
    assert found["kept_error"] < 1e-14
    assert 0 < found["removed"] < 5 * 7
    assert found["row_sums_z"] < 4
    assert found["mended_error"] < 1e-13


def test_a_finite_stand_in_gives_removed_keys_equal_weights() -> None:
    """By hand: all scores of the row become the same number."""
    weights = demo.empty_row(np.random.default_rng(0), 3, 9, 4)
    np.testing.assert_allclose(weights["finite"][0], 1 / 9, rtol=1e-15)
    assert np.isfinite(weights["steps"][1:]).all()
    np.testing.assert_allclose(weights["finite"][1:], weights["steps"][1:], atol=1e-15)


def test_counts(found: dict[str, Any]) -> None:
    sizes = (8, 32, 128, 512, 2048)
    assert found["counts"] == [(T * T, sum(range(1, T + 1))) for T in sizes]
    assert list(found["flipped_empty"]) == [12]
