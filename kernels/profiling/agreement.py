"""How well planned times agree with measured ones: ratio, rank correlation, signs, and what a refusal may rest on.

Pure. A plan need not be right to be of use: by its order a filter can work, by its ratio a time can be guessed.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ENOUGH: Final = 8
"""Points below which nothing is said of trust: by chance alone 5 % of series of 8 reach a rank correlation of 0.64."""
ORDERS: Final = 0.7
TELLS_TIME: Final = 0.10
MISSES: Final = 0.05
"""Share of refusals that may turn out to have been faster than the head."""
NEEDED: Final = math.ceil(1 / MISSES) - 1


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
    x, y = np.asarray(planned, dtype=np.float64), np.asarray(real, dtype=np.float64)
    if x.shape != y.shape or not (np.isfinite([x, y]).all() and (np.minimum(x, y) > 0).all()):
        raise ValueError("planned and real must be as many positive numbers each")
    if not x.size:
        return None
    ratios = y / x
    middle = float(np.median(ratios))
    errors = np.abs(middle / ratios - 1)
    return Agreement(
        x.size, middle, float(ratios.min()), float(ratios.max()), spearman(x, y), float(np.median(errors)),
        float(np.quantile(errors, 0.9, method="higher")),
    )  # fmt: skip


def spearman(x: Sequence[float] | Floats, y: Sequence[float] | Floats) -> float | None:
    """Pearson's correlation of the midranks; None where it is not defined."""
    a, b = midranks(x), midranks(y)
    a, b = a - a.mean() if a.size else a, b - b.mean() if b.size else b
    scale = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / scale if scale > 0 else None


def midranks(values: Sequence[float] | Floats) -> Floats:
    """Ranks from 1; values that are equal share the mean of theirs."""
    _, place, count = np.unique(np.asarray(values, dtype=np.float64), return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[place]


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
