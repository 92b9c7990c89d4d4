"""When a pair is measured again: only for reasons that do not change when head and candidate swap places.

Never because a reading looks large: with a candidate 2.9 times faster a "1.5 times the median" rule would flag 41 % of
the pairs, all of them on the head's side.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from kernels.values.reading import First, Pair

MOST_REDOS: Final = 3
Side = Literal["head", "candidate", ""]


class VoidPair(Exception):
    """A job of the pair was void: device unhealthy, or preempted past the target's limit. side: whose job, if known."""

    def __init__(self, reason: str, side: Side = "", first: First = "head") -> None:
        super().__init__(reason)
        self.reason = reason
        self.side: Side = side
        self.first: First = first


@dataclass(frozen=True, slots=True)
class Redo:
    """One pair that was measured again. side: whose reading was the long one, beside what the kept pairs say."""

    reason: str
    side: Side
    first: First


@dataclass(frozen=True, slots=True)
class RedoPolicy:
    """most: redos a test. mode_ratio: probes that differ by more disagree on the mode. work_ratio: sqrt(head *
    candidate) in units of the probe's time, against its running median over at least `settled` pairs."""

    most: int = MOST_REDOS
    mode_ratio: float = 1.3
    work_ratio: float = 1.5
    settled: int = 3

    def reason(self, pair: Pair, kept: Sequence[Pair]) -> str:
        """Why this pair has to be taken again; "" when it stands."""
        return pair.redo_reason or self._mode_flip(pair) or self._long_work(pair, kept)

    def _mode_flip(self, pair: Pair) -> str:
        before, after = pair.probe_before_gbs, pair.probe_after_gbs
        if min(before, after) <= 0 or max(before, after) <= self.mode_ratio * min(before, after):
            return ""
        return f"mode: the probe read {before:.1f} GB/s before the pair and {after:.1f} after it"

    def _long_work(self, pair: Pair, kept: Sequence[Pair]) -> str:
        now = work(pair)
        before = [w for w in map(work, kept) if w is not None]
        if now is None or len(before) < self.settled:
            return ""
        ratio = now / statistics.median(before)
        return f"work: sqrt(head x candidate) / probe is {ratio:.2f} x its median" if ratio > self.work_ratio else ""


def work(pair: Pair) -> float | None:
    """sqrt(head * candidate) over the probe's time, in arbitrary units; None without probes or valid readings."""
    before, after = pair.probe_before_gbs, pair.probe_after_gbs
    if not pair.valid or min(before, after) <= 0:
        return None
    return math.sqrt(pair.head.ns * pair.candidate.ns) * math.sqrt(before * after)


def side_of(pair: Pair, kept: Sequence[Pair]) -> Side:
    """Whose reading of a redone pair is long, against the median log ratio of the kept pairs; "" when invalid."""
    if not pair.valid:
        return ""
    usual = statistics.median(p.log_ratio for p in kept) if kept else 0.0
    return "head" if pair.log_ratio > usual else "candidate"


def side_warning(head: int, candidate: int, level: float = 0.05) -> str:
    """A warning when redos fall on one side more than a fair coin would let them; "" otherwise.

    A single test has at most three, which prove nothing: count over a campaign. p is that of `scipy.stats.binomtest`.
    """
    n, most = head + candidate, max(head, candidate)
    p = min(1.0, 2 * sum(math.comb(n, k) for k in range(most, n + 1)) / 2**n)
    if p >= level:
        return ""
    return (
        f"redos fall on one side: {head} on the head's, {candidate} on the candidate's (p = {p:.3g}); check the device"
    )


@dataclass(slots=True)
class RedoLog:
    """Counts the redos of one test."""

    policy: RedoPolicy = field(default_factory=RedoPolicy)
    redos: list[Redo] = field(default_factory=list)

    @property
    def spent(self) -> bool:
        return len(self.redos) >= self.policy.most

    @property
    def warning(self) -> str:
        sides = [r.side for r in self.redos]
        return side_warning(sides.count("head"), sides.count("candidate"))
