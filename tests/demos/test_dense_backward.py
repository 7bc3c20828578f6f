"""The dense layer's gradients against numerical derivatives of a loss written out in loops."""

from __future__ import annotations

import cmath
import itertools
import math
from typing import Any

import numpy as np
import pytest

from generator.demos import dense_backward as demo

Arrays = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def slow_loss(X: np.ndarray, W: np.ndarray, b: np.ndarray, T: np.ndarray) -> complex:
    """½‖tanh(xW + b) − t‖², averaged over the examples, entry by entry in complex numbers."""
    total = 0j
    for x, t in zip(X, T, strict=True):
        for k in range(W.shape[1]):
            y = sum((complex(x[j]) * complex(W[j, k]) for j in range(len(x))), complex(b[k]))
            total += (cmath.tanh(y) - t[k]) ** 2 / 2
    return total / len(X)


def slow_gradient(layer: Arrays, at: int, *, h: complex) -> np.ndarray:
    """By complex step for an imaginary h, by central differences for a real one."""
    gradient = np.empty(layer[at].shape)
    for index in np.ndindex(gradient.shape):
        values = []
        for step in (h, -h):
            moved = [array.astype(complex) for array in layer]
            moved[at][index] += step
            values.append(slow_loss(*moved))
        gradient[index] = ((values[0] - values[1]) / (2 * h)).real
    return gradient


@pytest.fixture(scope="module")
def layer() -> Arrays:
    rng = np.random.default_rng(5)
    n, d_in, d_out = 6, 4, 3
    shapes = ((n, d_in), (d_in, d_out), (d_out,), (n, d_out))
    return tuple(rng.standard_normal(shape) for shape in shapes)  # type: ignore[return-value]


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    return demo.run(np.random.default_rng(1))


@pytest.mark.parametrize(("h", "tolerance"), [(1e-20j, 1e-13), (1e-5, 1e-8)])
def test_gradients_are_the_loss_s_derivatives(layer: Arrays, h: complex, tolerance: float) -> None:
    for at, gradient in zip((1, 2, 0), demo.gradients(*layer), strict=True):
        expected = slow_gradient(layer, at, h=h)
        np.testing.assert_allclose(gradient, expected, rtol=tolerance, atol=tolerance)


def test_backward_equals_the_sums_written_out(layer: Arrays) -> None:
    X, W, b, G = layer
    n, d_in, d_out = len(X), *W.shape
    dW, db, dX = demo.dense_backward(X, W, b, G)
    for j in range(d_in):
        for k in range(d_out):
            assert dW[j, k] == pytest.approx(math.fsum(X[i, j] * G[i, k] for i in range(n)))
    for k in range(d_out):
        assert db[k] == pytest.approx(math.fsum(G[i, k] for i in range(n)))
    for i in range(n):
        for j in range(d_in):
            assert dX[i, j] == pytest.approx(math.fsum(G[i, k] * W[j, k] for k in range(d_out)))


def test_misfit_is_refused() -> None:
    with pytest.raises(ValueError):
        demo.dense_backward(np.ones((2, 3)), np.ones((3, 4)), np.ones(4), np.ones((5, 4)))


def test_loss_is_the_loop_s(layer: Arrays) -> None:
    assert demo.loss(*layer) == pytest.approx(slow_loss(*layer).real)


@pytest.mark.parametrize("h", [0.1, 0.01])
def test_slopes_of_a_known_function(h: float) -> None:
    """e^{3t}: the complex step is exact, the central difference is off by sinh(3h)/3h."""
    unit = np.array([3.0])

    def grow(x: np.ndarray) -> np.ndarray:
        return np.array(np.exp(x).sum())

    assert demo.complex_step(grow, unit) == pytest.approx(3, rel=1e-15)
    assert demo.central_difference(h)(grow, unit) == pytest.approx(math.sinh(3 * h) / h)


def test_errors_of_the_two_methods(found: dict[str, Any]) -> None:
    assert 0 < found["complex_error"] < 1e-14
    errors = found["central_error"]
    assert isinstance(errors, list)
    for coarse, fine in itertools.pairwise(errors):
        assert coarse / fine == pytest.approx(4, rel=0.03)


@pytest.mark.parametrize(("n", "d_in", "d_out"), [(7, 5, 3), (2, 9, 4)])
def test_multiplications(n: int, d_in: int, d_out: int) -> None:
    arrays = [np.ones(shape) for shape in ((n, d_in), (d_in, d_out), (d_out,), (n, d_out))]
    product = n * d_in * d_out
    assert demo.multiplications(demo.dense, *arrays[:3]) == product
    assert demo.multiplications(demo.dense_backward, *arrays) == 2 * product
    only = [demo.multiplications(demo.dense_backward, *arrays, only=at) for at in range(4)]
    assert only == [product, product, 0, 2 * product]


def test_counting_does_not_change_the_numbers() -> None:
    assert float(demo.Counted(3.0) * 4.0 + demo.Counted(1.0)) == 13.0


def test_readers(found: dict[str, Any], layer: Arrays) -> None:
    """By changing one array at a time, without NaN."""
    base = demo.dense_backward(*layer)
    expected = {}
    for at, name in enumerate("XWbG"):
        changed = demo.dense_backward(*(a + 1 if i == at else a for i, a in enumerate(layer)))
        pairs = zip("WbX", base, changed, strict=True)
        expected[name] = [which for which, old, new in pairs if not np.array_equal(old, new)]
    assert found["readers"] == expected


def test_memory(found: dict[str, Any]) -> None:
    depths = [1, 2, 4, 8, 16, 32]
    assert found["depths"] == depths
    assert list(found["cached"]) == [depth * 128 * 48 * 8 for depth in depths]
    assert list(found["weights"]) == [depth * (48 * 48 + 48) * 8 for depth in depths]
    assert found["cached_half_batch"] == 32 * 64 * 48 * 8


def test_deep_gradient() -> None:
    """Two layers written out, differentiated by central differences."""
    rng = np.random.default_rng(8)
    layers = [(rng.standard_normal((4, 4)), rng.standard_normal(4)) for _ in range(2)]
    X = rng.standard_normal((3, 4))

    def total(x: np.ndarray) -> float:
        for W, b in layers:
            x = np.tanh(x @ W + b)
        return float(x.sum())

    expected = np.empty_like(X)
    for index in np.ndindex(X.shape):
        step = np.zeros_like(X)
        step[index] = 1e-5
        expected[index] = (total(X + step) - total(X - step)) / 2e-5
    found = demo.backward(*demo.forward(X, layers), layers)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)
