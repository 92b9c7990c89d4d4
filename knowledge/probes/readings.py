"""From times to a value: the slope of time over work, and the spread of repeated readings. Pure."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fit:
    """ns = fixed + slope * count, by least squares. residual: largest |error| as a share of the largest time."""

    slope: float
    fixed: float
    residual: float


@dataclass(frozen=True, slots=True)
class Spread:
    """Median and quartiles of readings."""

    value: float
    low: float
    high: float

    @property
    def share(self) -> float:
        """Half the distance of the quartiles as a share of the median."""
        return (self.high - self.low) / (2 * abs(self.value)) if self.value else 0.0

    def below(self, other: "Spread") -> bool:
        """Whether this one is smaller beyond both spreads."""
        return self.high < other.low

    def overlaps(self, other: "Spread") -> bool:
        return not self.below(other) and not other.below(self)


def fit(counts: Sequence[int], times: Sequence[float]) -> Fit:
    """A line through (count, ns). Raises: ValueError for fewer than two different counts."""
    slope, fixed = statistics.linear_regression(counts, times)
    errors = (abs(t - fixed - slope * c) for c, t in zip(counts, times, strict=True))
    return Fit(slope, fixed, max(errors) / max(*times, 1.0))


def spread(values: Sequence[float]) -> Spread:
    """Quartiles by the inclusive method. Raises: ValueError for none."""
    if not values:
        raise ValueError("no readings")
    if len(values) == 1:
        return Spread(values[0], values[0], values[0])
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return Spread(middle, low, high)
