"""The rules over many series at once. Same decisions as `decide`, series by series (tested)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernels.judge.acceptance import Confirmation, Paired
from kernels.judge.plain_rules import Paper
from kernels.judge.rule import State
from kernels.judge.score_table import Floats, signed_rank_scores

STATES: tuple[State, ...] = tuple(State)
RUNNING = STATES.index(State.MEASURE_MORE)


@dataclass(frozen=True, slots=True)
class Stops:
    """Where each series stopped. states: index into STATES, shape [series]; pairs: shape [series]."""

    states: NDArray[np.int8]
    pairs: NDArray[np.int16]

    def is_(self, state: State) -> NDArray[np.bool_]:
        return self.states == STATES.index(state)

    def rate(self, state: State) -> float:
        return float(self.is_(state).mean())


class _Series:
    """Series that have not stopped yet, and where the others did."""

    def __init__(self, x: Floats) -> None:
        self.x = x
        self.alive = np.arange(len(x))
        self.states = np.zeros(len(x), dtype=np.int8)
        self.pairs = np.zeros(len(x), dtype=np.int16)

    def stop(self, which: NDArray[np.bool_], state: State, n: int) -> NDArray[np.bool_]:
        """Mark `which` of the living as stopped; returns the mask of those that go on."""
        self.states[self.alive[which]] = STATES.index(state)
        self.pairs[self.alive[which]] = n
        self.alive = self.alive[~which]
        return ~which

    @property
    def stops(self) -> Stops:
        return Stops(self.states, self.pairs)


def run_paired(x: Floats, rule: Paired) -> Stops:
    """x: shape [series, budget]."""
    series = _Series(x)
    for n in rule.looks:
        seen = x[series.alive, :n]
        scores = signed_rank_scores(seen)
        go_on = series.stop(scores >= rule.faster, State.FASTER, n)
        seen, scores = seen[go_on], scores[go_on]
        go_on = series.stop(scores <= rule.slower, State.SLOWER, n)
        seen, scores = seen[go_on], scores[go_on]
        go_on = series.stop(_flat(seen, rule), State.FLAT, n)
        scores = scores[go_on]
        if n == rule.budget:
            series.stop(np.ones(len(scores), dtype=np.bool_), State.UNCLEAR, n)
            break
        no_sign = scores < rule.unclear_below(n)
        if n == rule.looks[0]:
            no_sign &= scores > rule.second_chance
        series.stop(no_sign, State.UNCLEAR, n)
    return series.stops


def _flat(x: Floats, rule: Paired) -> NDArray[np.bool_]:
    flat = signed_rank_scores(x - rule.flat_within) <= -rule.flat
    maybe = np.flatnonzero(flat)
    flat[maybe] = signed_rank_scores(x[maybe] + rule.flat_within) >= rule.flat
    return flat


def run_confirmation(x: Floats, rule: Confirmation) -> Stops:
    """x: shape [series, budget], fresh pairs."""
    series = _Series(x)
    for n in rule.looks:
        scores = signed_rank_scores(x[series.alive, :n])
        go_on = series.stop(scores >= rule.promote, State.FASTER, n)
        scores = scores[go_on]
        series.stop((scores <= rule.drop) | (n == rule.budget), State.DROP, n)
    return series.stops


def run_paper(x: Floats, rule: Paper) -> Stops:
    """x: shape [series, pairs], in alternating order."""
    series = _Series(x)
    for n in range(rule.first_look, rule.pairs + 1):
        z = _t_statistics(x[series.alive, :n])
        last = n == rule.pairs
        go_on = series.stop((z > rule.early_accept) | (last & (z >= rule.accept)), State.FASTER, n)
        z = z[go_on]
        if last:
            series.stop(np.ones(len(z), dtype=np.bool_), State.UNCLEAR, n)
        else:
            series.stop(z < rule.low_stop, State.DROP, n)
    return series.stops


def _t_statistics(x: Floats) -> Floats:
    return x.mean(axis=1) / (x.std(axis=1, ddof=1) / np.sqrt(x.shape[1]))
