"""Walsh averages by rank without making them all, and the interval of long series; scores and estimates are light."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from kernels.judge.estimate import shift_interval, walsh_averages
from kernels.judge.score import signed_rank_score
from kernels.judge.walsh import averages_up_to, kth_average

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("values", [[0.0], [2.0, 2.0], [-1.0, 0.0, 1.0], [3.5, -1.25, 0.5, 0.5, 7.0]])
def test_each_average_in_its_turn(values: list[float]) -> None:
    ordered, averages = sorted(values), sorted(walsh_averages(values))
    assert [kth_average(ordered, k) for k in range(len(averages))] == averages
    assert [averages_up_to(ordered, a) for a in averages] == [sum(b <= a for b in averages) for a in averages]


def test_a_long_series_has_the_median_and_the_bounds_that_its_score_gives() -> None:
    x = np.random.default_rng(7).normal(0.02, 1.0, size=260)
    shift, low, high = shift_interval(x)
    averages = np.sort(walsh_averages(list(x)))
    assert shift == pytest.approx(np.median(averages), abs=1e-15)
    for bound, outside, sign in ((low, -1e-9, 1), (high, 1e-9, -1)):
        assert bound in averages
        assert sign * signed_rank_score(x - bound - outside) >= 2.15 > sign * signed_rank_score(x - bound + outside)


def test_scores_and_estimates_need_no_numpy() -> None:
    code = (
        "import sys, kernels.judge.registry, kernels.judge.collect, kernels.judge.placebo as p;"
        "print(p.pooled_bias([0.01, -0.02, 0.03]).pairs, [m for m in ('numpy', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "3 []"
