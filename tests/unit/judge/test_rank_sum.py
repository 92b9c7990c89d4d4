"""The p of the rank sum test is scipy's, in every case that scipy treats apart."""

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from kernels.judge.rank_sum import two_sided_p


@pytest.mark.parametrize("decimals", [None, 2, 0], ids=["no two are the same", "some are", "most are"])
@pytest.mark.parametrize(("n", "m"), [(1, 1), (2, 7), (3, 40), (8, 8), (8, 9), (9, 9), (12, 12), (30, 200)])
def test_it_is_scipys(n: int, m: int, decimals: int | None) -> None:
    rng = np.random.default_rng(7)
    for shift in (0.0, 0.5, 2.0, -3.0):
        a, b = rng.normal(0, 1, n), rng.normal(shift, 1, m)
        if decimals is not None:
            a, b = a.round(decimals), b.round(decimals)
        assert two_sided_p(a.tolist(), b.tolist()) == pytest.approx(float(mannwhitneyu(a, b).pvalue), rel=1e-9)


def test_values_that_are_all_the_same_and_none_at_all_say_nothing() -> None:
    assert two_sided_p([1.0, 1.0], [1.0, 1.0, 1.0]) == 1.0
    assert two_sided_p([], [1.0]) == 1.0
