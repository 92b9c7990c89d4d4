"""Ranks, agreement and tolerance, for any values."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from kernels.profiling.agreement import MISSES, NEEDED, agreement, midranks, same_sign, spearman, tolerance

VALUES = st.floats(min_value=1e-3, max_value=1e9)
SMALL = st.integers(1, 5).map(float)  # many ties
PAIRS = st.lists(st.tuples(st.one_of(VALUES, SMALL), st.one_of(VALUES, SMALL)), min_size=2, max_size=40)
ERRORS = st.lists(st.floats(min_value=-3, max_value=3), max_size=80)


@given(st.lists(st.one_of(VALUES, SMALL), max_size=40))
def test_midranks_are_scipys(values: list[float]) -> None:
    assert midranks(values) == stats.rankdata(values).tolist()


@given(PAIRS)
def test_spearman_is_scipys(pairs: list[tuple[float, float]]) -> None:
    x, y = zip(*pairs, strict=True)
    got = spearman(x, y)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert got is None
    else:
        assert got == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)


@given(PAIRS, st.floats(min_value=0.01, max_value=100))
def test_a_common_factor_changes_the_ratio_alone(pairs: list[tuple[float, float]], factor: float) -> None:
    x, y = zip(*pairs, strict=True)
    one, other = agreement(x, y), agreement(x, [factor * value for value in y])
    assert one is not None
    assert other is not None
    assert other.ratio == pytest.approx(factor * one.ratio)
    assert (other.n, other.error) == (one.n, pytest.approx(one.error, rel=1e-6, abs=1e-9))
    assert one.ratio_low <= one.ratio <= one.ratio_high
    assert one.error <= one.error_p90


@given(PAIRS)
def test_order_alone_decides_the_rank_correlation(pairs: list[tuple[float, float]]) -> None:
    x, y = zip(*pairs, strict=True)
    assert spearman(midranks(x), midranks(y)) == spearman(x, y)


@given(ERRORS)
def test_a_tolerance_needs_enough_errors_and_lies_beyond_most_of_them(errors: list[float]) -> None:
    bound = tolerance(errors)
    if len(errors) < NEEDED:
        assert bound is None
        return
    assert bound is not None
    refused_wrongly = sum(math.exp(error) * bound < 1 - 1e-9 for error in errors)
    assert refused_wrongly <= MISSES * (len(errors) + 1)


@given(ERRORS, st.floats(min_value=-1, max_value=1))
def test_a_shift_of_all_errors_shifts_the_tolerance(errors: list[float], shift: float) -> None:
    one, other = tolerance(errors), tolerance([error + shift for error in errors])
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert other == pytest.approx(one * math.exp(-shift))


def test_few_new_candidates_fall_beyond_a_tolerance_when_errors_are_alike() -> None:
    """Exchangeable errors: the share that a plan at the bound would refuse although they are faster than the head."""
    rng = np.random.Generator(np.random.PCG64(7))
    wrong = 0
    for _ in range(4000):
        *known, new = rng.standard_t(3, size=NEEDED + 1)
        bound = tolerance([float(value) for value in known])
        assert bound is not None
        wrong += float(new) + math.log(bound) < 0
    assert wrong / 4000 == pytest.approx(MISSES, abs=0.015)


@given(PAIRS)
def test_equal_differences_agree_in_sign(pairs: list[tuple[float, float]]) -> None:
    deltas = [a - b for a, b in pairs]
    agreeing, of = same_sign(deltas, deltas)
    assert agreeing == of == sum(delta != 0 for delta in deltas)
    assert same_sign(deltas, [-delta for delta in deltas]) == (0, of)
