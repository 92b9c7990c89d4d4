"""Numbers that the views work out of rows. Pure, and light to import: the judge's own need numpy or scipy."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kernels.values.reading import Estimate


@dataclass(frozen=True, slots=True)
class Speedup:
    """Old time over new time, with its interval."""

    speedup: float
    low: float
    high: float


def finite(estimate: Estimate) -> Estimate:
    """With bounds that JSON can hold: few pairs leave an interval open, which is stored as -100 or 1."""
    return Estimate(estimate.gain, max(estimate.low, -100.0), min(estimate.high, 1.0))


def pack_speedup(by_kernel: Mapping[str, Speedup], kernels: Sequence[str]) -> Speedup | None:
    """Geometric mean over all kernels, one without an entry counting as 1; None when none has one.

    Kernels err independently: half-widths on the log scale add in quadrature.
    """
    if not any(kernel in by_kernel for kernel in kernels):
        return None
    entries = [by_kernel.get(kernel, Speedup(1.0, 1.0, 1.0)) for kernel in kernels]
    n = len(entries)
    middle = sum(math.log(e.speedup) for e in entries) / n
    down = math.sqrt(sum(math.log(e.speedup / e.low) ** 2 for e in entries)) / n
    up = math.sqrt(sum(math.log(e.high / e.speedup) ** 2 for e in entries)) / n
    return Speedup(math.exp(middle), math.exp(middle - down), math.exp(middle + up))


def geometric_mean(factors: Iterable[float], n: int | None = None) -> float:
    """Over n things, those without a factor counting as 1 (default: as many as factors); 1 for no factors."""
    logs = [math.log(factor) for factor in factors]
    return math.exp(sum(logs) / (n or len(logs))) if logs else 1.0


def factor_of(gain: float | None) -> float:
    """A gain as a share of the head's time, as a speedup factor; 1 when unknown."""
    return 1.0 if gain is None or gain >= 1.0 else 1.0 / (1.0 - gain)


def binomial_upper(k: int, n: int, tail: float = 0.05) -> float | None:
    """Exact (Clopper-Pearson) upper bound of a share after k of n: the p at which k or fewer have probability `tail`.

    With tail .05 this is the upper end of the two-sided 90 % interval. None without trials.
    """
    if n == 0:
        return None
    low, high = k / n, 1.0
    if k == n:
        return 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _at_most(k, n, middle) > tail:
            low = middle
        else:
            high = middle
    return high


def _at_most(k: int, n: int, p: float) -> float:
    if p <= 0.0:
        return 1.0
    logs = (
        math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) + i * math.log(p) + (n - i) * math.log1p(-p)
        for i in range(k + 1)
    )
    return sum(math.exp(log) for log in logs) if p < 1.0 else 0.0
