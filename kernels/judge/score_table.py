"""Scores of many series at once, from a table of all that a series without ties or zeros can have. For simulations."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from kernels.judge.score import null_law, score_of_tails, signed_rank_score

Floats = NDArray[np.float64]


@lru_cache(maxsize=256)
def tie_free_scores(n: int) -> Floats:
    """Score for every W = 0 .. n (n + 1) / 2 of a series without ties or zeros."""
    law = null_law(tuple(range(1, n + 1)))
    scores = np.array([score_of_tails(law.up_to(law.most - w), law.up_to(w)) for w in range(law.most + 1)])
    scores.setflags(write=False)
    return scores


def signed_rank_scores(x: Floats) -> Floats:
    """The score of every row of x, shape [series, n] to [series]."""
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
