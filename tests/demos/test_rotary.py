"""Rotary position embedding against complex multiplication and explicit matrices."""

from __future__ import annotations

import cmath
import itertools
import math
from typing import Any

import numpy as np
import pytest

from generator.demos import rotary


def theta(d_h: int) -> list[float]:
    return [math.exp(-math.log(10000) * 2 * (i - 1) / d_h) for i in range(1, d_h // 2 + 1)]


def turn(x: np.ndarray, position: int) -> np.ndarray:
    """Pairs as complex numbers, multiplied by e^{ipθ}, one after another."""
    turned = []
    for pair, angle in enumerate(theta(len(x))):
        z = complex(x[2 * pair], x[2 * pair + 1]) * cmath.exp(1j * position * angle)
        turned += [z.real, z.imag]
    return np.array(turned)


def rotation(d_h: int, position: int) -> np.ndarray:
    """The block diagonal matrix R_p, from the note's display equation."""
    matrix = np.zeros((d_h, d_h))
    for pair, angle in enumerate(theta(d_h)):
        c, s = math.cos(position * angle), math.sin(position * angle)
        matrix[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2] = [[c, -s], [s, c]]
    return matrix


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    return rotary.run(np.random.default_rng(7))


@pytest.mark.parametrize("position", [0, 1, 17, 4096])
def test_rotate_is_a_complex_multiplication(position: int) -> None:
    x = np.random.default_rng(0).standard_normal(10)
    np.testing.assert_allclose(rotary.rotate(x, position), turn(x, position), atol=1e-12)
    np.testing.assert_allclose(rotary.rotate(x, position), rotation(10, position) @ x, atol=1e-12)


def test_rotations_compose_to_their_offset() -> None:
    np.testing.assert_allclose(rotation(8, 11).T @ rotation(8, 18), rotation(8, 7), atol=1e-14)


def test_each_vector_may_have_its_own_position() -> None:
    x, positions = np.random.default_rng(1).standard_normal((3, 6)), np.array([5, 0, 9])
    expected = [turn(row, int(p)) for row, p in zip(x, positions, strict=True)]
    np.testing.assert_allclose(rotary.rotate(x, positions), expected, atol=1e-13)


def test_score_has_the_key_behind_the_query() -> None:
    q, k = np.random.default_rng(2).standard_normal((2, 8))
    expected = turn(q, 30) @ turn(k, 27)
    assert rotary.score(q, k, 30, 3) == pytest.approx(expected, abs=1e-12)


def test_precision_is_that_of_the_vectors() -> None:
    x = np.ones(6, dtype=np.float32)
    assert rotary.rotate(x, 3).dtype == np.float32


def test_odd_dimensions_are_refused() -> None:
    with pytest.raises(ValueError, match="even dimension, not 7"):
        rotary.frequencies(7)


def test_profile_is_the_mean_of_cosines(found: dict[str, Any]) -> None:
    expected = [
        math.fsum(math.cos(offset * angle) for angle in theta(64)) / 32 for offset in range(257)
    ]
    np.testing.assert_allclose(found["profile"], expected, atol=1e-13)
    below = [offset for offset, value in enumerate(expected) if value < 0.5]
    assert found["half_offset"] == below[0]
    rises = sum(b > a for a, b in itertools.pairwise(expected))
    assert (found["rises"], found["last_offset"]) == (rises, 256)


def test_turns_and_first_pair(found: dict[str, Any]) -> None:
    assert found["shortest_turn"] == pytest.approx(2 * math.pi)
    assert found["longest_turn"] == pytest.approx(2 * math.pi * 10000 ** (31 / 32))
    np.testing.assert_allclose(found["turned"], [math.cos(1), math.sin(1)])
    second = 10000 ** (-1 / 32)
    np.testing.assert_allclose(found["second_turned"], [math.cos(second), math.sin(second)])


@pytest.mark.parametrize("seed", range(4))
def test_bounds_hold_for_other_seeds(seed: int) -> None:
    other = rotary.run(np.random.default_rng(seed))
    assert other["bounds"] == [[-14, -13, -12, -11], [-5, -4, -3, -2]]
    assert other["length_error"] < 1e-15
    assert other["same_position_error"] < 1e-15


def test_single_precision_errs_by_the_rounding_of_the_angle() -> None:
    """At position p the error of a float32 turn is of the order of p times its unit roundoff."""
    x, position = np.ones(64), 1_000_000
    error = np.abs(rotary.rotate(x.astype(np.float32), position) - turn(x, position)).max()
    assert 0.01 < error / (position * 2.0**-24) < 4
