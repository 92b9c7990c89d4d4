"""The exact one-sided Wilcoxon signed-rank tail as a normal quantile. Needs no numpy: a screen scores too.

W is the sum of the ranks of |x| over the positive x, with midranks for ties; a zero keeps its rank and adds nothing.
Under "no difference" every sign is a fair coin, whatever the sizes, so the null law of W is a convolution over the
ranks; they are doubled, which makes midranks integers. `scipy.stats.wilcoxon(method="exact")` is wrong with ties or
zeros (1.17.1); `scipy.stats.permutation_test` over all sign flips agrees and is the oracle of the tests.
"""

import math
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from statistics import NormalDist
from typing import Final

from kernels.judge.rule import Series

EXACT_UP_TO: Final = 200
"""Longer series use the normal law with continuity correction; its error there is far below 0.01."""

_NORMAL: Final = NormalDist()


def signed_rank_score(x: Series) -> float:
    """Score of the series: positive means "above zero"; six of six above zero is 2.154.

    x: log(head / candidate) of each pair, shape [n].
    Returns 0 for an empty series and whenever neither tail is below 1/2.
    Raises: ValueError when a value is not finite.
    """
    values = floats_of(x)
    ranks = doubled_midranks(values)
    total = sum(rank for rank, value in zip(ranks, values, strict=True) if value > 0)
    counted = sorted(rank for rank, value in zip(ranks, values, strict=True) if value)
    if len(values) > EXACT_UP_TO:
        return _normal_score(total, counted)
    law = null_law(tuple(counted))
    return score_of_tails(law.up_to(law.most - total), law.up_to(total))


def floats_of(x: Series) -> list[float]:
    """Raises: ValueError when a value is not finite."""
    values = [float(value) for value in x]
    if not all(map(math.isfinite, values)):
        raise ValueError(f"every log ratio must be finite, got {values}")
    return values


def doubled_midranks(values: Sequence[float]) -> list[int]:
    """Twice the midrank of each size, shape [n]; ranks start at 1."""
    sizes = [abs(value) for value in values]
    ordered = sorted(sizes)
    return [bisect_left(ordered, size) + bisect_right(ordered, size) + 1 for size in sizes]


class NullLaw:
    """How many of the 2 ** n sign patterns give each doubled sum: exact, as digits of one integer while it is made."""

    def __init__(self, doubled_ranks: Sequence[int]) -> None:
        n, self.most = len(doubled_ranks), sum(doubled_ranks)
        size = n // 8 + 1
        law = 1
        for rank in doubled_ranks:
            law += law << 8 * size * rank
        digits = law.to_bytes((self.most + 1) * size, "little")
        counts = (int.from_bytes(digits[at : at + size], "little") for at in range(0, len(digits), size))
        self._up_to = array("d", (count / (1 << n) for count in accumulate(counts)))

    def up_to(self, total: int) -> float:
        """P(2 W <= total), rounded once. Read from the other end the law is the same: P(2 W >= total) is
        `up_to(most - total)`."""
        return self._up_to[total]


@lru_cache(maxsize=32)
def null_law(doubled_ranks: tuple[int, ...]) -> NullLaw:
    """When each rank is counted by a fair coin."""
    return NullLaw(doubled_ranks)


def score_of_tails(upper: float, lower: float) -> float:
    if upper < 0.5:
        return -_NORMAL.inv_cdf(upper)
    return _NORMAL.inv_cdf(lower) if lower < 0.5 else 0.0


def _normal_score(total: int, ranks: Sequence[int]) -> float:
    distance = total - sum(ranks) / 2
    sd = math.sqrt(sum(rank * rank for rank in ranks)) / 2
    return math.copysign(max(abs(distance) - 1.0, 0.0), distance) / sd if sd else 0.0
