"""Properties of the score and of the rules, for any series."""

import random
import warnings

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from kernels.judge.acceptance import ACCEPTANCE, CONFIRMATION, decide
from kernels.judge.noise import log_ratios
from kernels.judge.plain_rules import Paper
from kernels.judge.rule import Rule
from kernels.judge.score import signed_rank_score
from kernels.judge.score_table import Floats
from kernels.judge.simulate import STATES, Stops, run_confirmation, run_paired, run_paper

tied = st.lists(st.integers(-4, 4).map(float), min_size=2, max_size=9)
smooth = st.lists(st.floats(-1, 1, allow_subnormal=False), min_size=2, max_size=9)


def positive_rank_sum(x: Floats, axis: int = -1) -> Floats:
    return (stats.rankdata(np.abs(x), axis=axis) * (x > 0)).sum(axis=axis)


def oracle_tail(x: list[float], alternative: str) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = stats.permutation_test(
            (np.array(x),), positive_rank_sum, permutation_type="samples", n_resamples=np.inf, alternative=alternative
        )
    return float(found.pvalue)


@settings(max_examples=60, deadline=None)
@given(st.one_of(tied, smooth))
def test_the_score_agrees_with_the_permutation_test(x: list[float]) -> None:
    upper, lower = oracle_tail(x, "greater"), oracle_tail(x, "less")
    expected = stats.norm.isf(upper) if upper < 0.5 else -stats.norm.isf(lower) if lower < 0.5 else 0.0
    assert signed_rank_score(x) == pytest.approx(expected, abs=1e-9)


@given(st.one_of(tied, smooth))
def test_swapping_head_and_candidate_turns_the_score(x: list[float]) -> None:
    assert signed_rank_score([-v for v in x]) == pytest.approx(-signed_rank_score(x), abs=1e-12)


@given(smooth, st.randoms(use_true_random=False))
def test_the_score_does_not_care_about_order_or_unit(x: list[float], shuffler: random.Random) -> None:
    other = [8.0 * v for v in x]
    shuffler.shuffle(other)
    assert signed_rank_score(other) == signed_rank_score(x)


@given(smooth, st.integers(0, 8), st.floats(0, 2))
def test_a_faster_pair_never_lowers_the_score_of_a_series_without_ties(x: list[float], at: int, by: float) -> None:
    assume(at < len(x))
    better = [v + by if i == at else v for i, v in enumerate(x)]
    assume(all(len({abs(v) for v in s}) == len(s) and 0.0 not in s for s in (x, better)))
    assert signed_rank_score(better) >= signed_rank_score(x)


@settings(deadline=None)
@given(st.lists(st.floats(-0.05, 0.05), min_size=6, max_size=24), st.lists(st.floats(-0.05, 0.05), max_size=12))
def test_later_pairs_never_change_a_verdict(x: list[float], more: list[float]) -> None:
    for rule in (ACCEPTANCE, CONFIRMATION, Paper()):
        before = decide(x, rule)
        if before.stopped:
            assert decide([*x, *more], rule) == before


@pytest.mark.parametrize("noise", ["normal", "skew30", "step"])
@pytest.mark.parametrize("gain", [-0.003, 0.0, 0.01])
def test_many_series_at_once_are_decided_as_one_by_one(noise: str, gain: float) -> None:
    rng = np.random.default_rng(12)
    x = log_ratios(noise, 0.004, gain, 120, 24, rng)
    agree(run_paired(x, ACCEPTANCE), x, ACCEPTANCE)
    agree(run_confirmation(x[:, :16], CONFIRMATION), x[:, :16], CONFIRMATION)
    agree(run_paper(x[:, :11], Paper()), x[:, :11], Paper())


def agree(stops: Stops, x: Floats, rule: Rule) -> None:
    single = [rule.decide(row) for row in x]
    assert [STATES[s] for s in stops.states] == [d.state for d in single]
    assert stops.pairs.tolist() == [d.pairs for d in single]
