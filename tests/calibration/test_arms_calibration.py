"""How often intervals cover and p falls below its level, where nothing differs and the truth is known."""

import itertools
import math

import numpy as np
import pytest

from kernels.judge.arms import figures, reach
from kernels.judge.permutation import permutation_p


@pytest.mark.parametrize(("n", "low", "high"), [(3, 0.66, 0.84), (5, 0.86, 0.97), (12, 0.90, 0.985)])
def test_an_interval_covers_about_what_it_says(n: int, low: float, high: float) -> None:
    """200 experiments of n trajectories each, log-normal around 2x. Three cannot cover more than 75 %."""
    rng = np.random.default_rng(20)
    hits = 0
    for number in range(200):
        found = figures([math.log(2.0) + 0.1 * float(rng.normal()) for _ in range(n)], seed=number)
        assert found is not None
        interval = found.geomean.interval
        assert interval is not None
        hits += interval[0] <= 2.0 <= interval[1]
    assert low <= hits / 200 <= high
    assert low <= reach(n)


def test_p_is_no_smaller_than_its_level_says_over_all_ways_to_deal() -> None:
    """Exact: every way to deal seven numbers out to two arms is equally likely when the arms do not matter."""
    values = [0.1, 0.25, 0.3, 0.55, 0.9, 1.4, 2.2]
    found = []
    for chosen in itertools.combinations(range(7), 3):
        arms = [[values[i] for i in chosen], [v for i, v in enumerate(values) if i not in chosen]]
        permuted = permutation_p(arms, seed=1)
        assert permuted is not None
        found.append(permuted.p)
    for level in sorted(set(found)):
        assert sum(p <= level for p in found) / len(found) <= level + 1e-9
