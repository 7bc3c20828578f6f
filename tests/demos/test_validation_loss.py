"""The power law's demo against numpy's fit, numerical integrals and the data as given."""

import math

import numpy as np
import pytest

from generator.demos import validation_loss

SIZES = np.array([25e6, 50e6, 125e6, 350e6, 760e6])
LOSSES = np.array([3.412, 3.128, 2.914, 2.703, 2.561])


@pytest.fixture(scope="module")
def results():
    return validation_loss.run(np.random.default_rng(0))


def integrate_density(t, freedom):
    """P(|T| <= t) by Simpson's rule over the density of Student's T."""
    x = np.linspace(-t, t, 20_001)
    density = (1 + x * x / freedom) ** (-(freedom + 1) / 2)
    density *= (
        math.gamma((freedom + 1) / 2) / math.gamma(freedom / 2) / math.sqrt(freedom * math.pi)
    )
    weights = np.ones_like(x)
    weights[1:-1:2], weights[2:-1:2] = 4, 2
    return float(density @ weights) * (x[1] - x[0]) / 3


def test_the_data_file_holds_the_five_models():
    lines = validation_loss.DATA.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "parameters,d_model,heads,loss"
    rows = [tuple(map(float, line.split(","))) for line in lines[1:]]
    assert rows == [
        (25e6, 384, 6, 3.412),
        (50e6, 512, 8, 3.128),
        (125e6, 768, 12, 2.914),
        (350e6, 1024, 16, 2.703),
        (760e6, 1280, 20, 2.561),
    ]


@pytest.mark.parametrize(("suffix", "first"), [("", 1), ("_all", 0)])
def test_fits_against_polyfit(results, suffix, first):
    x, y = np.log(SIZES[first:]), np.log(LOSSES[first:])
    (slope, intercept), covariance = np.polyfit(x, y, 1, cov=True)
    error = math.sqrt(covariance[0, 0])
    assert results[f"exponent{suffix}"] == pytest.approx(slope, rel=1e-9)
    assert results[f"error{suffix}"] == pytest.approx(error, rel=1e-9)
    assert results[f"freedom{suffix}"] == len(x) - 2
    assert results[f"residuals{suffix}"] == pytest.approx(y - slope * x - intercept, abs=1e-12)
    reach = {2: 4.302653, 3: 3.182446}[len(x) - 2] * error
    assert results[f"interval{suffix}"] == pytest.approx((slope - reach, slope + reach), rel=1e-6)


def test_fit_recovers_an_exact_power_law():
    law = validation_loss.fit_power_law(SIZES, 7 * SIZES**-0.3)
    assert law.exponent == pytest.approx(-0.3, rel=1e-12)
    assert math.exp(law.intercept) == pytest.approx(7, rel=1e-10)
    assert law.error < 1e-12
    assert law.predict(np.array([1.0])) == pytest.approx([7], rel=1e-10)


def test_a_fit_needs_three_rows():
    with pytest.raises(ValueError, match="three rows"):
        validation_loss.fit_power_law(SIZES[:2], LOSSES[:2])


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 8, 9])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_student_quantiles_against_the_density(freedom, level):
    t = validation_loss.student_quantile(level, freedom)
    assert integrate_density(t, freedom) == pytest.approx(level, abs=1e-7)


def test_the_standard_error_is_right_where_its_assumptions_hold():
    rng = np.random.default_rng(1)
    x, noise = SIZES[1:], 0.01
    fits = [
        validation_loss.fit_power_law(x, np.exp(1 - 0.07 * np.log(x) + noise * e))
        for e in rng.standard_normal((4000, 4))
    ]
    covered = [low < -0.07 < high for low, high in (fit.interval() for fit in fits)]
    assert np.mean(covered) == pytest.approx(0.95, abs=0.012)


def test_perplexities_slopes_and_rounding(results):
    assert results["perplexities"] == pytest.approx([math.e**loss for loss in LOSSES])
    assert list(results["head_widths"]) == [64] * 5
    steps = [
        math.log(b / a) / math.log(n / m)
        for a, b, m, n in zip(LOSSES, LOSSES[1:], SIZES, SIZES[1:], strict=False)
    ]
    assert results["slopes"] == pytest.approx(steps)
    rng = np.random.default_rng(2)
    moved = LOSSES + rng.uniform(-0.0005, 0.0005, (2000, 5))
    slopes = np.diff(np.log(moved), axis=1) / np.diff(np.log(SIZES))
    largest = np.abs(np.diff(slopes, axis=1) - np.diff(steps)).max(axis=0)
    assert np.all(largest < results["slope_rounding"] * 1.001)
    assert np.all(largest > results["slope_rounding"] / 3)


def test_how_far_rounding_moves_residuals(results):
    def residuals(losses):
        x, y = np.log(SIZES[1:]), np.log(losses)
        return y - np.polyval(np.polyfit(x, y, 1), x)

    corners = np.array(np.meshgrid(*[[-0.0005, 0.0005]] * 4)).reshape(4, -1).T
    moved = np.array([residuals(LOSSES[1:] + corner) for corner in corners])
    furthest = np.abs(moved - residuals(LOSSES[1:])).max(axis=0)
    assert np.abs(residuals(LOSSES[1:])) / results["over_rounding"] == pytest.approx(
        furthest, rel=1e-3
    )


def test_what_the_first_row_exceeds(results):
    slope, intercept = np.polyfit(np.log(SIZES[1:]), np.log(LOSSES[1:]), 1)
    expected = 3.412 / math.exp(intercept + slope * math.log(25e6)) - 1
    assert results["first_excess"] == pytest.approx(expected, rel=1e-9)
    assert results["doubling"] == pytest.approx(1 - 2**slope, rel=1e-9)
