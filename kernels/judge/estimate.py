"""How large the gain is: Hodges-Lehmann, with the interval that belongs to the score."""

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from kernels.judge.score import Floats, signed_rank_score
from kernels.values.reading import Estimate

INSIDE: Final = 2.15
"""A shift belongs to the interval while the shifted series scores within +-INSIDE: the bound of FASTER."""


def estimate(x: Sequence[float] | Floats) -> Estimate:
    """Gain 1 - candidate / head, with its interval, of log ratios x of shape [n].

    Below six pairs no shift can be excluded: the interval is then (-inf, 1).
    Raises: ValueError for an empty series.
    """
    shift, low, high = shift_interval(x)
    return Estimate(gain_of(shift), gain_of(low), gain_of(high))


def gain_of(log_ratio: float) -> float:
    """log(head / candidate) as a share of the head's time saved; inf is 1, -inf is -inf."""
    return -math.inf if log_ratio < -700 else -math.expm1(-log_ratio)


def log_ratio_of(gain: float) -> float:
    """The inverse of `gain_of`. Raises: ValueError for a gain of 1 or more."""
    return -math.log1p(-gain)


def shift_interval(x: Sequence[float] | Floats) -> tuple[float, float, float]:
    """Hodges-Lehmann shift of x (median of Walsh averages) and the shifts whose score stays inside +-2.15.

    Raises: ValueError for an empty series.
    """
    values = np.asarray(x, dtype=np.float64)
    if not values.size:
        raise ValueError("no estimate without pairs")
    averages = walsh_averages(values)
    steps = np.unique(averages)
    between = np.concatenate(([steps[0] - 1], (steps[:-1] + steps[1:]) / 2, [steps[-1] + 1]))

    def score_after(index: int) -> float:
        return signed_rank_score(values - between[index])

    first = _first(len(between), lambda i: score_after(i) < INSIDE)
    last = _first(len(between), lambda i: score_after(i) <= -INSIDE) - 1
    low = -math.inf if first == 0 else float(steps[first - 1])
    high = math.inf if last == len(steps) else float(steps[last])
    return float(np.median(averages)), low, high


def walsh_averages(values: Floats) -> Floats:
    """(x_i + x_j) / 2 for i <= j, shape [n (n + 1) / 2]."""
    rows, columns = np.triu_indices(values.size)
    return (values[rows] + values[columns]) / 2


def _first(count: int, holds: Callable[[int], bool]) -> int:
    """Smallest index below count for which a condition that stays true holds; count when it never does."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
