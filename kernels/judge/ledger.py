"""The ledger: the direct measurement of a head against the baseline, the only number quoted as speedup.

Fixed numbers of coin-flip pairs, kept whatever they say. Claimed gains are selected and so too high; they are printed
beside it, never in its place.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kernels.judge.estimate import shift_interval
from kernels.values.reading import Estimate

FULL_PAIRS: Final = 24
SHORT_PAIRS: Final = 12
EVERY_PROMOTIONS: Final = 4
EVERY_HOURS: Final = 24.0
FAILS_AT: Final = -1.85


@dataclass(frozen=True, slots=True)
class Speedup:
    """Old time over new time; 1 is no change, 2 is twice as fast."""

    speedup: float
    low: float
    high: float

    @property
    def text(self) -> str:
        return f"{self.speedup:.2f}x ({self.low:.2f} .. {self.high:.2f})"


def speedup_of(x: Sequence[float]) -> Speedup:
    """From log(old / new) of each pair, shape [n]. Raises: ValueError without pairs."""
    shift, low, high = shift_interval(x)
    return Speedup(math.exp(shift), math.exp(low), math.exp(high))


def geometric_mean(entries: Iterable[Speedup]) -> Speedup | None:
    """Over the kernels of a pack; None without entries. Kernels err independently: half-widths add in quadrature.

    Raises: ValueError for a speedup that is not finite or not above 0: one of these would decide alone.
    """
    entries = list(entries)
    bad = [e for e in entries if not (math.isfinite(e.speedup) and e.speedup > 0)]
    if bad:
        raise ValueError(f"no geometric mean over a speedup of {bad[0].speedup}: it must be finite and above 0")
    logs = [(math.log(e.speedup), _log(e.low), _log(e.high)) for e in entries]
    if not logs:
        return None
    middle = sum(m for m, _, _ in logs) / len(logs)
    down = math.sqrt(sum((m - low) ** 2 for m, low, _ in logs)) / len(logs)
    up = math.sqrt(sum((high - m) ** 2 for m, _, high in logs)) / len(logs)
    return Speedup(math.exp(middle), math.exp(middle - down), math.exp(middle + up))


def pack_speedup(by_kernel: Mapping[str, Speedup], kernels: Sequence[str]) -> Speedup | None:
    """Geometric mean over all kernels of a pack, one without an entry counting as 1; None when none has an entry."""
    if not any(kernel in by_kernel for kernel in kernels):
        return None
    return geometric_mean(by_kernel.get(kernel, Speedup(1.0, 1.0, 1.0)) for kernel in kernels)


def claimed_gain(gains: Iterable[float | Estimate]) -> float:
    """Product of the accepted estimates as a speedup factor; gains are shares of the head's time saved.

    Raises: ValueError for a gain of 1 or more, or one that is not finite.
    """
    known = [g.gain if isinstance(g, Estimate) else g for g in gains]
    bad = [g for g in known if not (math.isfinite(g) and g < 1.0)]
    if bad:
        raise ValueError(f"no claim over a gain of {bad[0]}: it must be finite and below 1")
    return math.prod(1.0 / (1.0 - g) for g in known)


@dataclass(frozen=True, slots=True)
class Due:
    """A ledger measurement that has to be taken. against: "previous" ledger head or "baseline"."""

    pairs: int
    against: str
    reason: str


def short_due(promotions_since: int, hours_since: float) -> Due | None:
    """12 pairs against the previous ledger head: every 4 promotions and every 24 h, when anything was promoted."""
    if promotions_since >= EVERY_PROMOTIONS:
        return Due(SHORT_PAIRS, "previous", f"{promotions_since} promotions since the last entry")
    if promotions_since and hours_since >= EVERY_HOURS:
        return Due(SHORT_PAIRS, "previous", f"{hours_since:.0f} h since the last entry")
    return None


def full_due(*, submitting: bool, ending: bool, head_is_baseline: bool) -> Due | None:
    """24 pairs against the baseline: before a submission and at the end of a campaign."""
    if head_is_baseline or not (submitting or ending):
        return None
    return Due(FULL_PAIRS, "baseline", "before a submission" if submitting else "end of the campaign")


def must_bisect(score: float) -> bool:
    """Whether a ledger step against the previous head says that something since then made it slower."""
    return score <= FAILS_AT


@dataclass(frozen=True, slots=True)
class Bisection:
    """Finds the promotion that fails: position 0 is the previous ledger head, position k the head after promotion k.

    good: the last position known not to be slower than position 0; bad: the first known to be slower.
    """

    good: int
    bad: int

    @classmethod
    def over(cls, promotions: int) -> "Bisection":
        """Raises: ValueError when nothing was promoted since the last entry."""
        if promotions < 1:
            raise ValueError("nothing to bisect: no promotion since the last ledger entry")
        return cls(0, promotions)

    @property
    def culprit(self) -> int | None:
        """The promotion to demote, 1-based; None while positions remain to be measured."""
        return self.bad if self.bad - self.good == 1 else None

    @property
    def probe(self) -> int:
        """The position to measure next against position 0, with 12 pairs."""
        return (self.good + self.bad) // 2

    def after(self, score: float) -> "Bisection":
        """With the score of the probed head against position 0."""
        return Bisection(self.good, self.probe) if must_bisect(score) else Bisection(self.probe, self.bad)


def _log(value: float) -> float:
    return math.log(value) if value > 0 else -math.inf
