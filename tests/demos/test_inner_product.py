"""The inner product's demo against exact fractions, closed forms and quadrature."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from generator.demos import inner_product

W = [[2, 1, 0], [3, 1, 1], [0, -1, 2]]
A = [[2, 2, 0], [2, 1, 0], [0, 0, 2]]


@pytest.fixture(scope="module")
def results():
    return inner_product.run(np.random.default_rng(11))


def form(matrix, x, y):
    return sum(x[i] * matrix[i][j] * y[j] for i, j in product(range(3), range(3)))


def test_the_matrices_are_those_of_the_note():
    assert inner_product.GENERAL.tolist() == W
    assert inner_product.INDEFINITE.tolist() == A
    assert all(2 * A[i][j] == W[i][j] + W[j][i] for i, j in product(range(3), range(3)))


def test_the_least_direction_has_a_closed_form(results):
    # The upper block [[2, 2], [2, 1]] has the eigenvalues (3 ± √17)/2.
    least = (3 - math.sqrt(17)) / 2
    assert results["least"] == pytest.approx(least, rel=1e-12)
    v = list(results["v"])
    assert math.fsum(entry * entry for entry in v) == pytest.approx(1)
    assert form(A, v, v) == pytest.approx(least)
    assert form(W, v, v) == pytest.approx(least)
    assert v[1] > 0
    assert v[0] / v[1] == pytest.approx(2 / (least - 2))


def test_every_verdict_in_whole_numbers(results):
    """Brute force over small integer vectors, exactly, finds a witness iff the note has one."""
    scores = {
        "dot": lambda x, y: sum(a * b for a, b in zip(x, y, strict=True)),
        "distance": lambda x, y: -sum((a - b) ** 2 for a, b in zip(x, y, strict=True)),
        "general": lambda x, y: form(W, x, y),
        "indefinite": lambda x, y: form(A, x, y),
    }
    vectors = [v for v in product((-2, -1, 0, 1, 2), repeat=3) if any(v)]
    for name, s in scores.items():
        asymmetric = any(s(x, y) != s(y, x) for x in vectors for y in vectors[::7])
        nonlinear = any(
            s(tuple(2 * a - 3 * b for a, b in zip(x, y, strict=True)), z)
            != 2 * s(x, z) - 3 * s(y, z)
            for x in vectors[::5]
            for y in vectors[::7]
            for z in vectors[::11]
        )
        indefinite = any(s(x, x) <= 0 for x in vectors)
        assert results["found"][name] == [asymmetric, nonlinear, indefinite], name
        assert results["holds"][name] == [not asymmetric, not nonlinear, not indefinite], name


def test_cosine_is_symmetric_not_linear_and_undefined_at_zero(results):
    def cosine(x, y):
        return sum(a * b for a, b in zip(x, y, strict=True)) / (math.hypot(*x) * math.hypot(*y))

    assert results["found"]["cosine"] == [False, True, False]
    x, y = (0.3, -1.2, 0.5), (2.0, 0.1, 0.7)
    assert float(inner_product.cosine(np.array(x), np.array(y))) == pytest.approx(cosine(x, y))
    assert cosine([2 * a for a in x], y) == pytest.approx(cosine(x, y))
    assert results["undefined_at_zero"]
    assert math.isnan(float(inner_product.cosine(np.zeros(3), np.array(y))))
    assert (results["from_above"], results["from_below"]) == pytest.approx((1, -1))


def test_no_witness_where_there_is_none_and_a_witness_where_there_is(results):
    for name, tried in results["tried"].items():
        symmetric, linear, positive = results["holds"][name]
        assert (tried["symmetry"] < 1e-9) == symmetric
        assert (tried["linearity"] < 1e-9) == linear
        assert (tried["least"] > 1e-9) == positive


@pytest.mark.parametrize("scale", [1e-6, 1.0])
def test_a_small_flaw_is_found(scale):
    rng = np.random.default_rng(0)
    skew = np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 0]])
    tried = inner_product.try_axioms(rng, inner_product.bilinear(np.eye(3) + scale * skew))
    assert tried.symmetry > scale / 10
    assert tried.linearity < 1e-9
    affine = inner_product.try_axioms(rng, lambda x, y: inner_product.dot(x, y) + scale)
    assert affine.linearity > scale / 10


def test_the_share_of_bad_directions_against_quadrature(results):
    height = (np.arange(1000) + 0.5) / 500 - 1  # uniform on the sphere
    angle = (np.arange(1000) + 0.5) / 1000 * 2 * math.pi
    z, phi = np.meshgrid(height, angle)
    r = np.sqrt(1 - z * z)
    x, y = r * np.cos(phi), r * np.sin(phi)
    share = float(np.mean(2 * x * x + 4 * x * y + y * y + 2 * z * z <= 0))
    assert results["share"] == pytest.approx(share, abs=4 * results["share_error"])
    assert results["share_error"] == pytest.approx(math.sqrt(share * (1 - share) / 10_000), rel=0.1)


def test_products_against_exact_fractions():
    rng = np.random.default_rng(5)
    queries, keys = rng.standard_normal((4, 64)), rng.standard_normal((3, 64))
    exact = [
        [sum(Fraction(a) * Fraction(b) for a, b in zip(q, k, strict=True)) for k in keys.tolist()]
        for q in queries.tolist()
    ]
    bound = inner_product.product_bound(queries, keys) / 2  # for one way of summing
    for scores in (inner_product.score_pairwise(queries, keys), queries @ keys.T):
        for i, j in product(range(4), range(3)):
            assert abs(Fraction(float(scores[i, j])) - exact[i][j]) <= Fraction(float(bound[i, j]))
    sizes = np.array(
        [[sum(abs(a * b) for a, b in zip(q, k, strict=True)) for k in keys] for q in queries]
    )
    u = 2.0**-53
    assert bound == pytest.approx(64 * u / (1 - 64 * u) * sizes, rel=1e-9)


def test_the_loop_and_the_product_stay_within_the_bound(results):
    assert 0 < results["difference"] < 1
