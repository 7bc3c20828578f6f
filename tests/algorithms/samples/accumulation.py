"""Gradient accumulation: nested loops, in-place updates, a condition on the counter."""

import numpy as np

from generator import algorithm


def gradient(w, X, y):
    return X.T @ (X @ w - y) / len(y)


@algorithm("Gradient Accumulation")
def accumulate(w, batches, eta, K):
    r"""
    Require: Weights \(w \in \mathbb{R}^{d}\), rate \(\eta \gt 0\), micro-batches per step \(K \in \mathbb{N}\)
    Ensure: Weights \(w \in \mathbb{R}^{d}\)
    """
    w = w.copy()  # - leaves the caller's weights alone
    # [zero] Start with an empty gradient:
    g = np.zeros(w.shape)
    for b, (X, y) in enumerate(batches):
        #: \(b = 0, \ldots, \operatorname{len}(\mathrm{batches}) - 1\), with batch \((X, y)\)
        # [add] Add the micro-batch's share:
        g += gradient(w, X, y) / K
        # [step] Every \(K\) micro-batches:
        if (b + 1) % K == 0:
            # Take a step, and empty the gradient:
            w -= eta * g
            g[:] = 0  #: \(g \leftarrow \mathbf{0}\)
    return w


def run(rng):
    batches = [(rng.normal(size=(6, 4)), rng.normal(size=6)) for _ in range(7)]
    accumulate(rng.normal(size=4), batches, 0.1, 3)
    return {"accumulate": accumulate}
