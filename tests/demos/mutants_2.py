"""Mutants of four demos: what a wrong computation looks like."""

from __future__ import annotations

from tests.demos.mutant import Mutant, list_mutants

DEMOS = "generator/demos"


DENSE_BACKWARD = list_mutants(
    "dense-backward",
    f"{DEMOS}/dense_backward.py",
    *(
        ("the wrong factor transposed", "dW = X.T @ G", "dW = G.T @ X", ""),
        ("mean instead of sum over the batch", "dW = X.T @ G", "dW = X.T @ G / len(X)", ""),
        ("sum over the wrong axis", "db = G.sum(axis=0)", "db = G.sum(axis=1)", ""),
        ("mean of the rows", "db = G.sum(axis=0)", "db = G.mean(axis=0)", ""),
        ("the bias read", "db = G.sum(axis=0)", "db = G.sum(axis=0) + b", ""),
        ("signs of the weights lost", "dX = G @ W.T", "dX = G @ np.abs(W).T", ""),
        ("X instead of W", "dX = G @ W.T", "dX = G @ (X.T @ G).T", ""),
        ("gradients in another order", "return dW, db, dX", "return dX, db, dW", ""),
        ("loss twice as large", "/ (2 * len(X))", "/ len(X)", ""),
        ("tanh's derivative with a plus", "(1 - Z**2) / len(X))", "(1 + Z**2) / len(X))", ""),
        ("the mean forgotten", "(1 - Z**2) / len(X))", "(1 - Z**2))", ""),
        ("a coarse complex step", "f(1e-30j * unit)) / 1e-30", "f(1e-3j * unit)) / 1e-3", ""),
        ("half of a difference", "f(-h * unit)) / (2 * h)", "f(-h * unit)) / h", ""),
        ("one-sided", "f(-h * unit)) / (2 * h)", "f(0 * unit)) / h", ""),
        ("squares counted by halves", "multiplications += 1", "multiplications += 2", ""),
        ("an elementwise layer", "return X @ W + b", "return X @ W + 2 * b", ""),
        ("deep derivative without square", "G * (1 - output**2)", "G * (1 - output)", ""),
        ("outputs cached, not inputs", "cache.append(X)", "cache.append(np.tanh(X))", ""),
        ("a quarter of the batch", "X[: batch // 2]", "X[: batch // 4]", ""),
        ("bias left out of the bytes", "W.nbytes + b.nbytes", "W.nbytes", ""),
        (
            "another order of independent sums",
            "return X @ W + b",
            "return b + X @ W",
            "addition commutes",
        ),
        (
            "another smallest half-width",
            "STEPS = (0.04, 0.02, 0.01, 0.005)",
            "STEPS = (0.04, 0.02, 0.01, 0.004)",
            "",
        ),
    ),
)

ATTENTION = list_mutants(
    "attention",
    f"{DEMOS}/attention.py",
    *(
        ("no scaling", "S = S / np.sqrt(K.shape[1])", "S = S / 1.0", ""),
        ("scaled by d_k", "S = S / np.sqrt(K.shape[1])", "S = S / K.shape[1]", ""),
        ("scaled by the keys", "S = S / np.sqrt(K.shape[1])", "S = S / np.sqrt(K.shape[0])", ""),
        ("scores negated", "S = Q @ K.T", "S = -(Q @ K.T)", ""),
        ("values doubled", "O = A @ V", "O = A @ (2 * V)", ""),
        ("softmax by columns", "E / E.sum(axis=1, keepdims=True)", "E / E.sum(axis=0)", ""),
        ("powers of two", "E = np.exp(S - S", "E = np.exp2(S - S", ""),
        ("bits for nats", "(A * np.log(np.where", "(A * np.log2(np.where", ""),
        ("largest entropy for the mean", ".sum(axis=1).mean())", ".sum(axis=1).max())", ""),
        ("variance for deviation", ".std(ddof=1))\n\n\ndef fit", ".var(ddof=1))\n\n\ndef fit", ""),
        ("dependent pairs", '"ij,ij->i", q, k)', '"ij,ij->i", q, q)', ""),
        ("the intercept's error", "covariance[0, 0]", "covariance[1, 1]", ""),
        ("variance of the slope", "np.sqrt(covariance[0, 0])", "covariance[0, 0]", ""),
        ("no logarithm", "np.polyfit(np.log(x), np.log(y)", "np.polyfit(x, np.log(y)", ""),
        (
            "unscaled by d_k",
            "attention_weights(Q * np.sqrt(d_k), K)",
            "attention_weights(Q * d_k, K)",
            "",
        ),
        ("scaled twice", "attention_weights(Q * np.sqrt(d_k), K)", "attention_weights(Q, K)", ""),
        ("derivative with a plus", "(A * (1 - A))", "(A * (1 + A))", ""),
        ("a row of S counted", "append(product.size)", "append(len(product))", ""),
        (
            "fewer keys for the queries",
            "K = rng.standard_normal((n, d_k)), rng.standard_normal((m, d_k))",
            "K = rng.standard_normal((n, d_k)), rng.standard_normal((m - 1, d_k))",
            "",
        ),
        (
            "a constant added to the scores",
            "np.exp(S - S.max(axis=1, keepdims=True))",
            "np.exp(S - S.max(axis=1, keepdims=True) - 1)",
            "a softmax does not change when a constant is added to a row",
        ),
        (
            "the largest of all scores subtracted",
            "S.max(axis=1, keepdims=True)",
            "S.max(axis=1, keepdims=True).clip(-1e9)",
            "no score is that low",
        ),
    ),
)

ROTARY = list_mutants(
    "rotary",
    f"{DEMOS}/rotary.py",
    *(
        ("angles shifted by one", "-2 * (i - 1) / d_h", "-2 * i / d_h", ""),
        ("twice the range of angles", "-2 * (i - 1) / d_h", "-(i - 1) / d_h", ""),
        ("angles that grow", "-2 * (i - 1) / d_h", "2 * (i - 1) / d_h", ""),
        ("another base", "BASE = 10000", "BASE = 1000", ""),
        ("a reflection", "first * cosine - second * sine", "first * cosine + second * sine", ""),
        ("a sine dropped", "first * sine + second * cosine", "second * cosine", ""),
        (
            "halves for pairs",
            "first, second = x[..., 0::2], x[..., 1::2]",
            "first, second = np.split(x, 2, axis=-1)",
            "",
        ),
        ("the query not turned", "(rotate(q, at) * rotate", "(q * rotate", ""),
        ("both at the offset", "rotate(k, at - offset)", "rotate(k, offset)", ""),
        (
            "angles in float64",
            "np.asarray(position).astype(x.dtype)",
            "np.asarray(position).astype(np.longdouble)",
            "",
        ),
        ("sums of absolute values", "np.sqrt((x * x).sum(axis=-1))", "np.abs(x).sum(axis=-1)", ""),
        ("not relative", "(gaps / (norms(q) * norms(k)))", "(gaps * (norms(q) * norms(k)))", ""),
        ("bounds rounded down", "np.ceil(np.log10(value))", "np.floor(np.log10(value))", ""),
        (
            "offsets doubled",
            "score(q, k, offsets, offsets)",
            "score(q, k, offsets, 2 * offsets)",
            "",
        ),
        (
            "half of the profile",
            "for offset in OFFSETS]) / d_h",
            "for offset in OFFSETS]) / 32",
            "",
        ),
        ("another threshold", "np.argmax(profile < 0.5)", "np.argmax(profile < 0.6)", ""),
        ("rises for falls", "(np.diff(profile) > 0)", "(np.diff(profile) > -2)", ""),
        (
            "keys ahead of their queries",
            "rotate(k, at - offset)",
            "rotate(k, at + offset)",
            "cosines are even, and the bounds hold for offsets of either sign",
        ),
        (
            "ties counted",
            "(np.diff(profile) > 0)",
            "(np.diff(profile) >= 0)",
            "no two neighbouring scores are equal",
        ),
    ),
)

MASKED_SOFTMAX = list_mutants(
    "masked-softmax",
    f"{DEMOS}/masked_softmax.py",
    *(
        ("no scaling", "S = Q @ K.T / np.sqrt(K.shape[1])", "S = Q @ K.T", ""),
        ("the mask inverted", "S = np.where(M, -np.inf, S)", "S = np.where(M, S, -np.inf)", ""),
        ("zero for minus infinity", "S = np.where(M, -np.inf, S)", "S = np.where(M, 0.0, S)", ""),
        ("the mask after the softmax", "A @ V\n", "np.where(M, 0.0, A) @ V * 0.5\n", ""),
        ("shift by columns", "S = S - S.max(axis=1, keepdims=True)", "S = S - S.max(axis=0)", ""),
        ("no shift", "S = S - S.max(axis=1, keepdims=True)", "S = S - 0.0", ""),
        (
            "normalised by columns",
            "np.exp(S).sum(axis=1, keepdims=True)\n    #:",
            "np.exp(S).sum(axis=0)\n    #:",
            "",
        ),
        (
            "no order to mask in",
            "masked_weights(Q, K, np.zeros_like(M))",
            "masked_weights(Q, K, M)",
            "",
        ),
        ("queries that miss themselves", "dtype=bool), k=1)", "dtype=bool), k=0)", ""),
        ("the past masked", "np.triu(", "np.tril(", ""),
        ("scores that stay small", "STRETCH = 500", "STRETCH = 5", ""),
        ("scores barely lowered", "LOWERING = 1000", "LOWERING = 100", ""),
        ("another stand-in", "STAND_IN = -(10**9)", "STAND_IN = -(10**3)", ""),
        ("one for an empty row", "keepdims=True), 0.0, masked", "keepdims=True), 1.0, masked", ""),
        (
            "removed entries counted",
            "(~causal_mask(length)).sum()",
            "causal_mask(length).sum()",
            "",
        ),
        (
            "a distance that is not relative",
            "np.linalg.norm((wrong - right) @ V) / np",
            "np.linalg.norm((wrong - right) @ V) * np",
            "",
        ),
        (
            "no key left out",
            "plain(q[None], K[~gone], V[~gone], np",
            "plain(q[None], K[gone], V[gone], np",
            "",
        ),
        (
            "the naive softmax shifted",
            "np.exp(S) / np.exp(S).sum(axis=1, keepdims=True)\n    return",
            "np.exp(S - S.max()) / np.exp(S - S.max()).sum(axis=1, keepdims=True)\n    return",
            "",
        ),
        ("a mask read the wrong way", "(~causal).all(axis=1)", "causal.all(axis=1)", ""),
        ("every row told", "np.isnan(naive_softmax(large)).any", "~np.isnan(large).any", ""),
        ("every score in range", "large.max(axis=1) > np.log(", "large.max(axis=1) > np.exp(", ""),
        (
            "a lower stand-in",
            "np.where(M, 0.0, masked_weights",
            "np.where(M, -0.0, masked_weights",
            "minus zero adds as zero does",
        ),
    ),
)

MUTANTS: list[Mutant] = [*DENSE_BACKWARD, *ATTENTION, *ROTARY, *MASKED_SOFTMAX]
