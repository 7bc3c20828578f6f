# ruff: noqa: RET504
"""Layer normalisation: means over axes, kept dimensions, broadcasting."""

import numpy as np

from generator import algorithm


@algorithm("Layer Normalisation")
def layer_norm(X, gamma, beta, eps):
    r"""
    Require: Inputs \(X \in \mathbb{R}^{n \times d}\), gain \(\gamma \in \mathbb{R}^{d}\), bias \(\beta \in \mathbb{R}^{d}\), \(\varepsilon \in \mathbb{R}_{>0}\)
    Ensure: Outputs \(Y \in \mathbb{R}^{n \times d}\)
    """
    # [mean] Mean of each row:
    mu = X.mean(axis=1)
    # [variance] Variance of each row:
    s = ((X - mu[:, None]) ** 2).mean(axis=1)
    #: \(s_i \leftarrow \frac{1}{d} \sum_{j=1}^{d} (X_{ij} - \mu_i)^2\)
    # [normalise] Normalise, scale and shift:
    Z = (X - mu[:, None]) / np.sqrt(s[:, None] + eps)
    # ? np.allclose(Z.mean(axis=1), 0)
    Y = Z * gamma + beta  #: \(Y_{ij} \leftarrow \gamma_j Z_{ij} + \beta_j\)
    return Y


def run(rng):
    X = rng.normal(size=(3, 5)) * 2 + 1
    layer_norm(X, rng.normal(size=5), rng.normal(size=5), 1e-3)
    return {"layer_norm": layer_norm}
