# ruff: noqa: RET504
"""Top-p sampling: sorting, a running sum, a search, an early return, a helper algorithm."""

import numpy as np

from generator import algorithm, register


def descending(p):
    return np.argsort(-p)


register("descending", descending)


@algorithm("Inverse Transform Sampling")
def draw(p, u):
    r"""
    Require: Weights \(p \in [0, 1]^{m}\) with \(\lvert \sum_{i=1}^{m} p_i - 1 \rvert \lt 10^{-9}\), \(u \in [0, 1)\)
    Ensure: Index \(i \in \{0, \ldots, m - 1\}\)
    """
    i = 0
    s = p[0]
    # Walk until the running sum passes \(u\):
    while s <= u and i < len(p) - 1:
        i += 1
        s = s + p[i]
    return i


@algorithm("Top-p (Nucleus) Sampling")
def top_p(p, rho, u):
    r"""
    Require: Distribution \(p \in [0, 1]^{n}\), threshold \(\rho \in (0, 1]\), \(u \in [0, 1)\)
    Ensure: Token \(x \in \{0, \ldots, n - 1\}\)
    """
    # [greedy] The most likely token alone may be enough:
    if p.max() >= rho:
        return np.argmax(p)  #: \(\arg\max_{j} p_j\)
    # [sort] Sort by falling probability:
    order = descending(p)
    q = p[order]
    # ? (np.diff(q) <= 0).all()
    # [cut] Keep the fewest tokens that reach the threshold:
    c = np.cumsum(q)  #: \(c_i \leftarrow \sum_{j=1}^{i} q_j\)
    k = int((c < rho).sum()) + 1  #: \(k \leftarrow \sum_{j=1}^{n} \mathbf{1}[c_j \lt \rho] + 1\)
    # ? c[k - 1] >= rho > c[k - 2]
    # [renormalise] Make the kept weights sum to one:
    q = q[:k] / c[k - 1]
    # [draw] Draw one of them:
    i = draw(q, u)
    x = order[i]
    return x


def run(rng):
    p = rng.dirichlet(np.ones(9))
    p.sort()
    for u in (0.05, 0.6, 0.97):
        top_p(p, 0.8, u)
    peaked = np.array([0.02, 0.95, 0.03])
    top_p(peaked, 0.9, 0.5)
    return {"top_p": top_p, "draw": draw}
