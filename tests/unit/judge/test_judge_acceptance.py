"""The table of looks, row by row, and the order of tests at a look."""

import itertools

import numpy as np
import pytest

from kernels.judge.acceptance import ACCEPTANCE, CONFIRMATION, Paired, decide
from kernels.judge.rule import Decision, State
from kernels.judge.score import signed_rank_score


def series(n: int, score_in: tuple[float, float], scale: float = 0.02, start: tuple[float, ...] = ()) -> list[float]:
    """A series of n, beginning with `start`, whose score lies in the range and which no earlier look stops."""
    rng = np.random.default_rng(n)
    for _ in range(20_000):
        x: list[float] = [*start, *(rng.normal(0.3, 1.0, n - len(start)) * scale).tolist()]
        earlier = [decide(x[:k]).state for k in range(n)]
        if score_in[0] <= signed_rank_score(x) < score_in[1] and set(earlier) <= {State.MEASURE_MORE}:
            return x
    raise AssertionError("no such series found")


@pytest.mark.parametrize("n", [6, 8, 10, 12, 16, 20, 24])
def test_row_1_faster(n: int) -> None:
    decision = decide(series(n, (2.15, 9)))
    assert (decision.state, decision.pairs, decision.next_look) == (State.FASTER, n, None)


def test_row_2_slower_at_a_smaller_score_than_faster_asks_for() -> None:
    x = [-0.06, -0.05, -0.04, -0.03, -0.02, 0.01]
    assert -2.15 < signed_rank_score(x) <= -1.85
    assert decide(x).state is State.SLOWER


def test_row_3_flat_needs_both_shifts() -> None:
    tight = [0.001, -0.0012, 0.0008, -0.0009, 0.0005, -0.0003]
    assert decide(tight).state is State.FLAT
    assert decide([*tight[:5], 0.006]).state is not State.FLAT
    assert decide(tight, Paired(flat_within=0.001)).state is not State.FLAT


def test_rows_1_and_2_come_before_flat() -> None:
    small = [0.001, 0.0012, 0.0008, 0.0009, 0.0005, 0.0003]
    assert decide(small).state is State.FASTER
    assert decide([-v for v in small]).state is State.SLOWER


def test_row_4_budget_used_is_open_even_with_a_low_score() -> None:
    decision = decide(series(24, (1.0, 1.5)))
    assert (decision.state, decision.no_sign, decision.label) == (State.UNCLEAR, False, "OPEN")


def test_row_5_two_more_pairs_after_a_bad_start() -> None:
    x = [-0.06, -0.05, -0.04, -0.03, 0.02, 0.035]
    assert -1.85 < signed_rank_score(x) <= -1.0
    assert decide(x) == Decision(State.MEASURE_MORE, signed_rank_score(x), 6, 8)


def test_row_5_holds_at_six_pairs_only() -> None:
    start = (-0.06, -0.05, -0.04, -0.03, 0.02, 0.035)
    decision = decide(series(8, (-1.8, -1.0), start=start))
    assert (decision.state, decision.no_sign, decision.pairs) == (State.UNCLEAR, True, 8)


@pytest.mark.parametrize(("n", "edge"), [(6, 0.3), (8, 0.4333), (10, 0.5667), (12, 0.7), (16, 0.9667), (20, 1.2333)])
def test_row_6_no_sign_below_the_rising_edge(n: int, edge: float) -> None:
    assert ACCEPTANCE.bounds(n).unclear_below == pytest.approx(edge, abs=1e-4)
    stopped = decide(series(n, (edge - 0.6, edge)))
    assert (stopped.state, stopped.no_sign, stopped.label) == (State.UNCLEAR, True, "NO SIGN")
    going = decide(series(n, (edge, 2.1)))
    assert going.state is State.MEASURE_MORE


def test_row_7_on_to_the_next_look() -> None:
    looks = (6, 8, 10, 12, 16, 20, 24)
    for now, then in itertools.pairwise(looks):
        assert decide(series(now, (1.3, 2.1))).next_look == then
    assert [decide([0.01] * n).next_look for n in range(6)] == [6] * 6


def test_a_stop_is_binding_whatever_comes_later() -> None:
    no_sign = [0.01, -0.02, 0.03, -0.04, 0.05, -0.055]
    stopped = decide(no_sign)
    assert stopped.no_sign
    assert decide([*no_sign, *([0.5] * 18)]) == stopped


def test_boundaries_are_known_at_looks_only() -> None:
    assert ACCEPTANCE.bounds(7) == ACCEPTANCE.bounds(0)
    assert ACCEPTANCE.bounds(7).faster is None
    last = ACCEPTANCE.bounds(24)
    assert (last.faster, last.slower, last.unclear_below) == (2.15, -1.85, None)


def test_d_must_be_positive() -> None:
    with pytest.raises(ValueError, match="flat_within"):
        Paired(flat_within=0.0)


class TestConfirmation:
    def test_promotes_from_eight_fresh_pairs(self) -> None:
        assert decide([0.01] * 7, CONFIRMATION).state is State.MEASURE_MORE
        decision = decide([0.01] * 8, CONFIRMATION)
        assert (decision.state, decision.pairs) == (State.FASTER, 8)

    def test_drops_at_a_score_of_zero_or_less(self) -> None:
        assert decide([0.01, -0.01] * 4, CONFIRMATION).state is State.DROP

    def test_goes_on_between_zero_and_the_bound_and_drops_at_sixteen(self) -> None:
        x = [0.03, -0.02, 0.01, -0.015, 0.025, -0.011, 0.02, 0.005] * 2
        assert 0 < signed_rank_score(x[:8]) < 1.4
        assert decide(x[:8], CONFIRMATION).next_look == 12
        assert 0 < signed_rank_score(x) < 1.4
        assert (decide(x, CONFIRMATION).state, decide(x, CONFIRMATION).pairs) == (State.DROP, 16)
