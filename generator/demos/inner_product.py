"""The inner product's axioms, tried on five scores that attention could use."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from generator import Table, Tex

TRIALS = 10_000
"""Random triples of vectors that every axiom is tried on."""
GENERAL = np.array([[2.0, 1.0, 0.0], [3.0, 1.0, 1.0], [0.0, -1.0, 2.0]])
"""The fixed W of the bilinear score; not symmetric."""
INDEFINITE = np.array([[2.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 2.0]])
"""The symmetric matrix A of the indefinite form."""
DIMENSION = len(GENERAL)
THRESHOLD = 1e-9
"""A relative violation above this is a witness; rounding stays far below."""
QUERIES, KEYS, WIDTH = 37, 53, 64
"""Sizes of the score matrix."""

Floats = NDArray[np.float64]
Score = Callable[[Floats, Floats], Floats]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A score that might be an inner product."""

    title: str
    """Its formula, as LaTeX."""
    score: Score
    """The score of two arrays of vectors, along the last axis."""
    matrix: Floats | None = None
    """The matrix of a bilinear form; None for other scores."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The worst that random vectors showed for each axiom."""

    symmetry: float
    """Largest |s(x, y) - s(y, x)| over |s(x, y)| + |s(y, x)|."""
    linearity: float
    """Largest |s(ax + by, z) - a s(x, z) - b s(y, z)| over the sum of the three sizes."""
    least: float
    """Smallest s(u, u) of the unit vectors u = x / ‖x‖."""

    def holds(self) -> tuple[bool, bool, bool]:
        """Whether no witness was found against symmetry, linearity, positive definiteness."""
        return self.symmetry < THRESHOLD, self.linearity < THRESHOLD, self.least > THRESHOLD


def dot(x: Floats, y: Floats) -> Floats:
    """Dot products along the last axis."""
    return np.asarray(np.sum(x * y, axis=-1))


def cosine(x: Floats, y: Floats) -> Floats:
    """Cosine similarity along the last axis; NaN where either vector is zero."""
    with np.errstate(invalid="ignore"):
        return np.asarray(dot(x, y) / (np.sqrt(dot(x, x)) * np.sqrt(dot(y, y))))


def negative_distance(x: Floats, y: Floats) -> Floats:
    """Negative squared Euclidean distance along the last axis."""
    return -dot(x - y, x - y)


def bilinear(matrix: Floats) -> Score:
    """The score s(x, y) = xᵀ M y along the last axis, for a square matrix M."""
    return lambda x, y: dot(x @ matrix, y)


CANDIDATES = {
    "dot": Candidate(r"x^{\top} y", dot),
    "cosine": Candidate(r"x^{\top} y / (\lVert x \rVert \lVert y \rVert)", cosine),
    "distance": Candidate(r"-\lVert x - y \rVert^2", negative_distance),
    "general": Candidate(r"x^{\top} W y", bilinear(GENERAL), GENERAL),
    "indefinite": Candidate(r"x^{\top} A y", bilinear(INDEFINITE), INDEFINITE),
}


def try_axioms(rng: np.random.Generator, score: Score, trials: int = TRIALS) -> Trial:
    """Try the three axioms on Gaussian vectors and scalars; returns the worst of each.

    Vectors have shape (trials, DIMENSION). Axioms: Axler, Linear Algebra Done Right, 6.2 (real
    case).
    """
    x, y, z = rng.standard_normal((3, trials, DIMENSION))
    a, b = rng.standard_normal((2, trials))
    there, back = score(x, y), score(y, x)
    whole = score(a[:, None] * x + b[:, None] * y, z)
    first, second = a * score(x, z), b * score(y, z)
    unit = x / np.sqrt(dot(x, x))[:, None]
    sizes = np.abs(whole) + np.abs(first) + np.abs(second)
    return Trial(
        float(np.max(np.abs(there - back) / (np.abs(there) + np.abs(back)))),
        float(np.max(np.abs(whole - first - second) / sizes)),
        float(np.min(score(unit, unit))),
    )


def least_direction(matrix: Floats) -> tuple[float, Floats]:
    """The least value of xᵀMx on unit vectors, and a unit vector that attains it.

    They are an eigenpair of the symmetric part of M, shape (n, n); the vector's largest entry is
    made positive. Source: Horn and Johnson, Matrix Analysis, theorem 4.2.2 (Rayleigh).
    """
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    vector = vectors[:, 0]
    return float(values[0]), vector * np.sign(vector[np.argmax(np.abs(vector))])


def find_asymmetry(score: Score) -> Tex | None:
    """The first pair of basis vectors whose score depends on their order."""
    basis = np.eye(DIMENSION)
    for i, j in np.ndindex(DIMENSION, DIMENSION):
        there, back = float(score(basis[i], basis[j])), float(score(basis[j], basis[i]))
        if abs(there - back) > THRESHOLD:
            i, j = i + 1, j + 1
            return Tex(rf"s(e_{i}, e_{j}) = {there:g}, \; s(e_{j}, e_{i}) = {back:g}")
    return None


def find_nonlinearity(score: Score) -> Tex | None:
    """The first pair of basis vectors on which doubling one does not double the score."""
    basis = np.eye(DIMENSION)
    for i, j in np.ndindex(DIMENSION, DIMENSION):
        doubled, twice = float(score(2 * basis[i], basis[j])), 2 * float(score(basis[i], basis[j]))
        if abs(doubled - twice) > THRESHOLD:
            i, j = i + 1, j + 1
            return Tex(rf"s(2e_{i}, e_{j}) = {doubled:g}, \; 2s(e_{i}, e_{j}) = {twice + 0.0:g}")
    return None


def find_indefiniteness(candidate: Candidate) -> Tex | None:
    """A basis vector whose score with itself is not positive, else such an eigenvector."""
    basis = np.eye(DIMENSION)
    for i in range(DIMENSION):
        if (value := float(candidate.score(basis[i], basis[i]))) <= THRESHOLD:
            return Tex(rf"s(e_{i + 1}, e_{i + 1}) = {value + 0.0:g}")
    if candidate.matrix is not None:
        _, vector = least_direction(candidate.matrix)
        if (value := float(candidate.score(vector, vector))) <= THRESHOLD:
            return Tex(rf"s(v, v) = {value:.3f}")
    return None


def find_witnesses(candidate: Candidate) -> tuple[Tex | None, Tex | None, Tex | None]:
    """A witness against symmetry, linearity and positive definiteness, where one is found."""
    score = candidate.score
    return find_asymmetry(score), find_nonlinearity(score), find_indefiniteness(candidate)


def score_pairwise(queries: Floats, keys: Floats) -> Floats:
    """All dot products by three loops, without a matrix product; shapes (n, d), (m, d) → (n, m)."""
    scores = np.zeros((len(queries), len(keys)))
    for i, query in enumerate(queries.tolist()):
        for j, key in enumerate(keys.tolist()):
            total = 0.0
            for a, b in zip(query, key, strict=True):
                total += a * b
            scores[i, j] = total
    return scores


def product_bound(queries: Floats, keys: Floats) -> Floats:
    """How far two ways of summing the dot products may differ: 2 γ_d |Q| |K|ᵀ, shape (n, m).

    Each way is within γ_d = du / (1 - du) times |q|ᵀ|k| of the exact value, u being the unit
    roundoff, in whatever order it sums. Source: Higham, Accuracy and Stability of Numerical
    Algorithms, equation 3.5.
    """
    roundoff = queries.shape[1] * float(np.finfo(np.float64).eps) / 2
    return np.asarray(2 * roundoff / (1 - roundoff) * (np.abs(queries) @ np.abs(keys).T))


def compare_products(rng: np.random.Generator) -> float:
    """Largest difference between QKᵀ and the pairwise loop, as a share of its bound."""
    queries, keys = rng.standard_normal((QUERIES, WIDTH)), rng.standard_normal((KEYS, WIDTH))
    difference = np.abs(queries @ keys.T - score_pairwise(queries, keys))
    return float(np.max(difference / product_bound(queries, keys)))


def write_matrix(matrix: Floats) -> Tex:
    """A matrix as LaTeX."""
    rows = r" \\ ".join(" & ".join(f"{entry:g}" for entry in row) for row in matrix)
    return Tex(rf"\begin{{bmatrix}} {rows} \end{{bmatrix}}")


def run(rng: np.random.Generator) -> dict[str, object]:
    """Try the axioms on every candidate, and look for a witness wherever one fails."""
    trials = {name: try_axioms(rng, candidate.score) for name, candidate in CANDIDATES.items()}
    witnesses = {name: find_witnesses(candidate) for name, candidate in CANDIDATES.items()}
    axioms = ("Symmetric", "Linear", "Positive definite")
    columns: dict[str, list[object]] = {"Score": [Tex(c.title) for c in CANDIDATES.values()]}
    for k, axiom in enumerate(axioms):
        columns[axiom] = ["fails" if witnesses[name][k] else "no witness" for name in CANDIDATES]
    least, vector = least_direction(INDEFINITE)
    x = rng.standard_normal((TRIALS, DIMENSION))
    y = rng.standard_normal((TRIALS, DIMENSION))
    share = float(np.mean(bilinear(INDEFINITE)(x, x) <= 0))
    unit = np.array([1.0, 2.0, 2.0]) / 3
    tiny = 2.0**-100
    holds = {name: list(trial.holds()) for name, trial in trials.items()}
    found = {name: [w is not None for w in witness] for name, witness in witnesses.items()}
    return {
        "verdicts": Table(columns),
        "W": write_matrix(GENERAL),
        "A": write_matrix(INDEFINITE),
        "trials": TRIALS,
        "dimension": DIMENSION,
        "threshold": THRESHOLD,
        "greatest_distance_score": float(np.max(negative_distance(x, y))),
        "tried": {name: dataclasses.asdict(trial) for name, trial in trials.items()},
        "holds": holds,
        "witness": {name: [w or "" for w in found] for name, found in witnesses.items()},
        "found": found,
        "agree": all(
            a != b for name in found for a, b in zip(holds[name], found[name], strict=True)
        ),
        "asymmetry": float(np.abs(GENERAL - GENERAL.T).max()),
        "symmetric_part_gap": float(np.abs((GENERAL + GENERAL.T) / 2 - INDEFINITE).max()),
        "diagonal": np.diag(INDEFINITE),
        "least": least,
        "v": vector,
        "least_general": least_direction(GENERAL)[0],
        "score_v": float(bilinear(INDEFINITE)(vector, vector)),
        "score_general_v": float(bilinear(GENERAL)(vector, vector)),
        "share": share,
        "share_error": sqrt(share * (1 - share) / TRIALS),
        "undefined_at_zero": bool(np.isnan(cosine(np.zeros(3), unit))),
        "from_above": float(cosine(tiny * unit, unit)),
        "from_below": float(cosine(-tiny * unit, unit)),
        "queries": QUERIES,
        "keys": KEYS,
        "width": WIDTH,
        "difference": compare_products(rng),
    }
