"""Whether a gain holds for a whole reading or only for its fastest calls.

A reading counts by its lower quartile, the minimum when it is short, so that disturbances do not count. Work that is
moved from some calls into others shortens that quantile too, with outputs that are right: fetching ahead what the next
calls need, keeping in the cache what every fourth will ask for, or being slow on purpose in most of them. By the mean
of all calls such a gain is gone.
"""

import math
import statistics
from collections.abc import Sequence
from typing import Final

FEWEST: Final = 3  # pairs
BY_PAIRS: Final = ((6, 0.10), (3, 0.15))  # from so many pairs on, what the two gains may differ by, as a logarithm
SHARE: Final = 0.5  # of the gain must be there by the mean
# Placebo readings and honest kernels up to 40 times as fast as the head: the median difference of three pairs has a
# standard deviation below 0.06, of six below 0.04, for calls of 40 us and for readings of three calls alike.

Gains = tuple[float, float]  # log(head / candidate) by the quantile that counts, and by the mean


def mean_of(times: Sequence[float]) -> float:
    """Of all but the slowest tenth."""
    return statistics.fmean(sorted(times)[: len(times) - len(times) // 10])


def gains(head: tuple[float, float], candidate: tuple[float, float]) -> Gains | None:
    """Each side: ns by the quantile and by the mean of the same calls. None when one is not a positive number."""
    times = (*head, *candidate)
    if not all(math.isfinite(ns) and ns > 0 for ns in times):
        return None
    return math.log(head[0] / candidate[0]), math.log(head[1] / candidate[1])


def uneven(pairs: Sequence[Gains]) -> str:
    """Why the gain is none of whole readings; "" when it is, or when there is no gain or too little evidence."""
    if len(pairs) < FEWEST:
        return ""
    counted = statistics.median(quantile for quantile, _ in pairs)
    apart = statistics.median(quantile - mean for quantile, mean in pairs)
    most = next(limit for count, limit in BY_PAIRS if len(pairs) >= count)
    if counted <= 0 or apart <= max(most, (1 - SHARE) * counted):
        return ""
    return (
        f"by its fastest calls it takes 1/{math.exp(counted):.2f} of the head's time, by the mean of its calls "
        f"1/{math.exp(counted - apart):.2f}: most calls pay for a few"
    )
