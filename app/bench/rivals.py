"""Ways to decide whether a candidate is faster, each as it is practised: what it reads in which order, and when it says
yes. All of them get the same kind of readings: log times of one device in run order, where the candidate's own are
shorter by its gain.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kernels.judge.acceptance import ACCEPTANCE, CONFIRMATION
from kernels.judge.plain_rules import Paper
from kernels.judge.rule import State
from kernels.judge.score_table import Floats
from kernels.judge.simulate import run_confirmation, run_paired, run_paper

PAPER: Final = Paper()
KERNEL_TUNER_RUNS: Final = 7
MARGIN: Final = 0.01
MARGIN_PAIRS: Final = 3

Booleans: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Tried:
    """accepted: by test; readings: taken, head's and candidate's, by test. Both of shape [tests]."""

    accepted: Booleans
    readings: Floats


@dataclass(frozen=True, slots=True)
class Rival:
    """slots: readings in run order that it may need; decide: (log readings [tests, slots], gain, generator)."""

    name: str
    slots: int
    decide: Callable[[Floats, float, np.random.Generator], Tried]


def pairs(levels: Floats, gain: float, head_first: Booleans) -> Floats:
    """log(head / candidate) of consecutive readings, shape [tests, slots] to [tests, slots / 2]."""
    first, second = levels[:, 0::2], levels[:, 1::2]
    return np.where(head_first, first - second, second - first) - np.log1p(-gain)


def _coin(levels: Floats, rng: np.random.Generator) -> Booleans:
    return rng.random((levels.shape[0], levels.shape[1] // 2)) < 0.5


def _paired(levels: Floats, gain: float, rng: np.random.Generator) -> Tried:
    x = pairs(levels, gain, _coin(levels, rng))
    test = run_paired(x[:, : ACCEPTANCE.budget], ACCEPTANCE)
    hits = test.is_(State.FASTER)
    confirmed = run_confirmation(x[hits, ACCEPTANCE.budget :], CONFIRMATION)
    accepted = hits.copy()
    accepted[hits] = confirmed.is_(State.FASTER)
    taken = test.pairs.astype(np.float64)
    taken[hits] += confirmed.pairs
    return Tried(accepted, 2 * taken)


def _paper(levels: Floats, gain: float, _: np.random.Generator) -> Tried:
    count = levels.shape[1] // 2
    turns = np.broadcast_to(np.arange(count) % 2 == 0, (levels.shape[0], count))
    test = run_paper(pairs(levels, gain, turns), PAPER)
    return Tried(test.is_(State.FASTER), 2 * test.pairs.astype(np.float64))


def blocks(name: str, runs: int, statistic: Callable[[Floats], Floats]) -> Rival:
    """All runs of the head, then all of the candidate; faster when its statistic of the times is smaller."""

    def decide(levels: Floats, gain: float, _: np.random.Generator) -> Tried:
        head = statistic(np.exp(levels[:, :runs]))
        candidate = statistic(np.exp(levels[:, runs : 2 * runs])) * (1 - gain)
        return Tried(candidate < head, np.full(len(levels), 2.0 * runs))

    return Rival(name, 2 * runs, decide)


def mean_of(runs: int) -> Rival:
    return blocks(f"mean of {runs}", runs, lambda times: times.mean(axis=1))


def best_of(runs: int) -> Rival:
    return blocks(f"best of {runs}", runs, lambda times: times.min(axis=1))


def margin_of(count: int) -> Rival:
    """The median log ratio of so many coin-flip pairs beyond 1 %."""

    def decide(levels: Floats, gain: float, rng: np.random.Generator) -> Tried:
        x = pairs(levels, gain, _coin(levels, rng))
        return Tried(np.median(x, axis=1) > MARGIN, np.full(len(levels), 2.0 * count))

    return Rival(f"margin 1 % of {count}", 2 * count, decide)


PAIRED: Final = Rival("paired, confirmed", 2 * (ACCEPTANCE.budget + CONFIRMATION.budget), _paired)
USUAL: Final = (
    PAIRED,
    Rival("paper", 2 * PAPER.budget, _paper),
    mean_of(KERNEL_TUNER_RUNS),
    best_of(KERNEL_TUNER_RUNS),
    margin_of(MARGIN_PAIRS),
)


def as_long(readings: float) -> tuple[Rival, ...]:
    """The fixed-size ways again, with as many readings a test as `readings` on average."""
    runs = max(round(readings / 2), 2)
    return tuple(r for r in (mean_of(runs), best_of(runs), margin_of(runs)) if r.name not in {u.name for u in USUAL})
