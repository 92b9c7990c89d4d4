"""What the trajectories of an arm say together: geometric mean, interval, spread; how two arms differ. Pure, seeded.

All of it is over log speedups, one number a trajectory: its final head against its own start. Readings within a
trajectory are no sample of what the search does, so that trajectories alone are drawn again.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

LEVEL: Final = 0.95
RESAMPLES: Final = 9_999


@dataclass(frozen=True, slots=True)
class Factor:
    """A speedup, or the ratio of two, with its interval; low and high are None for fewer than two trajectories."""

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def interval(self) -> list[float] | None:
        return None if self.low is None or self.high is None else [self.low, self.high]


@dataclass(frozen=True, slots=True)
class ArmFigures:
    """spread: the geometric standard deviation, a factor of at least 1; None for fewer than two trajectories."""

    n: int
    geomean: Factor
    spread: float | None


def figures(logs: Sequence[float], seed: int) -> ArmFigures | None:
    """Of an arm's log speedups, shape [n]; None without trajectories. Raises: ValueError for one that is not finite."""
    values = _finite(logs)
    if not values.size:
        return None
    low, high = _bootstrap((values,), _mean, seed) if values.size > 1 else (None, None)
    return ArmFigures(values.size, _factor(float(values.mean()), low, high), spread(logs))


def spread(logs: Sequence[float]) -> float | None:
    """exp of the sample sd of the logs: two thirds of log-normal trajectories lie within this factor of the mean."""
    return math.exp(float(np.std(logs, ddof=1))) if len(logs) > 1 else None


def effect(control: Sequence[float], arm: Sequence[float], seed: int) -> Factor | None:
    """The arm's geometric mean over the control's; None when one of both is empty."""
    a, b = _finite(arm), _finite(control)
    if not (a.size and b.size):
        return None
    low, high = _bootstrap((a, b), _difference, seed) if min(a.size, b.size) > 1 else (None, None)
    return _factor(float(a.mean() - b.mean()), low, high)


def pooled_sd(control: Sequence[float], arm: Sequence[float]) -> float | None:
    """The sd of log speedups within both arms; None where no arm has two trajectories."""
    groups = [np.asarray(g, dtype=np.float64) for g in (control, arm) if len(g) > 1]
    if not groups:
        return None
    squares = sum(float(((g - g.mean()) ** 2).sum()) for g in groups)
    return math.sqrt(squares / sum(g.size - 1 for g in groups))


def reach(n: int) -> float:
    """The most that a bootstrap interval of n trajectories can cover: it ends at the smallest and the largest of them,
    and all lie on one side of a median with probability 2^(1 - n)."""
    return 1.0 - 2.0 ** (1 - n) if n > 0 else 0.0


def expanded_level(n: int, level: float = LEVEL) -> float:
    """The nominal level of a percentile interval over n values that covers about `level`.

    Percentile intervals of few values are too narrow, by the sd's missing factor sqrt(n / (n - 1)) and by the normal
    quantile in place of t's. Source: Hesterberg, What Teachers Should Know about the Bootstrap (2015), "expanded
    percentile".
    """
    from scipy.stats import norm, t

    quantile = math.sqrt(n / (n - 1)) * t.ppf(1 - (1 - level) / 2, n - 1)
    return 1.0 - 2.0 * float(norm.cdf(-quantile))


def _bootstrap(samples: tuple[Any, ...], statistic: Any, seed: int) -> tuple[float, float]:
    """Of values that are all alike the interval is that value."""
    from scipy.stats import bootstrap

    found = bootstrap(
        samples, statistic, n_resamples=RESAMPLES, vectorized=True, method="percentile",
        confidence_level=expanded_level(min(s.size for s in samples)),
        rng=np.random.Generator(np.random.PCG64(seed)),
    ).confidence_interval  # fmt: skip
    return float(found.low), float(found.high)


def _mean(x: Any, axis: int = -1) -> Any:
    return np.mean(x, axis=axis)


def _difference(x: Any, y: Any, axis: int = -1) -> Any:
    return np.mean(x, axis=axis) - np.mean(y, axis=axis)


def _finite(logs: Sequence[float]) -> Any:
    values = np.asarray(logs, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError(f"every log speedup must be finite, got {values.tolist()}")
    return values


def _factor(middle: float, low: float | None, high: float | None) -> Factor:
    return Factor(
        math.exp(middle), None if low is None else math.exp(low), None if high is None else math.exp(high)
    )  # fmt: skip
