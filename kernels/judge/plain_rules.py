"""Rules to compare with: the case study's z rule, a margin, a mean. None of them controls its error rate.

`paper` is a t statistic read against a normal bound: it accepts 7 % of changes without any gain, 27 % when jobs rotate
over four servers, and has no "slower": what it stops low is dropped, the rest is called unclear.
"""

import math
from dataclasses import dataclass
from statistics import fmean, median, stdev

from kernels.judge.rule import Bounds, Decision, Series, State, next_look
from kernels.judge.score import floats_of


@dataclass(frozen=True, slots=True)
class Paper:
    """z >= 1.64 over 11 alternating pairs; from the fifth pair on an early stop at z > 4 or z < -2.

    z = mean / (standard deviation / sqrt(n)) of the log ratios, looked at after every pair from the fifth; at the last
    pair only z >= 1.64 counts. These details reproduce the paper's columns of the table.
    """

    pairs: int = 11
    first_look: int = 5
    accept: float = 1.64
    early_accept: float = 4.0
    low_stop: float = -2.0
    name: str = "paper"
    alternating: bool = True

    @property
    def budget(self) -> int:
        return self.pairs

    def statistic(self, x: Series) -> float:
        return t_statistic(x)

    def bounds(self, n: int) -> Bounds:
        if not self.first_look <= n <= self.pairs:
            return Bounds()
        if n == self.pairs:
            return Bounds(faster=self.accept)
        return Bounds(self.early_accept, self.low_stop)

    def decide(self, x: Series) -> Decision:
        looks = range(self.first_look, self.pairs + 1)
        for n in looks:
            if n > len(x):
                break
            decision = self._look(x[:n])
            if decision.stopped:
                return decision
        return Decision(State.MEASURE_MORE, t_statistic(x), len(x), next_look(looks, len(x)))

    def _look(self, x: Series) -> Decision:
        n, z = len(x), t_statistic(x)
        if z > self.early_accept or (n == self.pairs and z >= self.accept):
            return Decision(State.FASTER, z, n)
        if n == self.pairs:
            return Decision(State.UNCLEAR, z, n, no_sign=True)
        if z < self.low_stop:
            return Decision(State.DROP, z, n)
        return Decision(State.MEASURE_MORE, z, n, n + 1)


@dataclass(frozen=True, slots=True)
class Margin:
    """The median log ratio of a fixed number of pairs beyond a margin on either side."""

    pairs: int = 3
    margin: float = 0.01
    name: str = "margin"
    alternating: bool = False

    @property
    def budget(self) -> int:
        return self.pairs

    def statistic(self, x: Series) -> float:
        return median(floats_of(x)) if len(x) else 0.0

    def bounds(self, n: int) -> Bounds:
        return Bounds(self.margin, -self.margin) if n == self.pairs else Bounds()

    def decide(self, x: Series) -> Decision:
        return _at_the_end(x, self.pairs, self.statistic(x[: self.pairs]), self.margin)


@dataclass(frozen=True, slots=True)
class Mean:
    """The sign of the mean log ratio of N pairs: what "run it N times and compare the means" does."""

    pairs: int = 11
    name: str = "mean"
    alternating: bool = False

    @property
    def budget(self) -> int:
        return self.pairs

    def statistic(self, x: Series) -> float:
        return fmean(floats_of(x)) if len(x) else 0.0

    def bounds(self, n: int) -> Bounds:
        return Bounds(0.0, 0.0) if n == self.pairs else Bounds()

    def decide(self, x: Series) -> Decision:
        return _at_the_end(x, self.pairs, self.statistic(x[: self.pairs]), 0.0)


def t_statistic(x: Series) -> float:
    """mean / (sd / sqrt(n)); 0 below two values; +-inf when all values are equal and not 0."""
    values = floats_of(x)
    if len(values) < 2:
        return 0.0
    mean, sd = fmean(values), stdev(values)
    if sd == 0:
        return math.copysign(math.inf, mean) if mean else 0.0
    return mean / (sd / math.sqrt(len(values)))


def _at_the_end(x: Series, pairs: int, statistic: float, margin: float) -> Decision:
    if len(floats_of(x)) < pairs:
        return Decision(State.MEASURE_MORE, statistic, len(x), pairs)
    if statistic > margin:
        return Decision(State.FASTER, statistic, pairs)
    if statistic < -margin:
        return Decision(State.SLOWER, statistic, pairs)
    return Decision(State.UNCLEAR, statistic, pairs)
