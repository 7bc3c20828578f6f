"""The softmax lab against exhaustive search, closed forms and the standard library."""

import io
import math
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from generator.blocks.base import Where
from generator.demos import softmax_lab
from generator.site import standing_in

ROOT = Path(__file__).resolve().parents[2]
LAB = ROOT / "generator" / "demos" / "softmax-lab"
LARGEST = {"float16": 65504.0, "float32": (2 - 2.0**-23) * 2.0**127, "float64": sys.float_info.max}


@pytest.fixture(scope="module")
def results():
    with standing_in(ROOT, LAB.parent):
        return softmax_lab.run(np.random.default_rng(0))


def weigh(scores):
    with np.errstate(all="ignore"):
        powers = np.exp(scores)
        return powers / powers.sum()


def is_right(score, kind):
    scores = np.full(64, score) if kind == "equal" else np.r_[score, np.zeros(63, score.dtype)]
    weights = weigh(scores)
    total = math.fsum(weights.tolist()) if np.isfinite(weights).all() else math.nan
    return abs(total - 1) < 0.1


@pytest.mark.parametrize("kind", ["large", "equal"])
def test_float16_thresholds_by_trying_every_number(results, kind):
    every = np.arange(0x7C00, dtype=np.uint16).view(np.float16)
    every = every[(every >= 1) & (every <= 1000)]
    right = [is_right(score, kind) for score in every]
    first_wrong = right.index(False)
    assert not any(right[first_wrong:])
    assert results["right"][f"float16_{kind}"] == float(every[first_wrong - 1])


@pytest.mark.parametrize("kind", ["large", "equal"])
@pytest.mark.parametrize("precision", LARGEST)
def test_thresholds_are_sharp_and_match_the_closed_form(results, precision, kind):
    found = np.dtype(precision).type(results["right"][f"{precision}_{kind}"])
    beyond = np.nextafter(found, np.inf, dtype=precision)
    assert is_right(found, kind) and not is_right(beyond, kind)
    equal = 64 if kind == "equal" else 1
    closed = math.log(LARGEST[precision]) - math.log(equal)
    assert abs(float(found) - closed) < 2 * float(np.spacing(found))
    assert softmax_lab.closed_form(precision, equal) == pytest.approx(closed, rel=1e-12)


@pytest.mark.parametrize("precision", LARGEST)
def test_how_the_naive_form_fails(results, precision):
    limit = math.log(LARGEST[precision])
    in_band = weigh(np.full(64, limit - 1, dtype=precision))
    assert not in_band.any() and np.isfinite(in_band).all()
    assert np.isnan(weigh(np.full(64, limit + 1, dtype=precision))).all()
    alone = weigh(np.array([limit + 1, 0.0], dtype=precision))
    assert np.isnan(alone[0]) and alone[1] == 0
    band = results["band"][precision]
    assert band["right"] == math.floor(limit - math.log(64))
    assert band["zeros"] == math.floor(limit)
    assert list(band) == ["right", "zeros", "NaN"]


def run_in_lab(code):
    done = subprocess.run(
        [sys.executable, "-B", "-c", code], cwd=LAB, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_shifted_softmax_against_the_standard_library():
    code = (
        "import numpy as np; from softmax import shifted; "
        "print(*map(repr, shifted(np.array([1000.0, 999.5, 990.0, -1000.0])).tolist()))"
    )
    weights = list(map(float, run_in_lab(code).split()))
    powers = [math.exp(s - 1000) for s in (1000.0, 999.5, 990.0, -1000.0)]
    assert weights == pytest.approx([p / math.fsum(powers) for p in powers], rel=1e-15)


@pytest.mark.parametrize("precision", LARGEST)
def test_shifted_softmax_is_accurate_at_large_scores(precision):
    code = (
        f"import numpy as np; from softmax import shifted; "
        f"s = np.linspace(0, 1000, 64).astype('{precision}'); "
        f"print(*map(repr, s.astype(float).tolist())); "
        f"print(*map(repr, shifted(s).astype(float).tolist()))"
    )
    scores, weights = (list(map(float, line.split())) for line in run_in_lab(code).splitlines())
    powers = [math.exp(s - max(scores)) for s in scores]
    exact = [p / math.fsum(powers) for p in powers]
    assert weights == pytest.approx(exact, abs=4 * float(np.finfo(precision).eps))


def test_entropies_against_the_standard_library(results):
    logits = np.load(LAB / "data" / "logits.npy").tolist()

    def entropy(temperature):
        powers = [math.exp((s - max(logits)) / temperature) for s in logits]
        weights = [p / math.fsum(powers) for p in powers]
        mean = math.fsum(w * s for w, s in zip(weights, logits, strict=True))
        variance = math.fsum(w * (s - mean) ** 2 for w, s in zip(weights, logits, strict=True))
        return -math.fsum(w * math.log(w) for w in weights if w), variance

    temperatures = [2.0 ** (k / 4) for k in range(-20, 21)]
    entropies = [entropy(t)[0] for t in temperatures]
    assert np.cumsum([results["entropy_cold"], *results["entropy_steps"]]) == pytest.approx(
        entropies, rel=1e-9
    )
    assert results["entropy_one"] == pytest.approx(entropy(1)[0], rel=1e-12)
    assert results["choices_one"] == pytest.approx(math.exp(entropy(1)[0]), rel=1e-12)
    assert results["shortfall"] == pytest.approx(1 - entropy(32)[0] / math.log(64), rel=1e-6)
    for t in (0.3, 1.0, 4.0):  # dH/dT = Var / T³, as the note says
        slope = (entropy(t + 1e-5)[0] - entropy(t - 1e-5)[0]) / 2e-5
        assert slope == pytest.approx(entropy(t)[1] / t**3, rel=1e-6)


def test_the_archive_works_wherever_it_is_unpacked(results, tmp_path):
    archive = zipfile.ZipFile(io.BytesIO(results["softmax_lab"].files()[".zip"]))
    assert archive.namelist() == [
        "softmax-lab/README.md",
        "softmax-lab/check_overflow.py",
        "softmax-lab/data/logits.npy",
        "softmax-lab/softmax.py",
        "softmax-lab/temperature.py",
    ]
    archive.extractall(tmp_path)
    for script in ("check_overflow.py", "temperature.py"):
        done = subprocess.run(
            [sys.executable, "-B", str(tmp_path / "softmax-lab" / script)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr == ""
        if script == "check_overflow.py":
            shown = results["output"].to_markdown(Where("softmax-lab", "output", 4))
            assert done.stdout.strip() in shown


def test_the_tree_lists_every_file_with_its_own_words(results):
    tree = results["tree"].to_markdown(Where("softmax-lab", "tree", 4))
    for name in ("README.md", "check_overflow.py", "logits.npy", "softmax.py", "temperature.py"):
        line = next(line for line in tree.splitlines() if name in line)
        assert "  # " in line
    assert "float64 array, 64" in tree
    comments = [line.index("#") for line in tree.splitlines() if "#" in line]
    assert len(set(comments)) == 1
