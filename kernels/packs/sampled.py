"""Outputs that are too expensive to know as a whole: a secret sample of their elements, and sums of all of them.

The places are drawn after the call was made, so that a kernel cannot know them. Of n places drawn with replacement, a
call in which a share p of the elements is wrong is caught with the probability

    1 - (1 - p)^n    n = log(1 - q) / log(1 - p) places catch it with the probability q: 4603 for p = 0.1 %, q = 99 %

and c calls with 1 - (1 - p)^(c n). What no sample sees, a few wrong elements anywhere, sums may see, those of Freivalds
(Information Processing 77, IFIP 1977): the rows of the output are added up with random signs, s^T Y, and so are those
of the reference, which for a matrix product costs one row, s^T Y = (s^T X) W. An error e in an element is in its sum as
+e or -e. When no element is off by more than the a_i that its tolerance allows, the sum is off by more than
t sqrt(sum a_i^2) with a probability of at most 2 exp(-t^2 / 2) (Hoeffding), and the mean square of all sums exceeds t^2
times its expectation with at most 2 exp(-3 t^2 / 8) (Chernoff, as a mean of squares of sub-Gaussian sums): with t = 8
below 1e-10, so that sums refuse no honest kernel. What is off by more than 2 t sqrt(sum a_i^2) is always seen.

A sample estimates the nrmse of the output, and the rms that errors are held against, from as many elements as carry its
rms: n = (sum y^2)^2 / sum y^4 of its expected values y (Kish, Survey Sampling, 1965), few where one row counts or tails
are heavy. Relative errors e of a rounding have an e^2 whose variance is 0.8 of its squared mean (uniform errors:
9 / 5 - 1), so that a ratio of rms has a relative standard deviation of sqrt(0.8 / n) / 2 < 1 / (2 sqrt n); both limits
are widened by t of these, 1 + t / (2 sqrt n). Each element keeps its own tolerance.

All elements are looked at for whether they are finite, and for whether they still hold what was there before: of E
elements of b bits E / 2^b agree with random contents by chance.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernels.packs.matrix import Rows
from kernels.values.kernel import Argument, KernelSpec, Tolerance

TIMES: Final = 8.0  # the t of the docstring
ADDED: Final = "the rows, added up with random signs,"
CHUNK: Final = 4096  # places of all calls that the reference is asked for at a time


@dataclass(frozen=True, slots=True)
class Picks:
    """Of each of B calls: index int64 [B, n, dimensions] of the elements, signs float64 [B, c, rows] of the sums."""

    index: NDArray[np.int64]
    signs: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sampled:
    """What is known of one output: index [n, dimensions] and values [n] of some elements, signs [c, rows] and sums
    [c, ...] of all. Of a batch with a leading axis of calls."""

    index: NDArray[np.int64]
    values: NDArray[np.float64]
    signs: NDArray[np.float64]
    sums: NDArray[np.float64]

    def of(self, call: int) -> "Sampled":
        return Sampled(self.index[call], self.values[call], self.signs[call], self.sums[call])


Wanted = NDArray[np.float64] | Rows | Sampled


def sampled_outputs(spec: KernelSpec) -> tuple[Argument, ...]:
    return tuple(a for a in spec.arguments if a.writable and spec.tolerances[a.name].sampled)


def sampled_of(spec: KernelSpec) -> dict[str, int]:
    """Elements that are compared in every call, by sampled output."""
    return {a.name: spec.tolerances[a.name].sampled for a in sampled_outputs(spec)}


def picks(spec: KernelSpec, rng: np.random.Generator, calls: int) -> dict[str, Picks]:
    """Places of its own for every call."""
    return {a.name: _picks(a, spec.tolerances[a.name], rng, calls) for a in sampled_outputs(spec)}


def _picks(argument: Argument, tolerance: Tolerance, rng: np.random.Generator, calls: int) -> Picks:
    shape = argument.shape
    index = rng.integers(0, shape, (calls, tolerance.sampled, len(shape)), dtype=np.int64)
    signs = rng.choice(np.array([-1.0, 1.0]), (calls, tolerance.sums, shape[0]))
    return Picks(index, signs)


def same_picks(spec: KernelSpec, seed: int, calls: int) -> dict[str, Picks]:
    """The same places in every call, and whenever they are drawn: to compare calls with each other."""
    one = picks(spec, np.random.default_rng(seed), 1)
    return {n: Picks(np.repeat(p.index, calls, axis=0), np.repeat(p.signs, calls, axis=0)) for n, p in one.items()}


def elements(array: NDArray[Any], index: NDArray[np.int64]) -> NDArray[Any]:
    """Those at index [n, dimensions]."""
    return array[tuple(index.T)]


def untouched(got: NDArray[Any], before: NDArray[Any]) -> tuple[int, ...] | None:
    """The first element that holds what was there before, when more do so than random contents would by chance."""
    bits = np.dtype(f"u{got.dtype.itemsize}")
    same = got.view(bits) == before.view(bits)
    expected = got.size * 0.5 ** (8 * got.dtype.itemsize)
    if np.count_nonzero(same) <= expected + TIMES * math.sqrt(expected) + 12:
        return None
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(same)), same.shape))


def widened(tolerance: Tolerance, values: NDArray[np.float64]) -> Tolerance:
    """The limits on ratios of rms, for what a sample of these expected values can tell of them."""
    top = float(np.abs(values).max(initial=0.0))
    if top == 0:
        return tolerance
    squares = np.square(values / top)
    carrying = float(np.square(squares.sum()) / np.square(squares).sum())
    factor = 1 + TIMES / (2 * math.sqrt(carrying))
    return replace(
        tolerance,
        nrmse=None if tolerance.nrmse is None else tolerance.nrmse * factor,
        max_over_rms=None if tolerance.max_over_rms is None else tolerance.max_over_rms * factor,
    )


def wrong_sums(want: Sampled, got: NDArray[np.float64], tolerance: Tolerance) -> str:
    """Why sums over all rows of a finite output contradict the reference; "" when they do not."""
    if not len(want.signs):
        return ""
    allowed = tolerance.atol + tolerance.rtol * (np.abs(got) + tolerance.atol) / (1 - tolerance.rtol)
    most = TIMES * np.sqrt(np.einsum("r...,r...->...", allowed, allowed))
    error = np.abs(np.tensordot(want.signs, got, axes=1) - want.sums)
    over = error - most
    if (over > 0).any():
        at = np.unravel_index(int(np.argmax(over)), over.shape)
        column = [int(i) for i in at[1:]]
        return f"{ADDED} are off by {error[at]:.3g} at {column}; tolerances add to {most[at[1:]]:.3g}"
    if tolerance.nrmse is None:
        return ""
    rms = TIMES * tolerance.nrmse * math.sqrt(float(np.mean(np.square(got))) * len(got))
    worst = float(np.sqrt(np.square(error).mean(axis=tuple(range(1, error.ndim)))).max())
    return (
        f"the rows, added with random signs, are off by {worst:.3g} (rms); nrmse allows {rms:.3g}"
        if worst > rms
        else ""
    )


def checked(asked: Mapping[str, Picks], name: str, values: Any, sums: Any, shape: tuple[int, ...]) -> Sampled:
    """Raises: ValueError when the reference gave another number of values."""
    one = asked[name]
    index, signs = one.index, one.signs
    found, added = np.asarray(values, dtype=np.float64), np.asarray(sums, dtype=np.float64)
    if found.shape != index.shape[:2]:
        raise ValueError(f"sample gave shape {found.shape} for {index.shape[:2]} elements of {name}")
    if added.shape != (*signs.shape[:2], *shape[1:]):
        raise ValueError(f"sums gave shape {added.shape} for {signs.shape[:2]} sums of {name}, rows of {shape[1:]}")
    return Sampled(index, found, signs, added)
