"""Hodges-Lehmann and the interval that belongs to the score."""

import math

import numpy as np
import pytest

from kernels.judge.estimate import estimate, gain_of, log_ratio_of, shift_interval
from kernels.judge.score import signed_rank_score


def test_the_shift_is_the_median_of_walsh_averages() -> None:
    shift, _, _ = shift_interval([0.0, 1.0, 5.0])
    assert shift == pytest.approx(np.median([0, 0.5, 2.5, 1, 3, 5]))


def test_gain_is_a_share_of_the_heads_time() -> None:
    found = estimate([math.log(100 / 99)] * 6)
    assert found.gain == pytest.approx(0.01)
    assert log_ratio_of(found.gain) == pytest.approx(math.log(100 / 99))
    assert gain_of(-math.inf) == -math.inf
    assert gain_of(math.inf) == 1.0


def test_below_six_pairs_nothing_is_excluded() -> None:
    found = estimate([0.01, 0.02, 0.03, 0.04, 0.05])
    assert found.low == -math.inf
    assert found.high == 1.0


def test_the_interval_excludes_zero_exactly_when_the_score_says_faster() -> None:
    rng = np.random.default_rng(1)
    for x in rng.normal(0.4, 1.0, size=(200, 12)):
        _, low, high = shift_interval(x)
        assert (low > 0) == (signed_rank_score(x) >= 2.15)
        assert (high < 0) == (signed_rank_score(x) <= -2.15)


def test_shifts_inside_score_inside_and_shifts_outside_do_not() -> None:
    x = np.random.default_rng(4).normal(size=16)
    _, low, high = shift_interval(x)
    for shift in (low + 1e-9, high - 1e-9):
        assert abs(signed_rank_score(x - shift)) < 2.15
    for shift in (low - 1e-9, high + 1e-9):
        assert abs(signed_rank_score(x - shift)) >= 2.15


def test_an_empty_series_has_no_estimate() -> None:
    with pytest.raises(ValueError, match="without pairs"):
        estimate([])
