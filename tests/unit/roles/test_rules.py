"""Budgets, life cycle, conclusions: the pure rules of the roles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.packs.loader import baseline, load_pack
from kernels.values.reading import Estimate
from kernels.values.verdict import Outcome, Verdict
from roles.attempt import Attempt, Result
from roles.budget import Budget, Spent, final_reserve_s, over
from roles.lifecycle import TRANSITIONS, IllegalTransition, step
from roles.owner import conclusion_of
from roles.placebo import placebo_of

SPEC = load_pack("axpy_gemv").kernel("gemv")


def test_time_is_kept_for_the_final_ledger() -> None:
    budget = Budget(minutes=10)
    assert over(budget, Spent(500, 5), reserve_s=60) == ""
    assert "10 min" in over(budget, Spent(541, 5), reserve_s=60)


def test_candidates_bound_and_zero_is_unbounded() -> None:
    assert "7 judged" in over(Budget(candidates=7), Spent(0, 7), 0)
    assert over(Budget(), Spent(1e9, 10**9), 1e9) == ""


def test_the_reserve_covers_the_readings_of_24_pairs() -> None:
    baseline_ns, head_ns = 54e6, 3e6
    readings_s = 24 * (4 * baseline_ns + 14 * head_ns) / 1e9
    assert final_reserve_s([baseline_ns], [head_ns], 24, 3) > readings_s


@given(st.sampled_from(sorted(TRANSITIONS)), st.sampled_from(sorted(TRANSITIONS)))
def test_only_listed_transitions_are_taken(state: str, wanted: str) -> None:
    if wanted == state or wanted in TRANSITIONS[state]:
        assert step(state, wanted) == wanted
    else:
        with pytest.raises(IllegalTransition, match=state):
            step(state, wanted)


def test_nothing_leads_out_of_finished() -> None:
    assert not TRANSITIONS["finished"]


def attempt() -> Attempt:
    return Attempt("gemv", baseline(SPEC), "prefetch", "tunable", "variant", {"bytes": 2048})


@pytest.mark.parametrize(
    ("outcome", "gain", "want"),
    [
        (Outcome.KEEP, 0.05, "win"),
        (Outcome.REVERT, -0.2, "trap"),
        (Outcome.REVERT, None, "trap"),
        (Outcome.REVERT, -0.001, None),
        (Outcome.ACCEPT, 0.001, None),
        (Outcome.REJECT, None, None),
    ],
)
def test_what_an_owner_learns(outcome: Outcome, gain: float | None, want: str | None) -> None:
    estimate = None if gain is None else Estimate(gain, gain - 0.01, gain + 0.01)
    found = conclusion_of("reduction", attempt(), Result(1, outcome, Verdict.UNCLEAR, "", "because", estimate))
    assert (found.kind if found else None) == want
    assert found is None or (found.kernel_type, found.strategy) == ("reduction", "prefetch bytes=2048")


def test_a_placebo_is_another_candidate_with_the_same_code() -> None:
    head = baseline(SPEC)
    placebo = placebo_of(head, "7f3a")
    assert placebo.id != head.id
    assert placebo.source.startswith(head.source.rstrip())
