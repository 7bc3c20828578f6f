"""The shared workload: N notes on attention, each with its own seed, figure, table and numbers."""

from __future__ import annotations

CASE = '''"""The computation behind every note; `FACTOR` is there to be changed."""

import numpy as np

FACTOR = 1


def compute(seed, scale):
    rng = np.random.default_rng(seed)
    q, k, v = rng.normal(size=(3, 64, 64))
    scores = FACTOR * scale * q @ k.T / 8
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    out = weights @ v
    rows = [(i, float(weights[i].max()), float(out[i].mean())) for i in range(5)]
    return {
        "weights": weights,
        "curve": np.sort(weights[0])[::-1],
        "peak": float(weights.max()),
        "mean": float(out.mean()),
        "rows": rows,
    }


def draw(figure, case):
    left, right = figure.subplots(1, 2)
    left.imshow(case["weights"])
    left.set(xlabel="key", ylabel="query")
    right.plot(case["curve"])
    right.set(xlabel="rank", ylabel="weight")


def read_scale(path):
    return float(np.loadtxt(path, delimiter=","))
'''
"""The helper module that every note imports."""

DRAW_FILE = """
def save(case, path):
    import matplotlib
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.fonttype"] = "none"
    figure = Figure(figsize=(6, 2.5), layout="constrained")
    draw(figure, case)
    figure.savefig(path, format="svg")
"""
"""What tools need beside it that have no figures of their own."""

EQUATION = r"A = \mathrm{softmax}(Q K^{\top} / \sqrt{d})"
INCLUDED = "Shared words, first edition."
EDITED = "Shared words, second edition."


def expected_peak(seed: int, factor: float = 1, scale: float = 1) -> str:
    """The number that a fresh page shows, to four digits."""
    namespace: dict[str, object] = {}
    exec(CASE.replace("FACTOR = 1", f"FACTOR = {factor}"), namespace)
    compute = namespace["compute"]
    assert callable(compute)
    return f"{compute(seed, scale)['peak']:.4f}"
