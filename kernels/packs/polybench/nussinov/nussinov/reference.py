"""The largest number of nested base pairs of every stretch of a sequence, in whole numbers.

Stretches by length: the best of [i, j] leaves i or j out, pairs i with j around the best of [i + 1, j - 1], or joins
the best of [i, k] and [k + 1, j].
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

N = 250
SHARES = {
    "random": (0.25, 0.25, 0.25, 0.25),
    "one_hot": (0.97, 0.01, 0.01, 0.01),  # hardly any pairs
    "heavy_tailed": (0.1, 0.4, 0.4, 0.1),
    "negative": (0.5, 0.0, 0.0, 0.5),  # one kind of pairs only
}


def reference(a: Mapping[str, Any]) -> dict[str, Any]:
    seq = a["seq"]
    table = np.zeros((len(seq), N, N + 1), dtype=np.int64)  # a column of zeros behind
    for length in range(1, N):
        start = np.arange(N - length)
        end = start + length
        best = np.maximum(table[:, start, end - 1], table[:, start + 1, end])
        if length > 1:
            around = table[:, start + 1, end - 1] + (seq[:, start] + seq[:, end] == 3)
            best = np.maximum(best, around)
        for cut in range(1, length):
            np.maximum(best, table[:, start, start + cut] + table[:, start + cut + 1, end], out=best)
        table[:, start, end] = best
    return {"table": table[:, :, :N]}


def inputs(rng: np.random.Generator, regime: str) -> dict[str, NDArray[Any]]:
    """Bases with the shares of the regime; audits sort them, or have one kind in half of the places.

    Raises: ValueError for an unknown regime.
    """
    seq = rng.choice(4, N, p=SHARES.get(regime, SHARES["random"]))
    if regime == "sorted":
        seq.sort()
    elif regime == "alternating":
        seq = np.where(np.arange(N) % 2, 3 - seq[0], seq[0])
    elif regime == "sparse":
        seq[rng.random(N) < 7 / 8] = 0
    elif regime == "block":
        seq[: N // 2] = 0
    elif regime not in SHARES:
        raise ValueError(f"unknown regime {regime!r}")
    return {"seq": seq.astype(np.int8)}


def inputs_at(rng: np.random.Generator, regime: str, name: str, value: Any) -> dict[str, NDArray[Any]]:
    """The whole sequence is the one input."""
    return {name: value}
