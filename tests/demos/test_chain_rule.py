"""The chain rule's demo against differences, closed forms, decimals and the standard library."""

import cmath
import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

from generator.demos import chain_rule

SEED = 3


@pytest.fixture(scope="module")
def results():
    return chain_rule.run(np.random.default_rng(SEED))


def starts_of_the_run():
    rng = np.random.default_rng(SEED)
    rng.integers(2**32)
    return rng.standard_normal(chain_rule.STARTS)


def iterate(step, x, depth):
    for _ in range(depth):
        x = step(x)
    return x


STEPS = {
    "saturating": cmath.tanh,
    "steep": lambda z: cmath.tanh(1.5 * z),
    "expanding": lambda z: 1.1 * z + 0.05 * cmath.sin(z),
}


@pytest.mark.parametrize("x", [0.3, 0.9, 1.02])
@pytest.mark.parametrize("depth", [1, 2, 5])
def test_squares_have_a_closed_form(x, depth):
    square = chain_rule.Layer(lambda x: x * x, lambda x: 2 * x)
    activations, product = chain_rule.differentiate_chain([square] * depth, np.array([x]))
    power = 2**depth
    assert product[0] == pytest.approx(power * x ** (power - 1), rel=1e-13)
    assert [a[0] for a in activations] == pytest.approx([x ** (2**k) for k in range(depth + 1)])


def test_the_order_of_different_layers_matters():
    sine = chain_rule.Layer(np.sin, np.cos)
    square = chain_rule.Layer(lambda x: x * x, lambda x: 2 * x)
    _, product = chain_rule.differentiate_chain([sine, square], np.array([0.7]))
    assert product[0] == pytest.approx(math.sin(1.4), rel=1e-14)  # (sin² x)' = sin 2x
    _, product = chain_rule.differentiate_chain([square, sine], np.array([0.7]))
    assert product[0] == pytest.approx(1.4 * math.cos(0.49), rel=1e-14)


def test_random_compositions_against_central_differences():
    rng = np.random.default_rng(0)
    for _ in range(20):
        pairs = rng.standard_normal((4, 2)).tolist()
        layers = [chain_rule.tanh_layer(*pair) for pair in pairs]

        def compose(x, pairs=pairs):
            for weight, bias in pairs:
                x = math.tanh(weight * x + bias)
            return x

        x, h = float(rng.standard_normal()), 1e-5
        expected = (compose(x + h) - compose(x - h)) / (2 * h)
        _, product = chain_rule.differentiate_chain(layers, np.array([x]))
        assert product[0] == pytest.approx(expected, rel=1e-5, abs=1e-10)
        assert chain_rule.complex_step(layers, np.array([x]))[0] == pytest.approx(
            expected, rel=1e-5, abs=1e-10
        )


def test_a_composition_needs_a_layer():
    with pytest.raises(ValueError, match="at least one layer"):
        chain_rule.differentiate_chain([], np.zeros(1))


@pytest.mark.parametrize("x", [0.0, 0.5, 5.0, 15.0, 30.0, -12.0])
def test_sech_squared_keeps_its_digits(x):
    with localcontext() as context:
        context.prec = 60
        exact = 4 / (Decimal(x).exp() + Decimal(-x).exp()) ** 2
    assert float(chain_rule.sech_squared(np.array(x))) == pytest.approx(float(exact), rel=1e-14)


def test_the_cancelling_slope_vanishes_where_tanh_rounds_to_one(results):
    # 1 - tanh x = 2 / (e^(2x) + 1) falls below half a unit in the last place, 2^-54, at 27.5 ln 2.
    assert results["vanishes_at"] == pytest.approx(27.5 * math.log(2), abs=0.1)
    with localcontext() as context:
        context.prec = 60
        tanh = Decimal(math.tanh(10.0))
        exact = 4 / (Decimal(10).exp() + Decimal(-10).exp()) ** 2
        lost = abs((1 - tanh * tanh) / exact - 1)
    assert 0 < lost < Decimal(2.0**-53) * 2 / exact  # one rounding of tanh, amplified
    assert 1e-8 < results["lost"] < 2.0**-50 * math.cosh(11) ** 2


@pytest.mark.parametrize("name", STEPS)
def test_products_against_a_complex_step_of_the_standard_library(results, name):
    h = 1e-40
    for place, n in enumerate([1, 8, 64]):
        slopes = [abs(iterate(STEPS[name], complex(x, h), n).imag / h) for x in starts_of_the_run()]
        assert results["mean"][name][place] == pytest.approx(
            float(np.median(slopes)) ** (1 / n), rel=1e-9
        )
    assert results["final"][name] == pytest.approx(float(np.median(slopes)), rel=1e-9)


def test_the_fixed_point_of_the_steep_map(results):
    low, high = 0.5, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if math.tanh(1.5 * middle) > middle else (low, middle)
    assert results["fixed_point"] == pytest.approx(low, abs=1e-12)
    assert results["fixed_slope"] == pytest.approx(1.5 * (1 - low * low), rel=1e-10)
    assert results["last_factor"] == pytest.approx(1.5 * (1 - low * low), rel=1e-6)


def test_the_saturating_product_falls_like_a_power(results):
    # From x_{n+1} = x_n - x_n³/3 + … follow x_n² → 3/(2n) and a product like n^(-3/2).
    depth = chain_rule.LATE
    x = iterate(math.tanh, 1.0, depth)
    assert x * x * 2 * depth / 3 == pytest.approx(1, abs=0.01)
    slopes = [
        float(np.median([abs(iterate(cmath.tanh, complex(x, 1e-40), n).imag) for x in starts]))
        for starts in [starts_of_the_run()[:21]]
        for n in (depth // 2, depth)
    ]
    assert results["saturating_power_late"] == pytest.approx(
        math.log2(slopes[1] / slopes[0]), abs=0.01
    )
    assert results["saturating_power_late"] == pytest.approx(-1.5, abs=0.01)


def test_the_expanding_map_expands_everywhere(results):
    slopes = [1.1 + 0.05 * math.cos(k / 100) for k in range(-1000, 1000)]
    assert results["least_slope"] == pytest.approx(min(slopes), abs=1e-5)
    assert results["greatest_slope"] == pytest.approx(max(slopes), abs=1e-5)
