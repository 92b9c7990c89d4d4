"""What counts as right for a foreign function, derived from the format of an output and the length of its sums.

A sum of n terms in arithmetic of unit roundoff u has an error that grows like sqrt(n) u in any order of the additions
(source: Higham, "Accuracy and Stability of Numerical Algorithms", 2nd edition, section 2.8 and chapter 4). A candidate
and a reference in the same arithmetic may both be off, and functions of the C library by some units: hence the factors.
Whole numbers are compared exactly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kernels.values.kernel import Argument, Tolerance

UNIT: Final = {"f32": 2.0**-24, "f64": 2.0**-53, "bf16": 2.0**-8, "e4m3": 2.0**-4, "e5m2": 2.0**-3, "e2m1": 2.0**-2}
SHORTEST: Final = 16  # the library's functions may be off by some units, however short the sums
OVER_ALL: Final = 8.0  # times sqrt(n) u: rms of all errors
ONE: Final = 32.0  # times sqrt(n) u: the largest error of one element


@dataclass(frozen=True, slots=True)
class Seen:
    """An output of the reference over all regimes. rms: the largest. peak: the largest element over the rms."""

    rms: float
    peak: float


def seen(values: Sequence[NDArray[np.float64]]) -> Seen:
    """values: of calls of every regime."""
    sizes = [(float(np.sqrt(np.mean(np.square(v, dtype=np.float64)))), float(np.abs(v).max())) for v in values]
    return Seen(max(rms for rms, _ in sizes), max((top / rms for rms, top in sizes if rms > 0), default=1.0))


def longest_sum(output: Argument, arguments: Sequence[Argument]) -> int:
    """An estimate of the additions behind one element of an output: the longest side of any array, or as many elements
    of one argument as there are for each of the output."""
    sides = [side for a in arguments for side in a.shape]
    count = int(np.prod(output.shape))
    shares = [int(np.prod(a.shape)) // count for a in arguments if a.role in ("weight", "input", "inout")]
    return max([1, *sides, *shares])


def tolerance_of(output: Argument, length: int, found: Seen) -> Tolerance:
    if output.format.whole:
        return Tolerance(0.0, 0.0)
    unit = sqrt(max(length, SHORTEST)) * UNIT[output.dtype]
    one = _round(ONE * unit)
    return Tolerance(_round(ONE * unit * found.rms), one, _round(OVER_ALL * unit), _round(ONE * unit * found.peak))


def told(output: Argument, length: int) -> str:
    """How it was derived, as a comment of the contract."""
    if output.format.whole:
        return f"{output.name}: whole numbers, compared exactly."
    power = int(np.log2(UNIT[output.dtype]))
    return (
        f"{output.name}: {output.dtype}, sums of {length} terms: e = sqrt({max(length, SHORTEST)}) 2^{power}. nrmse "
        f"{OVER_ALL:g} e; rtol {ONE:g} e; atol {ONE:g} e of the largest rms seen."
    )


def _round(value: float) -> float:
    """Two digits, upwards."""
    if value <= 0:
        return 0.0
    step = 10.0 ** (np.floor(np.log10(value)) - 1)
    return float(f"{np.ceil(value / step) * step:.2g}")
