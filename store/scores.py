"""Numbers that the views work out of rows. Pure, and light to import: the judge's own need numpy or scipy."""

import dataclasses
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


def usable(*values: float) -> bool:
    """Whether each is finite and above 0: what a ratio of times can be. Nothing else ranks."""
    return all(math.isfinite(value) and value > 0 for value in values)


def refusal(by_kernel: Mapping[str, Speedup], kernels: Sequence[str]) -> str:
    """Why there is no geometric mean over these kernels although some have an entry; "" when there is one."""
    bad = (k for k in kernels if k in by_kernel and not usable(*dataclasses.astuple(by_kernel[k])))
    told = "; ".join(f"{k} has {by_kernel[k].speedup:g} ({by_kernel[k].low:g}..{by_kernel[k].high:g})" for k in bad)
    return f"no geometric mean: {told}, and a speedup must be finite and above 0" if told else ""


def pack_speedup(by_kernel: Mapping[str, Speedup], kernels: Sequence[str]) -> Speedup | None:
    """Geometric mean over all kernels, one without an entry counting as 1; None when none has one, or by `refusal`.

    Kernels err independently: half-widths on the log scale add in quadrature.
    """
    if not any(kernel in by_kernel for kernel in kernels) or refusal(by_kernel, kernels):
        return None
    entries = [by_kernel.get(kernel, Speedup(1.0, 1.0, 1.0)) for kernel in kernels]
    n = len(entries)
    middle = sum(math.log(e.speedup) for e in entries) / n
    down = math.sqrt(sum(math.log(e.speedup / e.low) ** 2 for e in entries)) / n
    up = math.sqrt(sum(math.log(e.high / e.speedup) ** 2 for e in entries)) / n
    return Speedup(math.exp(middle), math.exp(middle - down), math.exp(middle + up))


def geometric_mean(factors: Iterable[float], n: int | None = None) -> float | None:
    """Over n things, those without a factor counting as 1 (default: as many as factors); 1 for no factors. None when a
    factor is not finite or not above 0: one of these would decide alone."""
    known = list(factors)
    if not usable(*known):
        return None
    logs = [math.log(factor) for factor in known]
    return math.exp(sum(logs) / (n or len(logs))) if logs else 1.0


def factor_of(gain: float | None) -> float:
    """A gain as a share of the head's time, as a speedup factor: 1 when unknown, nan when no time can give it."""
    if gain is None:
        return 1.0
    return 1.0 / (1.0 - gain) if math.isfinite(gain) and gain < 1.0 else math.nan


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
