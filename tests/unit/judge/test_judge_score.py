"""The signed-rank score on series whose tails can be counted by hand."""

from statistics import NormalDist

import numpy as np
import pytest

from kernels.judge.score import signed_rank_score
from kernels.judge.score_table import signed_rank_scores, tie_free_scores


def quantile(tail: float) -> float:
    return -NormalDist().inv_cdf(tail)


def test_six_of_six_faster() -> None:
    assert signed_rank_score([0.01, 0.02, 0.03, 0.04, 0.05, 0.06]) == pytest.approx(2.154, abs=5e-4)


@pytest.mark.parametrize(
    ("x", "tail"),
    [
        ([1.0, 2.0, 3.0], 1 / 8),
        ([1.0, 1.0, 1.0, 1.0], 1 / 16),  # ties
        ([0.0, 1.0, 2.0, 3.0], 1 / 8),  # a zero keeps its rank and adds nothing
        ([-1.0, 2.0, 3.0, 4.0], 2 / 16),  # W = 9 of 10: {2,3,4} and all four
    ],
)
def test_tails_counted_by_hand(x: list[float], tail: float) -> None:
    assert signed_rank_score(x) == pytest.approx(quantile(tail))
    assert signed_rank_score([-v for v in x]) == pytest.approx(-quantile(tail))


@pytest.mark.parametrize("x", [[], [0.0, 0.0, 0.0], [1.0, -1.0]])
def test_no_tail_below_one_half_scores_zero(x: list[float]) -> None:
    assert signed_rank_score(x) == 0.0


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_series_that_is_not_finite_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        signed_rank_score([0.1, bad])


def test_rows_are_scored_as_series_are_with_ties_and_zeros_among_them() -> None:
    rng = np.random.default_rng(5)
    x = np.vstack([rng.normal(size=(40, 9)), rng.integers(-2, 3, size=(40, 9)).astype(float)])
    assert signed_rank_scores(x) == pytest.approx([signed_rank_score(row) for row in x])


def test_scores_of_a_series_without_ties_rise_from_end_to_end() -> None:
    scores = tie_free_scores(24)
    assert scores.size == 301
    assert (np.diff(scores) >= 0).all()
    assert scores == pytest.approx(-scores[::-1])


def test_long_series_go_over_to_the_normal_law_without_a_jump() -> None:
    x = np.random.default_rng(2).normal(0.1, 1.0, size=201)
    whole, exact = signed_rank_score(x), signed_rank_score(x[:200])
    z = tie_free_scores(200)
    assert z[11_000] == pytest.approx((2 * 11_000 - 20_100 - 1) / np.sqrt(4 * 200 * 201 * 401 / 24), abs=0.01)
    assert abs(whole - exact) < 0.2
