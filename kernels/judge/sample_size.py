"""How many trajectories a difference between two arms needs to be seen. Pure.

Source: the two-sample t test's size with Guenther's correction, n = 2 (z_a + z_b)^2 s^2 / d^2 + z_a^2 / 4 (Guenther,
The American Statistician 35, 1981). It is a plan, no verdict: the permutation test needs about as many. Where several
arms are compared, each is held against its share of the level, which is what Holm's correction asks of the first.
"""

import math
from statistics import NormalDist
from typing import Final

LEVEL: Final = 0.05
"""Two-sided."""
POWER: Final = 0.8
LEAST_EFFECT: Final = 0.03
"""A difference that somebody would change a setting for, as a share of the speedup."""
MOST: Final = 100_000


def fewest(comparisons: int = 1) -> int:
    """Trajectories an arm, so that the smallest p of the exact test, 2 in all ways to deal them out, is below the level
    after its correction for so many comparisons: 4 for one (2 / 70), 5 for six (6 x 2 / 252)."""
    n = 2
    while 2 * comparisons / math.comb(2 * n, n) >= LEVEL:
        n += 1
    return n


def trajectories_for(sd: float, ratio: float, comparisons: int = 1) -> int:
    """Trajectories an arm, so that a ratio of speedups shows in 80 of 100 experiments.

    sd: of log speedups within an arm. comparisons: arms that are held against the control. Raises: ValueError for a
    ratio that is 1 or not above 0.
    """
    if not (math.isfinite(ratio) and ratio > 0) or ratio == 1.0:
        raise ValueError(f"a difference is a ratio above 0 other than 1, got {ratio}")
    distance = math.log(ratio)
    level_z, power_z = _quantiles(comparisons)
    n = 2.0 * ((level_z + power_z) * sd / distance) ** 2 + (level_z**2 / 4 if sd > 0 else 0.0)
    return max(fewest(comparisons), min(math.ceil(n), MOST))


def visible_ratio(sd: float, n: int, comparisons: int = 1) -> float:
    """The smallest ratio that n trajectories an arm show in 80 of 100 experiments."""
    return math.exp(sum(_quantiles(comparisons)) * sd * math.sqrt(2.0 / n))


def needed(sd: float | None, seen: float | None, least: float = LEAST_EFFECT, comparisons: int = 1) -> int:
    """For what was seen, though for no smaller a difference than `least`; the fewest that can tell anything where
    nothing is known of the sd."""
    if sd is None or seen is None:
        return fewest(comparisons)
    return trajectories_for(sd, math.exp(max(abs(math.log(seen)), math.log1p(least))), comparisons)


def _quantiles(comparisons: int) -> tuple[float, float]:
    normal = NormalDist()
    return normal.inv_cdf(1 - LEVEL / (2 * comparisons)), normal.inv_cdf(POWER)
