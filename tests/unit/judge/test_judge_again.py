"""Recorded candidates under other rules: who would have been promoted, rightly or not, and what a record cannot say."""

import math

import pytest

from kernels.judge.again import Recorded, Tally, bar_rule, tallies, truth_of
from kernels.judge.trajectory import Step, curve, mean_curve

CLEAR = (0.10, 0.11, 0.09, 0.10, 0.12, 0.10)
NOTHING = (0.02, -0.02, 0.01, -0.01, 0.015, -0.016)


def by_rule(records: list[Recorded]) -> dict[str, Tally]:
    return {one.rule: one for one in tallies(records)}


def test_a_clear_gain_is_promoted_by_all_that_can_see_it() -> None:
    found = by_rule([Recorded(CLEAR, (*CLEAR, 0.1, 0.1), planned=0.9, promoted=True)])
    assert {name: (t.promoted, t.true, t.missed) for name, t in found.items()} == dict.fromkeys(found, (1, 1, 0))


def test_the_ledger_is_believed_before_the_pairs() -> None:
    lucky = Recorded(CLEAR, (*CLEAR, 0.1, 0.1), ledger=(-0.01, -0.03, 0.01), promoted=True)
    assert truth_of(lucky) == ("not faster", "ledger")
    found = by_rule([lucky])
    assert (found["as recorded"].false, found["paired"].false) == (1, 1)
    assert truth_of(Recorded(CLEAR, ledger=(0.2, 0.1, 0.3))) == ("faster", "ledger")


def test_truth_without_a_ledger() -> None:
    assert truth_of(Recorded(CLEAR)) == ("faster", "test")
    assert truth_of(Recorded(NOTHING, CLEAR)) == ("faster", "confirmation")
    assert truth_of(Recorded(tuple(-x for x in CLEAR))) == ("not faster", "test")
    assert truth_of(Recorded((0.1, 0.1))) == ("open", "")
    assert truth_of(Recorded((0.05, 0.04, -0.01, 0.02, 0.06, -0.005))) == ("open", "test")


def test_a_bar_takes_three_lucky_pairs_for_a_gain() -> None:
    assert bar_rule().margin == pytest.approx(-math.log(0.97))
    lucky = Recorded((0.05, 0.04, 0.06, -0.1, -0.1, -0.1, -0.12, -0.1))
    found = by_rule([lucky])
    assert (found["3 % bar"].promoted, found["3 % bar"].false) == (1, 1)
    assert found["paired"].promoted == 0


def test_a_small_gain_is_missed_by_a_bar() -> None:
    small = tuple(0.012 + 0.001 * (i % 3) for i in range(8))
    found = by_rule([Recorded(small, small, planned=0.99)])
    assert (found["paired"].true, found["3 % bar"].missed, found["static estimate"].missed) == (1, 1, 1)


def test_a_record_that_ends_before_the_rule_decides_nothing() -> None:
    found = by_rule([Recorded((0.02, 0.01, 0.015))])
    assert (found["paired"].undecided, found["paper"].undecided, found["static estimate"].undecided) == (1, 1, 1)
    assert (found["3 % bar"].judged, found["3 % bar"].undecided) == (1, 0)


def test_trajectories_with_one_head_have_one_figure_by_whichever_claims() -> None:
    ways = [[(2.0, 1.3), (3.0, 1.7)], [(1.0, 1.1), (2.0, 1.9), (3.0, 1.2)], [(4.0, 0.9)], [(5.0, 2.7)], []]
    for measured in (0.7, 1.9, 2.7, 19.3):
        assert {curve(claims, measured, spent=6.0, budget=9.0).final for claims in ways} == {measured}


def test_claims_are_scaled_to_what_was_measured() -> None:
    found = curve([(2.0, 2.0), (5.0, 2.0)], 2.0, spent=6.0, budget=10.0)
    assert [step.spent for step in found.steps] == [0.0, 2.0, 5.0]
    assert [step.speedup for step in found.steps] == pytest.approx([1.0, math.sqrt(2.0), 2.0])
    assert (found.at(0.5), found.at(4.0), found.at(9.0)) == pytest.approx((1.0, math.sqrt(2.0), 2.0))
    assert found.carried


def test_claims_that_say_the_opposite_are_not_scaled() -> None:
    found = curve([(2.0, 1.1)], 0.9, spent=10.0, budget=10.0)
    assert found.steps == (Step(0.0, 1.0), Step(2.0, 1.0), Step(2.0, 0.9))
    assert found.final == 0.9
    assert not found.carried
    assert curve([], 1.0, spent=3.0, budget=3.0).steps == (Step(0.0, 1.0),)


def test_the_mean_of_curves_is_geometric_at_every_step() -> None:
    one = curve([(1.0, 4.0)], 4.0, spent=3.0, budget=3.0)
    other = curve([(2.0, 9.0)], 9.0, spent=3.0, budget=3.0)
    assert [(s.spent, s.speedup) for s in mean_curve([one, other])] == pytest.approx(
        [(0.0, 1.0), (1.0, 2.0), (2.0, 6.0)]
    )
    assert mean_curve([]) == ()
