"""Whether arms differ at all: the exact permutation test on log speedups, and Holm's correction for several arms.

Under "the arm does not matter" every way to deal the trajectories out to the arms is as likely as the one seen; p is
the share of those that set the arms at least as far apart. Nothing is assumed of how speedups are distributed.
Source: Fisher, The Design of Experiments (1935); Holm, Scand. J. Statist. 6 (1979).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

MOST: Final = 199_999
"""Ways to deal out that are all looked at; of more than these so many are drawn. Ten against ten are 184,756."""
ALIKE: Final = 1e-9
"""Log speedups no farther apart than this are one figure that was rounded in two ways."""
STEP: Final = math.pi * 1e-9
"""Distances, as shares of the whole sum of squares, are compared in whole steps of this. Trajectories that end at one
head share its figure, so that ways tie; floating point must not part them. Irrational: no share lies on a boundary."""


@dataclass(frozen=True, slots=True)
class Permuted:
    """exact: all ways were looked at. least: the smallest p that arms of these sizes can have."""

    p: float
    exact: bool
    least: float


def permutation_p(arms: Sequence[Sequence[float]], seed: int) -> Permuted | None:
    """Of arms with their log speedups; None when fewer than two have two or more of them. Arms of one are left out.

    The arms' distance is the sum over the arms of n (mean - mean of all)^2; of two arms this orders as the absolute
    difference of their means.
    """
    from scipy.stats import permutation_test

    known = [np.asarray(arm, dtype=np.float64) for arm in arms if len(arm) > 1]
    if len(known) < 2:
        return None
    sizes = [arm.size for arm in known]
    if np.ptp(np.concatenate(known)) <= ALIKE:
        return Permuted(1.0, True, least_p(sizes))
    found = permutation_test(
        _standard(known), _between, permutation_type="independent", vectorized=True, n_resamples=MOST, batch=20_000,
        alternative="greater", rng=np.random.Generator(np.random.PCG64(seed)),
    )  # fmt: skip
    return Permuted(float(found.pvalue), ways(sizes) <= MOST, least_p(sizes))


def ways(sizes: Sequence[int]) -> int:
    """In how many ways so many trajectories can be dealt out to arms of these sizes."""
    return math.factorial(sum(sizes)) // math.prod(math.factorial(n) for n in sizes)


def least_p(sizes: Sequence[int]) -> float:
    """Arms of one size may change places without changing their distance."""
    same = math.prod(math.factorial(list(sizes).count(n)) for n in set(sizes))
    return min(same / ways(sizes), 1.0)


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Adjusted so that the chance of any false "differs" among them stays below the level they are held against."""
    order = sorted(p_values, key=lambda name: p_values[name])
    adjusted, so_far = dict[str, float](), 0.0
    for rank, name in enumerate(order):
        so_far = max(so_far, min(1.0, (len(order) - rank) * p_values[name]))
        adjusted[name] = so_far
    return {name: adjusted[name] for name in p_values}


def _standard(arms: Sequence[Any]) -> list[Any]:
    """Around a mean of 0, with a sum of squares of 1."""
    logs = np.concatenate(arms)
    size = math.sqrt(float(((logs - logs.mean()) ** 2).sum()))
    return [(arm - logs.mean()) / size for arm in arms]


def _between(*arms: Any, axis: int = -1) -> Any:
    """Of standard values, in whole steps."""
    return np.rint(sum(arm.shape[axis] * np.mean(arm, axis=axis) ** 2 for arm in arms) / STEP)
