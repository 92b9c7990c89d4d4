"""Placebos: the head against itself through the whole pipeline. What they prove, and when they raise the alarm."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

ALARMS: Final[dict[int, int]] = {20: 4, 40: 5, 60: 7, 100: 10, 200: 16}
"""Placebo tests to FASTER among them that raise the alarm; looked at at these numbers only."""
KNOWN_FROM: Final = 40
NOT_YET_KNOWN: Final = "not yet known"
BIAS_ALARM: Final = 4.0
"""Score of the pooled pairs, either way, that raises the alarm although it is looked at after every placebo."""


@dataclass(frozen=True, slots=True)
class Placebos:
    """faster of tests placebo tests were called FASTER."""

    faster: int
    tests: int

    def __post_init__(self) -> None:
        if not 0 <= self.faster <= self.tests:
            raise ValueError(f"placebos: {self.faster} FASTER of {self.tests} tests cannot be")

    @property
    def upper(self) -> float | None:
        """95 % upper bound of the share called FASTER (Clopper-Pearson); None without tests."""
        if not self.tests:
            return None
        from scipy.stats import binomtest

        return float(binomtest(self.faster, self.tests).proportion_ci(0.90, "exact").high)

    @property
    def known(self) -> bool:
        return self.tests >= KNOWN_FROM

    @property
    def text(self) -> str:
        """`1/60 FASTER, at most 7.7 %`, or that fewer than 40 prove nothing."""
        if not self.known or self.upper is None:
            return f"{self.faster}/{self.tests} FASTER: {NOT_YET_KNOWN} ({KNOWN_FROM} needed)"
        return f"{self.faster}/{self.tests} FASTER, at most {100 * self.upper:.1f} %"


def alarm(verdicts: Sequence[bool]) -> int | None:
    """The number of placebo tests at which the alarm went off, None when it did not.

    verdicts: whether each placebo test was FASTER, in run order; only the first 20, 40, 60, 100 and 200 are looked at.
    """
    return next((n for n, k in ALARMS.items() if len(verdicts) >= n and sum(verdicts[:n]) >= k), None)


def alarm_at(faster: int, tests: int) -> bool:
    """Whether this count raises the alarm: only at the numbers of tests of the table."""
    return tests in ALARMS and faster >= ALARMS[tests]


@dataclass(frozen=True, slots=True)
class Bias:
    """Pooled A/A pairs: a quicker meter than counted verdicts. gain should be 0 within its interval."""

    pairs: int
    gain: float
    low: float
    high: float
    score: float

    @property
    def clean(self) -> bool:
        """No shift is seen: 0 lies inside the interval."""
        return self.low <= 0 <= self.high

    @property
    def text(self) -> str:
        return (
            f"A/A bias {100 * self.gain:+.2f} % ({100 * self.low:+.2f} .. {100 * self.high:+.2f}), {self.pairs} pairs"
        )


def pooled_bias(x: Sequence[float]) -> Bias | None:
    """The bias of all placebo pairs of a campaign, log ratios of shape [n]; None without pairs."""
    if not x:
        return None
    from kernels.judge.estimate import gain_of, shift_interval
    from kernels.judge.score import signed_rank_score

    shift, low, high = shift_interval(x)
    return Bias(len(x), gain_of(shift), gain_of(low), gain_of(high), signed_rank_score(x))


def is_placebo_turn(tests_run: int, every: int = 15) -> bool:
    """Whether a placebo comes after this many tests: one test in `every`; never when `every` is 0."""
    return every > 0 and tests_run > 0 and tests_run % every == 0
