"""How a search went: its incumbent as a step curve over what it spent, carried to the end of the budget. Pure."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """From `spent` on (positions, device seconds or dollars) the incumbent is so many times as fast as the start."""

    spent: float
    speedup: float


@dataclass(frozen=True, slots=True)
class Curve:
    """steps: from (0, 1), by what was spent. spent: where the trajectory ended; carried: that was before its budget,
    and its last incumbent counts from there on."""

    steps: tuple[Step, ...]
    spent: float
    budget: float

    @property
    def carried(self) -> bool:
        return self.spent < self.budget

    @property
    def final(self) -> float:
        return self.steps[-1].speedup

    def at(self, spent: float) -> float:
        """The incumbent's speedup when so much was spent."""
        return self.steps[max(bisect_right([step.spent for step in self.steps], spent) - 1, 0)].speedup


def curve(claims: Sequence[tuple[float, float]], measured: float, *, spent: float, budget: float) -> Curve:
    """claims: (spent, factor by which this promotion made the head faster, as its own test said), in order. measured:
    the final head against the start.

    Claims are selected and together too large, so that their logs are scaled to end where the measurement is; where
    that is impossible (no claim, or one that says the opposite) the whole measurement stands at the last step. The end
    is the measurement itself: trajectories with one head have one figure.
    Raises: ValueError for a factor that is not above 0.
    """
    logs = [math.log(factor) for _, factor in claims]
    total, end = sum(logs), math.log(measured)
    scale = end / total if total * end > 0 else 0.0
    steps, so_far = [Step(0.0, 1.0)], 0.0
    for (at, _), log in zip(claims, logs, strict=True):
        so_far += log * scale
        steps.append(Step(at, math.exp(so_far)))
    if math.isclose(steps[-1].speedup, measured):
        steps[-1] = Step(steps[-1].spent, measured)
    else:
        steps.append(Step(claims[-1][0] if claims else spent, measured))
    return Curve(tuple(steps), spent, budget)


def mean_curve(curves: Sequence[Curve]) -> tuple[Step, ...]:
    """The geometric mean of the incumbents at every step of any of them."""
    at = sorted({step.spent for one in curves for step in one.steps})
    return tuple(
        Step(x, math.exp(sum(math.log(one.at(x)) for one in curves) / len(curves))) for x in at if curves
    )  # fmt: skip
