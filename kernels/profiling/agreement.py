"""How well planned times agree with measured ones: ratio, rank correlation, signs, and what a refusal may rest on.

Pure. A plan need not be right to be of use: by its order a filter can work, by its ratio a time can be guessed.
"""

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

ENOUGH: Final = 8
"""Points below which nothing is said of trust: by chance alone 5 % of series of 8 reach a rank correlation of 0.64."""
ORDERS: Final = 0.7
TELLS_TIME: Final = 0.10
MISSES: Final = 0.05
"""Share of refusals that may turn out to have been faster than the head."""
NEEDED: Final = math.ceil(1 / MISSES) - 1
"""Errors that a tolerance needs: of fewer, even the worst may be exceeded more often than that."""
LEAST_TOLERANCE: Final = 1.3
"""Of the head's plan: nearer plans went wrong on a device however well they ranked its hot loops."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of n points. ratio: real / planned, its median, least and most. rank: Spearman's correlation with midranks, None
    where one side is constant. error, error_p90: |ratio x planned / real - 1|, its median and the smallest that 90 % do
    not exceed: how far a guess by the median ratio is off."""

    n: int
    ratio: float
    ratio_low: float
    ratio_high: float
    rank: float | None
    error: float
    error_p90: float

    @property
    def orders(self) -> bool:
        """Its order can be trusted."""
        return self.n >= ENOUGH and self.rank is not None and self.rank >= ORDERS

    @property
    def tells_time(self) -> bool:
        """The planned time itself can be trusted."""
        return self.n >= ENOUGH and abs(self.ratio - 1) <= TELLS_TIME and self.error_p90 <= TELLS_TIME

    @property
    def text(self) -> str:
        """`n 23, median ratio 1.31, rank correlation 0.84: trust it for order, not for time`."""
        rank = "-" if self.rank is None else f"{self.rank:.2f}"
        return f"n {self.n}, median ratio {self.ratio:.2f}, rank correlation {rank}: {self._trust}"

    @property
    def _trust(self) -> str:
        if self.n < ENOUGH:
            return f"too few to trust it, {ENOUGH} needed"
        if self.tells_time:
            return "trust it for order and time" if self.orders else "trust it for time, not for order"
        return "trust it for order, not for time" if self.orders else "trust it neither for order nor for time"


def agreement(planned: Sequence[float], real: Sequence[float]) -> Agreement | None:
    """Of times or cycles, one each a candidate; None without any.

    Raises: ValueError when the lengths differ, or a value is not positive and finite.
    """
    if len(planned) != len(real) or not all(0 < value < math.inf for value in (*planned, *real)):
        raise ValueError("planned and real must be as many positive numbers each")
    if not planned:
        return None
    ratios = [y / x for x, y in zip(planned, real, strict=True)]
    middle = statistics.median(ratios)
    errors = sorted(abs(middle / ratio - 1) for ratio in ratios)
    return Agreement(
        len(ratios), middle, min(ratios), max(ratios), spearman(planned, real), statistics.median(errors),
        errors[math.ceil(0.9 * (len(errors) - 1))],
    )  # fmt: skip


def spearman(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Pearson's correlation of the midranks; None where it is not defined."""
    try:
        return statistics.correlation(midranks(x), midranks(y))
    except statistics.StatisticsError:
        return None


def midranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1; values that are equal share the mean of theirs."""
    ranks, below = [0.0] * len(values), 0
    for _, tied in groupby(sorted(range(len(values)), key=values.__getitem__), key=values.__getitem__):
        places = list(tied)
        for place in places:
            ranks[place] = below + (len(places) + 1) / 2
        below += len(places)
    return ranks


def same_sign(planned: Sequence[float], real: Sequence[float], least: float = 0.0) -> tuple[int, int]:
    """(agreeing, all) among differences to a parent that are not zero, where the planned one is at least this large."""
    pairs = [(p, r) for p, r in zip(planned, real, strict=True) if p and r and abs(p) >= least]
    return sum((p > 0) == (r > 0) for p, r in pairs), len(pairs)


def tolerance(errors: Sequence[float]) -> float | None:
    """How many times the head's planned time a candidate's may be before it is clearly slower; None while too few
    errors are known.

    errors: log(real ratio / planned ratio) of earlier candidates against their heads. The k-th smallest of n, with
    k = floor(MISSES (n + 1)), lies above a new error with a chance of k / (n + 1) at most, whatever the law of the
    errors, while they are exchangeable. Source: split conformal prediction, Vovk, Gammerman and Shafer, Algorithmic
    Learning in a Random World, 2005, section 2.2.
    """
    order = math.floor(MISSES * (len(errors) + 1) + 1e-9)
    return math.exp(-sorted(errors)[order - 1]) if order else None


@dataclass(frozen=True, slots=True)
class Point:
    """One judged candidate of a kernel, nanoseconds. head_planned_ns: of the head it was judged against, None where
    that had no plan; real_ratio: measured candidate / head. wall: the memory was what the plan waited for. model: that
    the plan was made by."""

    planned_ns: float
    real_ns: float
    head_planned_ns: float | None
    real_ratio: float
    wall: bool
    model: str

    @property
    def error(self) -> float | None:
        """log(real ratio / planned ratio); None where no ratio was planned, or the memory was the plan."""
        if self.wall or self.head_planned_ns is None:
            return None
        return math.log(self.real_ratio * self.head_planned_ns / self.planned_ns)


def filtered_from(points: Sequence[Point], model: str) -> tuple[int, float | None]:
    """How many errors a filter by this model may rest on, and how many times the head's plan a candidate's may then be;
    None while there are too few."""
    errors = errors_of(points, model)
    bound = tolerance(errors)
    return len(errors), None if bound is None else max(bound, LEAST_TOLERANCE)


def errors_of(points: Iterable[Point], model: str) -> list[float]:
    """Of those that were planned by this model."""
    return [point.error for point in points if point.model == model and point.error is not None]
