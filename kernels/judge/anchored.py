"""A score of a kernel between its baseline and its peak: 0.5 is the baseline's time, 1 the peak's.

    score = 0.5 + 0.5 log(S) / log(S P)        S: the ledger's speedup, P: times peak, so that S P = baseline / peak

On a log scale, because every factor then counts alike: each half of the way, measured as a factor, adds as much as the
other half, the score of a weighted geometric mean of shapes rests on the same mean of log ratios that the judge tests,
and the ledger's interval carries over. It may be above 1, since the peak is measured and is no bound, and below 0.5 for
what is slower than the baseline; 0 is as much slower as the peak is faster. Other scores with these two anchors (0.5 at
the baseline, 1 at the limit) put the kernels of one device in the same order, and are equal at both anchors only.
"""

import math


def anchored(speedup: float | None, times_peak: float | None) -> float | None:
    """None without both, and where the baseline is not above its peak: there is nothing between the anchors then."""
    if speedup is None or times_peak is None or not (speedup > 0 and times_peak > 0):
        return None
    span = math.log(speedup * times_peak)
    return 0.5 + 0.5 * math.log(speedup) / span if span > 0 else None
