"""The exact one-sided Wilcoxon signed-rank tail as a normal quantile.

W is the sum of the ranks of |x| over the positive x, with midranks for ties; a zero keeps its rank and adds nothing.
Under "no difference" every sign is a fair coin, whatever the sizes, so the null law of W is a convolution over the
ranks; they are doubled, which makes midranks integers. `scipy.stats.wilcoxon(method="exact")` is wrong with ties or
zeros (1.17.1); `scipy.stats.permutation_test` over all sign flips agrees and is the oracle of the tests.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

EXACT_UP_TO: Final = 200
"""Longer series use the normal law with continuity correction; its error there is far below 0.01."""

_NORMAL: Final = NormalDist()
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def signed_rank_score(x: Sequence[float] | Floats) -> float:
    """Score of the series: positive means "above zero"; six of six above zero is 2.154.

    x: log(head / candidate) of each pair, shape [n].
    Returns 0 for an empty series and whenever neither tail is below 1/2.
    Raises: ValueError when a value is not finite.
    """
    values = np.asarray(x, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError(f"every log ratio must be finite, got {values.tolist()}")
    ranks = doubled_midranks(np.abs(values))
    total = int(ranks[values > 0].sum())
    if values.size > EXACT_UP_TO:
        return _normal_score(total, ranks[values != 0])
    if np.array_equal(np.sort(ranks[values != 0]), np.arange(2, 2 * values.size + 1, 2)):
        return float(tie_free_scores(values.size)[total // 2])
    return _score_in_law(null_law(tuple(np.sort(ranks[values != 0]).tolist())), total)


def doubled_midranks(sizes: Floats) -> Integers:
    """Twice the midrank of each size, shape [n]; ranks start at 1."""
    ordered = np.sort(sizes)
    below = np.searchsorted(ordered, sizes, side="left")
    up_to = np.searchsorted(ordered, sizes, side="right")
    return (below + up_to + 1).astype(np.int64)


@lru_cache(maxsize=4096)
def null_law(doubled_ranks: tuple[int, ...]) -> Floats:
    """P(2 W = w) for w = 0 .. sum of the doubled ranks, when each rank is counted by a fair coin.

    Every probability is a multiple of 2**-n, so the float64 values are exact up to n = 53.
    """
    law = np.zeros(sum(doubled_ranks) + 1)
    law[0] = 1.0
    top = 0
    for rank in doubled_ranks:
        top += rank
        law[rank : top + 1] += law[: top - rank + 1].copy()
        law[: top + 1] *= 0.5
    return law


@lru_cache(maxsize=256)
def tie_free_scores(n: int) -> Floats:
    """Score for every W = 0 .. n (n + 1) / 2 of a series without ties or zeros."""
    law = null_law(tuple(range(1, n + 1)))
    scores = np.array(
        [_score_of_tails(up, low) for up, low in zip(law[::-1].cumsum()[::-1], law.cumsum(), strict=True)]
    )
    scores.setflags(write=False)
    return scores


def signed_rank_scores(x: Floats) -> Floats:
    """The score of every row of x, shape [series, n] to [series]. Meant for simulations."""
    n = x.shape[1]
    sizes = np.abs(x)
    order = np.argsort(sizes, axis=1)
    signs = np.take_along_axis(x, order, axis=1) > 0
    scores = tie_free_scores(n)[signs @ np.arange(1, n + 1)]
    ordered = np.take_along_axis(sizes, order, axis=1)
    irregular = (np.diff(ordered, axis=1) == 0).any(axis=1) | (ordered[:, 0] == 0)
    for row in np.flatnonzero(irregular):
        scores[row] = signed_rank_score(x[row])
    return scores


def _score_in_law(law: Floats, total: int) -> float:
    return _score_of_tails(float(law[total:].sum()), float(law[: total + 1].sum()))


def _score_of_tails(upper: float, lower: float) -> float:
    if upper < 0.5:
        return -_NORMAL.inv_cdf(upper)
    return _NORMAL.inv_cdf(lower) if lower < 0.5 else 0.0


def _normal_score(total: int, ranks: Integers) -> float:
    distance = total - ranks.sum() / 2
    sd = math.sqrt(float((ranks.astype(np.float64) ** 2).sum()) / 4)
    return math.copysign(max(abs(distance) - 1.0, 0.0), distance) / sd if sd else 0.0
