r"""Changes that make an algorithm's text and its code disagree, one a row.

A row is source, what is there, what is put there instead. Sources are the samples beside this
file and the demos that are shipped; `RUNS` says how each is called.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from .loading import ROOT, SAMPLES, run_sample

Run = Callable[[ModuleType], object]


def _arrays(*shapes: tuple[int, ...]) -> list[Any]:
    rng = np.random.default_rng(1)
    return [rng.normal(size=shape) for shape in shapes]


def _run_attention(module: ModuleType) -> object:
    return module.attention(*_arrays((5, 3), (7, 3), (7, 2)))


def _run_dense(module: ModuleType) -> object:
    return module.dense_backward(*_arrays((7, 5), (5, 3), (3,), (7, 3)))


def _run_masked(module: ModuleType) -> object:
    mask = np.random.default_rng(2).random((5, 7)) < 0.4
    mask[:, 0] = False
    return module.masked_attention(*_arrays((5, 4), (7, 4), (7, 3)), mask)


_DEMOS = ROOT / "generator" / "demos"
SOURCES: dict[str, tuple[Path, Run]] = {
    **{path.stem: (path, run_sample) for path in sorted(SAMPLES.glob("*.py"))},
    "attention": (_DEMOS / "attention.py", _run_attention),
    "dense_backward": (_DEMOS / "dense_backward.py", _run_dense),
    "masked_softmax": (_DEMOS / "masked_softmax.py", _run_masked),
}

MUTANTS: list[tuple[str, str, str]] = [
    # Scaled dot-product attention: the code
    ("attention", "S / np.sqrt(K.shape[1])", "S / K.shape[1]"),
    ("attention", "S / np.sqrt(K.shape[1])", "S * np.sqrt(K.shape[1])"),
    ("attention", "S / np.sqrt(K.shape[1])", "S / np.sqrt(K.shape[0])"),
    ("attention", "S / np.sqrt(K.shape[1])", "S / np.sqrt(K.shape[1] + 1)"),
    ("attention", "S = Q @ K.T", "S = K @ Q.T"),
    ("attention", "S = Q @ K.T", "S = -Q @ K.T"),
    ("attention", "S = Q @ K.T", "S = (Q @ K.T) ** 2"),
    ("attention", "A = softmax(S)", "A = softmax(-S)"),
    ("attention", "A = softmax(S)", "A = softmax(S.T).T"),
    ("attention", "A = softmax(S)", "A = S"),
    ("attention", "    return O", "    return O + 1"),
    # … its formulas, sets and invariants
    ("attention", r"\(S \leftarrow Q K^{\top}\)", r"\(S \leftarrow K Q^{\top}\)"),
    ("attention", r"\(S \leftarrow Q K^{\top}\)", r"\(S \leftarrow Q K\)"),
    ("attention", r"\(S \leftarrow Q K^{\top}\)", r"\(S \leftarrow -Q K^{\top}\)"),
    ("attention", r"\(S \leftarrow Q K^{\top}\)", r"\(A \leftarrow Q K^{\top}\)"),
    ("attention", r"S / \sqrt{d_k}", r"S / d_k"),
    ("attention", r"S / \sqrt{d_k}", r"S \sqrt{d_k}"),
    ("attention", r"S / \sqrt{d_k}", r"S / \sqrt{d_v}"),
    ("attention", r"S / \sqrt{d_k}", r"S / \sqrt{m}"),
    ("attention", r"S / \sqrt{d_k}", r"S / \sqrt{d}"),
    ("attention", r"\mathrm{softmax}(S)", r"\mathrm{softmax}(S^{\top})"),
    ("attention", r"\mathrm{softmax}(S)", r"\mathrm{softmin}(S)"),
    (
        "attention",
        r"with \(S \in \mathbb{R}^{n \times m}\)",
        r"with \(S \in \mathbb{R}^{m \times n}\)",
    ),
    ("attention", r"\(Q \in \mathbb{R}^{n \times d_k}\)", r"\(Q \in \mathbb{R}^{n \times d_v}\)"),
    ("attention", r"\(Q \in \mathbb{R}^{n \times d_k}\)", r"\(Q \in \mathbb{R}^{d_k \times n}\)"),
    ("attention", r"\(V \in \mathbb{R}^{m \times d_v}\)", r"\(V \in \mathbb{R}^{n \times d_v}\)"),
    ("attention", r"\(O \in \mathbb{R}^{n \times d_v}\)", r"\(O \in \mathbb{R}^{n \times d_k}\)"),
    ("attention", r"\(O \in \mathbb{R}^{n \times d_v}\)", r"\(O \in \mathbb{R}^{d_v \times n}\)"),
    # Backward pass of a dense layer
    ("dense_backward", "X.T @ G", "-X.T @ G"),
    ("dense_backward", "X.T @ G", "(G.T @ X).T / len(X)"),
    ("dense_backward", "G.sum(", "G.mean("),
    ("dense_backward", "G @ W.T", "G @ (2 * W.T)"),
    ("dense_backward", "return dW, db, dX", "return dX, db, dW"),
    ("dense_backward", "return dW, db, dX", "return dW, -db, dX"),
    ("dense_backward", r"\leftarrow X^{\top} G\)", r"\leftarrow G^{\top} X\)"),
    ("dense_backward", r"\leftarrow X^{\top} G\)", r"\leftarrow X G\)"),
    ("dense_backward", r"\leftarrow G W^{\top}\)", r"\leftarrow W^{\top} G\)"),
    ("dense_backward", r"\leftarrow G W^{\top}\)", r"\leftarrow G W\)"),
    ("dense_backward", r"\sum_{i=1}^{n} G_{i}", r"\sum_{i=1}^{d_{out}} G_{i}"),
    ("dense_backward", r"\sum_{i=1}^{n} G_{i}", r"\sum_{i=2}^{n} G_{i}"),
    ("dense_backward", r"\sum_{i=1}^{n} G_{i}", r"\frac{1}{n} \sum_{i=1}^{n} G_{i}"),
    (
        "dense_backward",
        r"W \in \mathbb{R}^{d_{in} \times d_{out}}",
        r"W \in \mathbb{R}^{d_{out} \times d_{in}}",
    ),
    ("dense_backward", r"\(b \in \mathbb{R}^{d_{out}}\)", r"\(b \in \mathbb{R}^{d_{in}}\)"),
    # Masked softmax attention
    ("masked_softmax", "Q @ K.T / np.sqrt(K.shape[1])", "Q @ K.T / K.shape[1]"),
    ("masked_softmax", "S = np.where(M, -np.inf, S)", "S = np.where(M, S, -np.inf)"),
    ("masked_softmax", "S = np.where(M, -np.inf, S)", "S = np.where(M, np.inf, S)"),
    ("masked_softmax", r"Q K^{\top} / \sqrt{d_k}", r"Q K^{\top} \sqrt{d_k}"),
    ("masked_softmax", r"S_{ij} - \max_{k} S_{ik}", r"S_{ij} - \max_{k} S_{kj}"),
    ("masked_softmax", r"S_{ij} - \max_{k} S_{ik}", r"S_{ij} - \min_{k} S_{ik}"),
    ("masked_softmax", r"S_{ij} - \max_{k} S_{ik}", r"S_{ij} + \max_{k} S_{ik}"),
    ("masked_softmax", r"\sum_{k=1}^{m} e^{S_{ik}}", r"\sum_{k=1}^{n} e^{S_{ik}}"),
    ("masked_softmax", r"\sum_{k=1}^{m} e^{S_{ik}}", r"\sum_{k=1}^{n} e^{S_{kj}}"),
    ("masked_softmax", r"\frac{e^{S_{ij}}}", r"\frac{S_{ij}}"),
    ("masked_softmax", r"\{0,1\}^{n \times m}", r"\{0,1\}^{m \times n}"),
    ("masked_softmax", r"\{0,1\}^{n \times m}", r"\{1,2\}^{n \times m}"),
    # Power iteration
    (
        "power_iteration",
        "lam = v @ A @ v  #: \\(\\lambda \\leftarrow v^{\\top} A v\\)",
        "lam = v @ v  #: \\(\\lambda \\leftarrow v^{\\top} A v\\)",
    ),
    ("power_iteration", "v = w / np.linalg.norm(w)  #", "v = w / np.linalg.norm(w, 1)  #"),
    ("power_iteration", "v = w / np.linalg.norm(w)  #", "v = -w / np.linalg.norm(w)  #"),
    ("power_iteration", r"w / \lVert w \rVert", r"w \lVert w \rVert"),
    ("power_iteration", r"w / \lVert w \rVert", r"w / \lVert w \rVert_1"),
    ("power_iteration", r"v^{\top} A v", r"v A v"),
    ("power_iteration", r"\sum_{i=1}^{n} v_i (A v)_i", r"\sum_{i=1}^{n} v_i A_i"),
    ("power_iteration", r"\sum_{i=1}^{n} v_i (A v)_i", r"\sum_{i=0}^{n} v_i (A v)_i"),
    ("power_iteration", "np.isclose(np.linalg.norm(v), 1)", "np.isclose(np.linalg.norm(v), 2)"),
    ("power_iteration", r"\(\varepsilon \gt 0\)", r"\(\varepsilon \gt 1\)"),
    ("power_iteration", r"\(A \in \mathbb{R}^{n \times n}\)", r"\(A \in \mathbb{R}^{n \times T}\)"),
    ("power_iteration", r"\(T \in \mathbb{N}\)", r"\(T \in \mathbb{R}^{n}\)"),
    (
        "power_iteration",
        r"vector \(v \in \mathbb{R}^{n}\), eigenvalue \(\lambda \in \mathbb{R}\)",
        r"vector \(v \in \mathbb{R}\), eigenvalue \(\lambda \in \mathbb{R}\)",
    ),
    ("power_iteration", "    power_iteration(A, start, 1e-10, 60)\n", ""),
    # Top-p sampling
    ("top_p", "return np.argmax(p)", "return np.argmin(p)"),
    ("top_p", "c = np.cumsum(q)", "c = np.cumsum(p)"),
    ("top_p", "k = int((c < rho).sum()) + 1", "k = int((c <= rho).sum()) + 2"),
    ("top_p", "k = int((c < rho).sum()) + 1", "k = int((c < rho).sum())"),
    ("top_p", r"\arg\max_{j} p_j", r"\arg\min_{j} p_j"),
    ("top_p", r"\sum_{j=1}^{i} q_j", r"\sum_{j=1}^{n} q_j"),
    ("top_p", r"\sum_{j=1}^{i} q_j", r"\sum_{j=0}^{i-1} q_j"),
    ("top_p", r"\mathbf{1}[c_j \lt \rho] + 1", r"\mathbf{1}[c_j \gt \rho] + 1"),
    ("top_p", r"\mathbf{1}[c_j \lt \rho] + 1", r"\mathbf{1}[c_j \lt \rho]"),
    ("top_p", "(np.diff(q) <= 0).all()", "(np.diff(q) >= 0).all()"),
    ("top_p", r"\(\rho \in (0, 1]\)", r"\(\rho \in [1, 2]\)"),
    ("top_p", r"\(x \in \{0, \ldots, n - 1\}\)", r"\(x \in \{0, \ldots, 1\}\)"),
    ("top_p", "    top_p(peaked, 0.9, 0.5)\n", ""),
    ("top_p", "i = draw(q, u)", "i = draw(q / 2, u)"),
    # Gradient accumulation
    ("accumulation", "enumerate(batches):", "enumerate(batches[:-1]):"),
    ("accumulation", "g[:] = 0", "g[:] = 1"),
    ("accumulation", r"\leftarrow \mathbf{0}\)", r"\leftarrow \mathbf{1}\)"),
    (
        "accumulation",
        r"b = 0, \ldots, \operatorname{len}(\mathrm{batches}) - 1",
        r"b = 1, \ldots, \operatorname{len}(\mathrm{batches})",
    ),
    (
        "accumulation",
        r"b = 0, \ldots, \operatorname{len}(\mathrm{batches}) - 1",
        r"b = 0, \ldots, \operatorname{len}(\mathrm{batches})",
    ),
    (
        "accumulation",
        r"b = 0, \ldots, \operatorname{len}(\mathrm{batches}) - 1",
        r"b = 0, \ldots, K",
    ),
    ("accumulation", r"\(\eta \gt 0\)", r"\(\eta \lt 0\)"),
    (
        "accumulation",
        r"Ensure: Weights \(w \in \mathbb{R}^{d}\)",
        r"Ensure: Weights \(w \in \mathbb{R}^{d + 1}\)",
    ),
    # Layer normalisation
    ("layer_norm", "((X - mu[:, None]) ** 2).mean(axis=1)", "((X - mu[:, None]) ** 2).sum(axis=1)"),
    ("layer_norm", "((X - mu[:, None]) ** 2).mean(axis=1)", "np.abs(X - mu[:, None]).mean(axis=1)"),
    ("layer_norm", "Y = Z * gamma + beta", "Y = Z * gamma - beta"),
    ("layer_norm", "Y = Z * gamma + beta", "Y = Z + gamma * beta"),
    ("layer_norm", "Z = (X - mu[:, None])", "Z = (X + mu[:, None])"),
    ("layer_norm", r"\frac{1}{d} \sum_{j=1}^{d}", r"\frac{1}{n} \sum_{j=1}^{d}"),
    ("layer_norm", r"\frac{1}{d} \sum_{j=1}^{d}", r"\frac{1}{d} \sum_{j=1}^{n}"),
    ("layer_norm", r"(X_{ij} - \mu_i)^2", r"(X_{ij} - \mu_i)"),
    ("layer_norm", r"(X_{ij} - \mu_i)^2", r"(X_{ij} - \mu_j)^2"),
    ("layer_norm", r"\gamma_j Z_{ij} + \beta_j", r"\gamma_i Z_{ij} + \beta_j"),
    ("layer_norm", r"\gamma_j Z_{ij} + \beta_j", r"\gamma_j Z_{ij} + \beta_i"),
    ("layer_norm", r"gain \(\gamma \in \mathbb{R}^{d}\)", r"gain \(\gamma \in \mathbb{R}^{n}\)"),
    # Bisection
    ("bisection", "cube(a) <= 0 <= cube(b)", "cube(a) >= 0"),
    ("bisection", "        if cube(c) < 0:", "        if cube(c) > 0:"),
    ("bisection", r"\(\mathrm{cube}(a) \lt 0\)", r"\(\mathrm{cube}(a) \gt 0\)"),
    ("bisection", r"Ends \(a \lt b\)", r"Ends \(a \gt b\)"),
    # Gram–Schmidt
    ("gram_schmidt", "v = v - R[i, j] * Q[:, i]", "v = v + R[i, j] * Q[:, i]"),
    ("gram_schmidt", "for i in range(j):", "for i in range(1, j):"),
    ("gram_schmidt", "np.allclose(Q @ R, A)", "np.allclose(R @ Q.T, A.T)"),
    (
        "gram_schmidt",
        r"triangular \(R \in \mathbb{R}^{n \times n}\)",
        r"triangular \(R \in \mathbb{R}^{m \times n}\)",
    ),
]
