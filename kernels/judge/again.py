"""Recorded candidates judged again: what another rule, or a static plan alone, would have promoted, and how rightly.

Whether a candidate was faster than the head that it was tested against is taken from, in this order: the ledger, where
it has both of them against the baseline; the fresh pairs of a confirmation; all pairs of its test. The last two overlap
with what a rule sees, which makes every rule look better than it is; the sources are counted, so that one can tell.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from kernels.judge.acceptance import CONFIRMATION, WORTH_FILING, Paired
from kernels.judge.estimate import gain_of, shift_interval
from kernels.judge.plain_rules import Margin, Paper
from kernels.judge.rule import Rule, State

BAR: Final = 0.03
"""A gain that somebody without statistics asks for before a change is kept."""
FEWEST: Final = 6
"""Pairs below which no interval excludes anything."""
Truth = Literal["faster", "not faster", "open"]
Source = Literal["ledger", "confirmation", "test", ""]


@dataclass(frozen=True, slots=True)
class Recorded:
    """One candidate that came to the device beside a head. x: log(head / candidate) of its test's pairs in run order;
    fresh: of its confirmation. planned: its planned time over the head's, None without a plan. ledger: middle and ends
    of log(head / candidate) by the ledger, None where it lacks one of both. promoted: it became the head."""

    x: tuple[float, ...]
    fresh: tuple[float, ...] = ()
    planned: float | None = None
    ledger: tuple[float, float, float] | None = None
    promoted: bool = False


@dataclass(frozen=True, slots=True)
class Tally:
    """Of one rule. promoted = true + false + open; missed: faster, and refused. undecided: the record ends before the
    rule does, or there is no plan; of these so many were faster."""

    rule: str
    judged: int
    promoted: int
    true: int
    false: int
    open: int
    missed: int
    undecided: int
    undecided_faster: int


def truth_of(one: Recorded) -> tuple[Truth, Source]:
    """Faster: the interval lies above no change. Not faster: its middle does not, or it has no gain worth filing."""
    if one.ledger is not None:
        return _said(*one.ledger), "ledger"
    for series, source in ((one.fresh, "confirmation"), (one.x, "test")):
        if len(series) >= FEWEST:
            return _said(*shift_interval(series)), source
    return "open", ""


def _said(middle: float, low: float, high: float) -> Truth:
    if low > 0:
        return "faster"
    return "not faster" if middle <= 0 or gain_of(high) < WORTH_FILING else "open"


def by_paired(one: Recorded, rule: Rule) -> bool | None:
    """This judge: FASTER, then confirmed on fresh pairs by an estimate that is worth filing."""
    first = rule.decide(one.x)
    if not first.stopped:
        return None
    if first.state is not State.FASTER:
        return False
    second = CONFIRMATION.decide(one.fresh)
    if not second.stopped:
        return None
    return second.state is State.FASTER and gain_of(shift_interval(one.fresh)[0]) >= WORTH_FILING


def by_plain(one: Recorded, rule: Rule) -> bool | None:
    """A rule without a confirmation; pairs of the confirmation go on where those of the test end."""
    decision = rule.decide([*one.x, *one.fresh])
    return decision.state is State.FASTER if decision.stopped else None


def by_plan(one: Recorded) -> bool | None:
    """The static estimate alone: a planned gain of the bar or more."""
    return None if one.planned is None else one.planned <= 1.0 - BAR


def bar_rule() -> Margin:
    """The median of three pairs at least 3 % ahead."""
    return Margin(margin=-math.log1p(-BAR), name="bar")


def tallies(records: Sequence[Recorded], flat_within: float = 0.005) -> list[Tally]:
    """This judge, the paper's rule, a 3 % bar, the static estimate alone; what was really promoted comes first."""
    paired, paper, bar = Paired(flat_within=flat_within), Paper(), bar_rule()
    ways = {
        "as recorded": lambda one: one.promoted,
        "paired": lambda one: by_paired(one, paired),
        "paper": lambda one: by_plain(one, paper),
        "3 % bar": lambda one: by_plain(one, bar),
        "static estimate": by_plan,
    }
    truths = [truth_of(one)[0] for one in records]
    return [_tally(name, [way(one) for one in records], truths) for name, way in ways.items()]


def _tally(rule: str, said: Sequence[bool | None], truths: Sequence[Truth]) -> Tally:
    both = list(zip(said, truths, strict=True))
    kept = [truth for yes, truth in both if yes is True]
    return Tally(
        rule, len(both) - said.count(None), len(kept), kept.count("faster"), kept.count("not faster"),
        kept.count("open"), both.count((False, "faster")), said.count(None), both.count((None, "faster")),
    )  # fmt: skip
