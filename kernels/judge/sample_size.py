"""How many trajectories a difference between two arms needs to be seen. Pure.

Source: the two-sample t test's size with Guenther's correction, n = 2 (z_a + z_b)^2 s^2 / d^2 + z_a^2 / 4 (Guenther,
The American Statistician 35, 1981). It is a plan, no verdict: the permutation test needs about as many.
"""

import math
from typing import Final

LEVEL_Z: Final = 1.959964
"""Two-sided 5 %."""
POWER_Z: Final = 0.841621
"""80 % power."""
FEWEST: Final = 4
"""Of three against three trajectories the exact p is at least 2 / 20, of four against four 2 / 70."""
LEAST_EFFECT: Final = 0.03
"""A difference that somebody would change a setting for, as a share of the speedup."""
MOST: Final = 100_000


def trajectories_for(sd: float, ratio: float) -> int:
    """Trajectories an arm, so that a ratio of speedups shows in 80 of 100 experiments.

    sd: of log speedups within an arm. Raises: ValueError for a ratio that is 1 or not above 0.
    """
    if not (math.isfinite(ratio) and ratio > 0) or ratio == 1.0:
        raise ValueError(f"a difference is a ratio above 0 other than 1, got {ratio}")
    distance = math.log(ratio)
    n = 2.0 * ((LEVEL_Z + POWER_Z) * sd / distance) ** 2 + (LEVEL_Z**2 / 4 if sd > 0 else 0.0)
    return max(FEWEST, min(math.ceil(n), MOST))


def visible_ratio(sd: float, n: int) -> float:
    """The smallest ratio that n trajectories an arm show in 80 of 100 experiments."""
    return math.exp((LEVEL_Z + POWER_Z) * sd * math.sqrt(2.0 / n))


def needed(sd: float | None, seen: float | None, least: float = LEAST_EFFECT) -> int:
    """For what was seen, though for no smaller a difference than `least`; `FEWEST` when nothing is known of the sd."""
    if sd is None or seen is None:
        return FEWEST
    return trajectories_for(sd, math.exp(max(abs(math.log(seen)), math.log1p(least))))
