"""A change is believed to save no more than the spans that it changes take, less what their plan needs."""

import pytest

from kernels.profiling.join import Line
from kernels.profiling.profile import Profile
from roles.brains.offline.room import NOT_SURE, room
from tests.unit.profiling.timelines import SOURCE, candidate, spec
from tests.unit.roles.test_offline_policy import BASE, BRAIN, situation

SECOND = candidate(SOURCE.replace("KW_SPAN_BEGIN(down);", "KW_SPAN_BEGIN(down); __builtin_prefetch(p->from);"))


def line(label: str, ns: float, *touches: str, planned: float | None = None) -> Line:
    return Line(label, "parallel", 1, ns, (ns, ns), ns / 1000, 0.0, 0.0, "compute", touches, compute_ns=planned)


def profile(*lines: Line, key: str = "head") -> Profile:
    return Profile("p", "f", key, 2, 3, 1000.0, 990.0, 1010.0, 1000.0, 40.0, "slow", lines, (), 4000, None)


def test_it_is_the_share_of_the_spans_that_read_what_it_changes() -> None:
    found = room(SECOND, candidate(), spec(), profile(line("one", 700, "A"), line("two", 200, "B", "y")))
    assert found is not None
    assert (found.share, found.evidence) == (0.2, "the loops over B take 20% of the head's time")


def test_what_the_plan_needs_is_left_out_but_for_what_plans_may_be_wrong() -> None:
    half = room(SECOND, candidate(), spec(), profile(line("two", 200, "B", planned=100.0)))
    assert half is not None and half.share == pytest.approx(0.1)
    assert half.evidence == "the loops over B take 20% of the head's time, of which 10% are not planned"
    full = room(SECOND, candidate(), spec(), profile(line("two", 200, "B", planned=300.0)))
    assert full is not None and full.share == pytest.approx(0.2 * NOT_SURE)


def test_where_nothing_can_be_said_nothing_is_bounded() -> None:
    assert room(SECOND, candidate(), spec(), profile(line("one", 700, "A"))) is None
    assert room(candidate(), candidate(), spec(), profile(line("two", 200, "B"))) is None


def test_the_policy_bounds_what_it_expects_and_says_why() -> None:
    small = profile(line("loop", 20, "W"), key=BASE.id)
    free, bounded = (BRAIN.propose(situation(profile=one), 8, 5) for one in (None, small))
    assert all("of the head's time" not in p.reason for p in free)
    told = [p for p in bounded if "the loops over W take 2% of the head's time" in p.reason]
    assert told and all(p.expected_gain <= 0.02 for p in told)
    assert [p.candidate.id for p in free] != [p.candidate.id for p in bounded]


def test_a_profile_of_nothing_that_is_changed_leaves_the_order_as_it_is() -> None:
    other = profile(line("loop", 20, "nothing"), key=BASE.id)
    same = [[p.candidate.id for p in BRAIN.propose(situation(profile=one), 8, 5)] for one in (None, other)]
    assert same[0] == same[1]
