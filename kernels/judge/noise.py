"""Noise models of the simulations: log ratios of pairs as a device with a known flaw would give them.

Log scale; cv is the sd of one reading. A test of n pairs takes the slots 0 .. 2n - 1 in time; every reading adds the
level of its slot. A gain g makes the candidate's log time log(1 - g) lower.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from kernels.judge.score_table import Floats

AR1_PHI: Final = 0.9
AR1_SD: Final = 2.0
STEP: Final = 0.05
STEP_SLOTS: Final = (1, 24)
SERVERS: Final = 4
SERVER_SD: Final = 1.5
SKEW_SIZE: Final = 5.0


def log_ratios(
    noise: str, cv: float, gain: float, series: int, pairs: int, rng: np.random.Generator, *, alternating: bool = False
) -> Floats:
    """x = log(head / candidate), shape [series, pairs].

    noise: normal, skewP (P in %), ar1, step, rr4. alternating: head first in every other pair, else by a fair coin.
    Raises: ValueError for an unknown noise.
    """
    readings = log_readings(noise, cv, series, 2 * pairs, rng)
    first, second = readings[:, 0::2], readings[:, 1::2]
    if alternating:
        head_first = np.broadcast_to(np.arange(pairs) % 2 == 0, (series, pairs))
    else:
        head_first = rng.random((series, pairs)) < 0.5
    return np.where(head_first, first - second, second - first) - np.log1p(-gain)


def log_readings(noise: str, cv: float, series: int, slots: int, rng: np.random.Generator) -> Floats:
    """Readings of one kernel in run order, shape [series, slots]. Raises: ValueError for an unknown noise."""
    readings = cv * rng.standard_normal((series, slots))
    if noise.startswith("skew"):
        return readings + _spikes(int(noise.removeprefix("skew")) / 100, cv, series, slots, rng)
    if noise == "normal":
        return readings
    if noise not in LEVELS:
        raise ValueError(f"unknown noise {noise!r}; known: normal, skewP, {', '.join(LEVELS)}")
    return readings + LEVELS[noise](cv, series, slots, rng)


def _spikes(share: float, cv: float, series: int, slots: int, rng: np.random.Generator) -> Floats:
    spikes = np.zeros((series, slots))
    hit = rng.random((series, slots)) < share
    spikes[hit] = SKEW_SIZE * cv * np.exp(rng.standard_normal(int(hit.sum())))
    return spikes


def _ar1(cv: float, series: int, slots: int, rng: np.random.Generator) -> Floats:
    """Stationary AR(1) over the slots."""
    shocks = AR1_SD * cv * rng.standard_normal((series, slots))
    fresh = np.sqrt(1 - AR1_PHI**2)
    for slot in range(1, slots):
        shocks[:, slot] = AR1_PHI * shocks[:, slot - 1] + fresh * shocks[:, slot]
    return shocks


def _step(_cv: float, series: int, slots: int, rng: np.random.Generator) -> Floats:
    """One jump of +5 % at a uniform slot in 1 .. 23."""
    at = rng.integers(*STEP_SLOTS, size=(series, 1))
    return np.where(np.arange(slots) >= at, STEP, 0.0)


def _rr4(cv: float, series: int, slots: int, rng: np.random.Generator) -> Floats:
    """Jobs rotate over four servers, whose offsets are drawn per test."""
    offsets = SERVER_SD * cv * rng.standard_normal((series, SERVERS))
    return offsets[:, np.arange(slots) % SERVERS]


LEVELS: Final[dict[str, Callable[[float, int, int, np.random.Generator], Floats]]] = {
    "ar1": _ar1,
    "step": _step,
    "rr4": _rr4,
}
