"""The two-sided p of the Mann-Whitney U test, as `scipy.stats.mannwhitneyu` gives it, without loading scipy.

Exact where one side has at most 8 values and no two are the same; else by the normal approximation with the corrections
for ties and continuity (Mann and Whitney, Ann. Math. Stat. 18, 1947; Hollander and Wolfe, 1973, section 4.1).
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

EXACT_UP_TO: Final = 8


def two_sided_p(a: Sequence[float], b: Sequence[float]) -> float:
    """1 when a side is empty."""
    if not a or not b:
        return 1.0
    wins = sum((x > y) + (x == y) / 2 for x in a for y in b)
    most = max(wins, len(a) * len(b) - wins)
    same = [count for count in Counter([*a, *b]).values() if count > 1]
    if same or min(len(a), len(b)) > EXACT_UP_TO:
        return _normal(most, len(a), len(b), same)
    return _exact(int(most), len(a), len(b))


def _exact(most: int, n: int, m: int) -> float:
    return min(1.0, 2 * sum(_ways(n, m)[most:]) / math.comb(n + m, n))


def _ways(n: int, m: int) -> list[int]:
    """How many orders of n and m values have each number of wins: the coefficients of a Gaussian binomial."""
    ways = [1] + [0] * (n * m)
    for i in range(1, n + 1):
        for wins in range(n * m, m + i - 1, -1):
            ways[wins] -= ways[wins - m - i]
        for wins in range(i, n * m + 1):
            ways[wins] += ways[wins - i]
    return ways


def _normal(most: float, n: int, m: int, same: Sequence[int]) -> float:
    total = n + m
    ties = sum(count**3 - count for count in same) / (total * (total - 1))
    sd = math.sqrt(n * m / 12 * (total + 1 - ties))
    return min(1.0, math.erfc((most - n * m / 2 - 0.5) / sd / math.sqrt(2))) if sd else 1.0
