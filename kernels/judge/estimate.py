"""How large the gain is: Hodges-Lehmann, with the interval that belongs to the score. Needs no numpy."""

import math
from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement, pairwise
from statistics import median
from typing import Final

from kernels.judge.rule import Series
from kernels.judge.score import EXACT_UP_TO, floats_of, signed_rank_score
from kernels.judge.walsh import kth_average
from kernels.values.reading import Estimate

INSIDE: Final = 2.15
"""A shift belongs to the interval while the shifted series scores within +-INSIDE: the bound of FASTER."""


def estimate(x: Series) -> Estimate:
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


def shift_interval(x: Series) -> tuple[float, float, float]:
    """Hodges-Lehmann shift of x (median of Walsh averages) and the shifts whose score stays inside +-2.15.

    Raises: ValueError for an empty series.
    """
    values = floats_of(x)
    if not values:
        raise ValueError("no estimate without pairs")
    return _of_few(values) if len(values) <= EXACT_UP_TO else _of_many(sorted(values))


def _of_few(values: Sequence[float]) -> tuple[float, float, float]:
    """By the exact score between every two averages."""
    averages = walsh_averages(values)
    steps = sorted(set(averages))
    between = [steps[0] - 1, *((a + b) / 2 for a, b in pairwise(steps)), steps[-1] + 1]

    def score_after(index: int) -> float:
        return signed_rank_score([value - between[index] for value in values])

    first = _first(len(between), lambda i: score_after(i) < INSIDE)
    last = _first(len(between), lambda i: score_after(i) <= -INSIDE) - 1
    low = -math.inf if first == 0 else steps[first - 1]
    high = math.inf if last == len(steps) else steps[last]
    return median(averages), low, high


def _of_many(ordered: Sequence[float]) -> tuple[float, float, float]:
    """By the normal law, in which the score of a shift is that of the number of averages above it (Tukey 1949)."""
    n = len(ordered)
    count = n * (n + 1) // 2
    sd = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    above = math.ceil(count / 2 + 0.5 + INSIDE * sd)
    middle = (kth_average(ordered, (count - 1) // 2) + kth_average(ordered, count // 2)) / 2
    return middle, kth_average(ordered, count - above), kth_average(ordered, above - 1)


def walsh_averages(values: Sequence[float]) -> list[float]:
    """(x_i + x_j) / 2 for i <= j, shape [n (n + 1) / 2]."""
    return [(a + b) / 2 for a, b in combinations_with_replacement(values, 2)]


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
