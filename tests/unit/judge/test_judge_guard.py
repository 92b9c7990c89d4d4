"""Verdicts to outcomes, the plateau counter, the batch gate, retests."""

import pytest

from kernels.judge import guard
from kernels.judge.retest import PastTest, may_test
from kernels.values.verdict import GateName, Outcome, Verdict


@pytest.mark.parametrize(
    ("gate", "outcome"),
    [
        ("source", Outcome.REJECT),
        ("legality", Outcome.REJECT),
        ("compile", Outcome.REJECT),
        ("estimate", Outcome.REJECT),
        ("correct", Outcome.REVERT),
        ("trace", Outcome.REVERT),
        ("batch", Outcome.REVERT),
    ],
)
def test_a_refused_gate(gate: GateName, outcome: Outcome) -> None:
    assert guard.outcome_of_gate(gate) is outcome


@pytest.mark.parametrize(
    ("verdict", "gain", "confirmed", "outcome"),
    [
        (Verdict.FASTER, 0.02, True, Outcome.KEEP),
        (Verdict.FASTER, 0.02, False, Outcome.ACCEPT),
        (Verdict.FLAT, 0.0, False, Outcome.ACCEPT),
        (Verdict.UNCLEAR, -0.009, False, Outcome.ACCEPT),
        (Verdict.UNCLEAR, -0.01, False, Outcome.REVERT),
        (Verdict.UNCLEAR, None, False, Outcome.REVERT),
        (Verdict.SLOWER, -0.001, False, Outcome.REVERT),
        (Verdict.INVALID, 0.5, True, Outcome.INVALID),
    ],
)
def test_a_test(verdict: Verdict, gain: float | None, confirmed: bool, outcome: Outcome) -> None:
    assert guard.outcome_of_test(verdict, gain, confirmed=confirmed) is outcome


def test_the_plateau_counter() -> None:
    counter = 0
    seen = []
    for outcome in (Outcome.ACCEPT, Outcome.REVERT, Outcome.REJECT, Outcome.INVALID, Outcome.KEEP, Outcome.REVERT):
        counter = guard.plateau_after(counter, outcome)
        seen.append(counter)
    assert seen == [1, 2, 2, 2, 0, 1]
    assert guard.must_draft(12, 12)
    assert not guard.must_draft(11, 12)
    assert not guard.must_draft(99, 0)


class TestRetest:
    OPEN = PastTest("code", "head", Verdict.UNCLEAR, 24)

    def test_a_new_candidate_is_tested(self) -> None:
        assert may_test([], "code", "head").allowed
        assert may_test([self.OPEN], "other", "head").allowed

    def test_a_verdict_binds_candidate_and_head(self) -> None:
        slower = PastTest("code", "head", Verdict.SLOWER, 6)
        assert not may_test([slower], "code", "head").allowed
        assert "SLOWER after 6 pairs" in may_test([slower], "code", "head").reason
        assert may_test([slower], "code", "next head").allowed

    def test_only_open_is_retested_and_once(self) -> None:
        first = may_test([self.OPEN], "code", "head")
        assert (first.allowed, first.retest) == (True, True)
        assert not may_test([self.OPEN, self.OPEN], "code", "head").allowed

    def test_no_sign_is_not_retested(self) -> None:
        stopped = PastTest("code", "head", Verdict.UNCLEAR, 8, no_sign=True)
        assert "NO SIGN" in may_test([stopped], "code", "head").reason

    def test_invalid_is_queued_once_more(self) -> None:
        invalid = PastTest("code", "head", Verdict.INVALID, 2)
        assert may_test([invalid], "code", "head").allowed
        assert not may_test([invalid, invalid], "code", "head").allowed
        assert may_test([invalid, self.OPEN], "code", "head").retest
        assert guard.invalid_again(1)
        assert not guard.invalid_again(2)
