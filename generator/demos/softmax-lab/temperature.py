"""Entropy against temperature"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from softmax import Floats, shifted

LOGITS = Path(__file__).parent / "data" / "logits.npy"
TEMPERATURES = 2.0 ** np.arange(-5, 5.25, 0.25)


def entropy(weights: Floats) -> Floats:
    """Entropy in nats along the last axis; a weight of zero adds nothing."""
    logs = np.log(weights, where=weights > 0, out=np.zeros_like(weights))
    return -np.sum(weights * logs, axis=-1)


def main() -> None:
    logits = np.load(LOGITS)
    weights = shifted(logits / TEMPERATURES[:, None])
    columns = {
        "temperature": TEMPERATURES,
        "entropy": entropy(weights),
        "largest": weights.max(axis=-1),
    }
    if "--json" in sys.argv:
        print(json.dumps({name: column.tolist() for name, column in columns.items()}))
        return
    print("".join(f"{name:>14}" for name in columns))
    for row in zip(*columns.values(), strict=True):
        print("".join(f"{value:14.4f}" for value in row))


if __name__ == "__main__":
    main()
