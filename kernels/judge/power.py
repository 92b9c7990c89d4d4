"""What a device can see before a test is run, and what a gain costs. It informs; it never skips a test by itself."""

import math
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

VISIBLE: Final = 0.69
"""Smallest gain seen with 24 pairs at 80 % power, in sd of a pair's log ratio."""
PROMOTABLE: Final = 0.76
"""The same for FASTER and confirmed."""
VISIBLE_PAIRS: Final = 24
"""The pairs that `VISIBLE` is about."""
PAIRS_FACTOR: Final = 11.5
MAD_TO_SD: Final = 1.4826


@dataclass(frozen=True, slots=True)
class Power:
    """pair_sd: sd of log(head / candidate) of one pair. Gains as shares of the head's time."""

    pair_sd: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.pair_sd) and self.pair_sd >= 0):
            raise ValueError(f"the sd of a pair must be finite and >= 0, got {self.pair_sd}")

    @property
    def visible_gain(self) -> float:
        """Smallest gain that 24 pairs call FASTER with 80 % power."""
        return VISIBLE * self.pair_sd

    @property
    def promotable_gain(self) -> float:
        """Smallest gain promoted with 80 % power."""
        return PROMOTABLE * self.pair_sd

    def pairs_for(self, gain: float) -> float:
        """Pairs that a gain needs; above 24 the test will mostly stay unclear. Raises: ValueError for a gain <= 0."""
        if gain <= 0:
            raise ValueError(f"pairs are only defined for a gain above 0, got {gain}")
        return PAIRS_FACTOR * (self.pair_sd / gain) ** 2

    def text(self, gain: float | None = None, pair_seconds: float | None = None) -> str:
        """What to say first, e.g. `this device cannot see less than 1.8 %`; with a gain, what it would take."""
        first = f"this device cannot see less than {100 * self.visible_gain:.2g} %"
        if gain is None:
            return first
        pairs = self.pairs_for(gain)
        cost = f", {device_minutes(pairs, pair_seconds):.1f} device minutes" if pair_seconds is not None else ""
        return f"{first}; {100 * gain:.2g} % takes about {math.ceil(pairs)} pairs{cost}"


def pair_sd_of(cv: float, correlation: float = 0.0) -> float:
    """sd of a pair's log ratio from the CV of one reading and the correlation of the two readings of a pair."""
    return math.sqrt(2.0 * max(1.0 - correlation, 0.0)) * cv


def robust_sd(values: Iterable[float]) -> float:
    """MAD-based sd: 1.4826 times the median distance from the median; 0 for fewer than two values."""
    found = [float(value) for value in values]
    if len(found) < 2:
        return 0.0
    middle = statistics.median(found)
    return MAD_TO_SD * statistics.median(abs(value - middle) for value in found)


def device_minutes(pairs: float, pair_seconds: float) -> float:
    """Device time of so many pairs."""
    return pairs * pair_seconds / 60.0
