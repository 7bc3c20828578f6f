"""Gram–Schmidt: columns, slices, an inner loop whose range depends on the outer one."""

import numpy as np

from generator import algorithm


@algorithm("Modified Gram--Schmidt")
def gram_schmidt(A):
    r"""
    Require: Columns \(A \in \mathbb{R}^{m \times n}\)
    Ensure: Orthonormal \(Q \in \mathbb{R}^{m \times n}\), triangular \(R \in \mathbb{R}^{n \times n}\)
    """
    # [start] Start with nothing:
    m, n = A.shape  # - sizes
    Q = np.zeros((m, n))
    R = np.zeros((n, n))
    # [columns] Take one column after another:
    for j in range(n):
        v = A[:, j]
        # [project] Subtract what lies along the earlier ones:
        for i in range(j):
            R[i, j] = Q[:, i] @ v
            v = v - R[i, j] * Q[:, i]
        # [normalise] Scale what is left:
        R[j, j] = np.linalg.norm(v)
        Q[:, j] = v / R[j, j]
        # ? np.allclose(Q[:, : j + 1].T @ Q[:, : j + 1], np.eye(j + 1))
    # ? np.allclose(Q @ R, A)
    return Q, R


def run(rng):
    gram_schmidt(rng.normal(size=(6, 4)))
    return {"gram_schmidt": gram_schmidt}
