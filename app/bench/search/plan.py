"""Whose turn it is: every search advances one candidate a round, in an order drawn anew, so that drift favours none."""

from collections.abc import Mapping

import numpy as np


def turns(spent: Mapping[str, int], number: int, seed: int) -> list[str]:
    """The order of one round. spent: candidates by search, of those that still run.

    A search that is ahead, as after a race of several candidates at once, waits until the others have caught up; when
    all are ahead, those that are least so go on.
    """
    if not spent:
        return []
    level = max(number, min(spent.values()))
    behind = sorted(name for name, candidates in spent.items() if candidates <= level)
    rng = np.random.Generator(np.random.PCG64([seed, number]))
    return [behind[int(i)] for i in rng.permutation(len(behind))]
