"""Where the softmax goes wrong"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from softmax import Floats, naive, shifted

N = 64
TOP = 1000
PRECISIONS: dict[str, Any] = {"float16": np.float16, "float32": np.float32, "float64": np.float64}
Softmax = Callable[[Floats], Floats]


def one_large(score: Any) -> Floats:
    """N scores in the precision of `score`: the first is `score`, the others zero."""
    scores = np.zeros(N, dtype=score.dtype)
    scores[0] = score
    return scores


def all_equal(score: Any) -> Floats:
    """N times `score`, in its precision."""
    return np.full(N, score)


SHAPES = {"one large": one_large, "all equal": all_equal}


def judge(weights: Floats) -> str:
    """What is wrong with the weights: "NaN", "infinity", "zeros", "sum", or "right"."""
    if np.isnan(weights).any():
        return "NaN"
    if np.isinf(weights).any():
        return "infinity"
    if not weights.any():
        return "zeros"
    away = abs(float(weights.sum(dtype=np.float64)) - 1)
    return "right" if away <= N * np.finfo(weights.dtype).eps else "sum"


def largest_right(softmax: Softmax, shape: Callable[[Any], Floats], precision: Any) -> float:
    """The largest score that still gives right weights, to the last bit, by bisection."""
    low, high = precision(0), precision(TOP)
    if judge(softmax(shape(high))) == "right":
        return float(high)
    while low < (middle := precision((float(low) + float(high)) / 2)) < high:
        if judge(softmax(shape(middle))) == "right":
            low = middle
        else:
            high = middle
    return float(low)


def survey(softmax: Softmax, shape: Callable[[Any], Floats], precision: Any) -> dict[str, int]:
    """Each verdict met on the whole scores from 0 to TOP, with the last score that had it."""
    return {judge(softmax(shape(precision(score)))): score for score in range(TOP + 1)}


def examine(softmax: Softmax, name: str, shape: str) -> dict[str, Any]:
    """All that is to be said about one softmax on one shape of scores in one precision."""
    precision = PRECISIONS[name]
    right = precision(largest_right(softmax, SHAPES[shape], precision))
    beyond = SHAPES[shape](np.nextafter(right, precision(np.inf)))
    return {
        "precision": name,
        "scores": shape,
        "right": float(right),
        "spacing": float(np.spacing(right)),
        "first": "power" if np.isinf(np.exp(beyond)).any() else "sum",
        "beyond": judge(softmax(beyond)),
        "verdicts": survey(softmax, SHAPES[shape], precision),
    }


def main() -> None:
    np.seterr(all="ignore")
    pairs = [(name, shape) for shape in SHAPES for name in PRECISIONS]
    reports = {
        softmax.__name__: [examine(softmax, name, shape) for name, shape in pairs]
        for softmax in (naive, shifted)
    }
    if "--json" in sys.argv:
        print(json.dumps({"n": N, "top": TOP, **reports}))
        return
    print(f"{N} scores, the largest from 0 to {TOP}:")
    print("each verdict, and the last score that has it")
    for softmax, found in reports.items():
        print()
        for report in found:
            verdicts = ", ".join(
                f"{verdict} {last}" for verdict, last in report["verdicts"].items()
            )
            print(f"{softmax:7} {report['precision']} {report['scores']}  {verdicts}")


if __name__ == "__main__":
    main()
