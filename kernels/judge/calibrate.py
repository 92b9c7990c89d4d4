"""What a new device is like, from 24 pairs of the head with itself."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from kernels.judge.carry_over import CarryOver, carry_over
from kernels.judge.power import Power, robust_sd
from kernels.judge.score_table import Floats
from kernels.values.reading import Pair

CALIBRATION_PAIRS: Final = 24
QUIET_D: Final = 0.002
USUAL_D: Final = 0.005
MODE_GAP: Final = 0.2
"""Neighbouring probe values whose logs differ by more belong to two modes (33 and 55 GB/s differ by 0.5)."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """r of `scipy.stats.pearsonr`; both are nan when a series is constant or too short."""

    r: float
    p: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """cv: MAD-based, of single log readings. lag1: of readings in run order. within_pair: of the two readings of a
    pair; near 0 means that pairing only balances order. order_effect: median of log(second / first), with the p of
    `wilcoxon`. trend: log units a reading (`theilslopes`), with its 95 % interval. modes: GB/s and pairs of each."""

    pairs: int
    cv: float
    pair_sd: float
    lag1: Correlation
    within_pair: Correlation
    order_effect: float
    order_p: float
    trend: float
    trend_low: float
    trend_high: float
    modes: tuple[tuple[float, int], ...]
    carry: CarryOver

    @property
    def power(self) -> Power:
        return Power(self.pair_sd)

    @property
    def visible_gain(self) -> float:
        return self.power.visible_gain

    @property
    def suggested_d(self) -> float:
        """The d of FLAT: 0.002 where the device can tell that much apart, else 0.005."""
        return QUIET_D if self.visible_gain <= QUIET_D else USUAL_D

    @property
    def lines(self) -> tuple[str, ...]:
        """For a reader; a doubt comes with what to do about it."""
        pairing = "pairing pays" if self.within_pair.r > 0.3 else "pairing only balances order"
        found = [
            f"CV {100 * self.cv:.2f} %, sd of a pair {100 * self.pair_sd:.2f} %",
            f"lag-1 correlation {self.lag1.r:+.2f}, within a pair {self.within_pair.r:+.2f}: {pairing}",
            f"order effect {100 * self.order_effect:+.2f} % (p = {self.order_p:.2g}); the coin balances it",
            f"trend {100 * self.trend:+.3f} % a reading ({100 * self.trend_low:+.3f} .. {100 * self.trend_high:+.3f})",
            f"{self.power.text()}; promotions need {100 * self.power.promotable_gain:.2g} %",
            f"suggested d of FLAT: {self.suggested_d}",
        ]
        if len(self.modes) > 1:
            found.append("modes: " + ", ".join(f"{gbs:.0f} GB/s in {n} pairs" for gbs, n in self.modes))
        return (*found, self.carry.warning) if self.carry.warning else tuple(found)


def calibrate(pairs: Sequence[Pair]) -> Calibration:
    """From head-head pairs in run order; 24 are meant.

    Raises: ValueError below 4 pairs or when a reading is not positive and finite.
    """
    if len(pairs) < 4:
        raise ValueError(f"a calibration needs at least 4 pairs ({CALIBRATION_PAIRS} are meant), got {len(pairs)}")
    carry = carry_over(pairs, same_kernel=True)
    readings = np.log([[_first(p), _second(p)] for p in pairs])
    in_order = readings.ravel()
    order, order_p = _order_effect(readings[:, 1] - readings[:, 0])
    slope, low, high = _trend(in_order)
    return Calibration(
        pairs=len(pairs),
        cv=robust_sd(in_order),
        pair_sd=robust_sd(np.array([p.log_ratio for p in pairs])),
        lag1=correlation(in_order[:-1], in_order[1:]),
        within_pair=correlation(readings[:, 0], readings[:, 1]),
        order_effect=order,
        order_p=order_p,
        trend=slope,
        trend_low=low,
        trend_high=high,
        modes=modes([math.sqrt(p.probe_before_gbs * p.probe_after_gbs) for p in pairs]),
        carry=carry,
    )


def correlation(a: Floats, b: Floats) -> Correlation:
    """Pearson correlation of two series of shape [n]."""
    if len(a) < 3 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return Correlation(math.nan, math.nan)
    from scipy.stats import pearsonr

    found = pearsonr(a, b)
    return Correlation(float(found.statistic), float(found.pvalue))


def modes(probes: Sequence[float]) -> tuple[tuple[float, int], ...]:
    """Probe values split where neighbours differ by more than MODE_GAP: (median, count) each; zeros are left out."""
    values = sorted(p for p in probes if p > 0)
    groups: list[list[float]] = []
    for value in values:
        if groups and math.log(value / groups[-1][-1]) <= MODE_GAP:
            groups[-1].append(value)
        else:
            groups.append([value])
    return tuple((float(np.median(g)), len(g)) for g in groups)


def _order_effect(differences: Floats) -> tuple[float, float]:
    if not differences.any():
        return 0.0, 1.0
    from scipy.stats import wilcoxon

    return float(np.median(differences)), float(wilcoxon(differences).pvalue)


def _trend(readings: Floats) -> tuple[float, float, float]:
    from scipy.stats import theilslopes

    found = theilslopes(readings)
    return float(found.slope), float(found.low_slope), float(found.high_slope)


def _first(pair: Pair) -> float:
    return pair.head.ns if pair.first == "head" else pair.candidate.ns


def _second(pair: Pair) -> float:
    return pair.candidate.ns if pair.first == "head" else pair.head.ns
