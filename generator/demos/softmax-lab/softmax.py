"""The softmax, naive and shifted"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]


def naive(scores: Floats) -> Floats:
    """Weights along the last axis, as written."""
    powers = np.exp(scores)
    return powers / powers.sum(axis=-1, keepdims=True)


def shifted(scores: Floats) -> Floats:
    """The same weights; no power exceeds one."""
    largest = scores.max(axis=-1, keepdims=True)
    return naive(scores - largest)
