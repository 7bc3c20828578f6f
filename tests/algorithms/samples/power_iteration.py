# ruff: noqa: B007
"""Power iteration: a loop with a condition and an early return."""

import numpy as np

from generator import algorithm


@algorithm("Power Iteration")
def power_iteration(A, v, eps, T):
    r"""
    Require: Symmetric \(A \in \mathbb{R}^{n \times n}\), start \(v \in \mathbb{R}^{n}\)
    Require: Tolerance \(\varepsilon \gt 0\), passes \(T \in \mathbb{N}\)
    Ensure: Unit vector \(v \in \mathbb{R}^{n}\), eigenvalue \(\lambda \in \mathbb{R}\)
    Where: \(\lambda\) is lam
    """
    # [start] Scale the start to length one:
    v = v / np.linalg.norm(v)
    # [estimate] Estimate the eigenvalue:
    lam = v @ A @ v  #: \(\lambda \leftarrow v^{\top} A v\)
    # [loop] Repeat until the estimate settles:
    for t in range(T):
        # [multiply] Multiply, and scale again:
        w = A @ v
        v = w / np.linalg.norm(w)  #: \(v \leftarrow w / \lVert w \rVert\)
        # ? np.isclose(np.linalg.norm(v), 1)
        old = lam  # - keeps the last estimate
        # [again] Estimate the eigenvalue again:
        lam = v @ A @ v  #: \(\lambda \leftarrow \sum_{i=1}^{n} v_i (A v)_i\)
        if abs(lam - old) < eps * abs(lam):
            return v, lam
    return v, lam


def run(rng):
    Q, _ = np.linalg.qr(rng.normal(size=(5, 5)))
    A = Q @ np.diag([3.0, -1.0, 0.5, 0.2, 0.1]) @ Q.T
    start = rng.normal(size=5)
    power_iteration(A, start, 1e-10, 60)
    power_iteration(A, start, 1e-10, 2)
    return {"power_iteration": power_iteration}
