"""A race of generated variants by halving, e.g. 16-8-4-2: it picks one for the acceptance test, it proves nothing.

Three blocks a round; a block measures the head and every variant still in the race once, in random order; variants are
ranked by the median of log(head / variant) over all their blocks. 16 variants take 102 readings. The readings are
selected, so the winner is tested with fresh pairs. Prior art: irace, successive halving (Hyperband).
"""

import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np

from kernels.judge.score import signed_rank_score

HEAD: Final = ""
"""The head's name in a block; variants have names that are not empty."""
BLOCKS: Final = 3
TIE_BELOW: Final = 1.64


@dataclass(frozen=True, slots=True)
class Standing:
    """One variant. median: of log(head / variant) over its blocks, nan when none was usable; rounds: survived."""

    name: str
    median: float
    blocks: int
    rounds: int


@dataclass(frozen=True, slots=True)
class RaceResult:
    """standings: best first. ties: names that the winner does not beat with a score of 1.64 in their common
    blocks; three blocks, as in a race of two, are too few for that."""

    standings: tuple[Standing, ...]
    ties: tuple[str, ...]
    readings: int

    @property
    def winner(self) -> str:
        return self.standings[0].name

    @property
    def text(self) -> str:
        best = self.standings[0]
        tie = f", tied with {', '.join(self.ties)}" if self.ties else ""
        return f"{best.name} leads by {100 * best.median:+.2f} % against the head{tie}; {self.readings} readings"


Readings: TypeAlias = Mapping[str, float]
Blocks: TypeAlias = Generator[tuple[str, ...], Readings, RaceResult]


def race(variants: Sequence[str], rng: np.random.Generator, *, blocks: int = BLOCKS) -> Blocks:
    """A generator: yields the names to measure, in order (HEAD is the head); send it the readings by name.

    A reading that is missing, not finite or <= 0 does not count; without the head's the block does not count.
    The result is the value of StopIteration.
    Raises: ValueError for no variants, doubled or empty names.
    """
    if not variants or len(set(variants)) != len(variants) or HEAD in variants:
        raise ValueError(f"a race needs variants with different, non-empty names, got {list(variants)}")
    table = _Table({name: [] for name in variants})
    alive = list(variants)
    while True:
        for _ in range(blocks):
            order = _shuffled([*alive, HEAD], rng)
            readings = yield order
            table.add(readings, order)
        table.survived(alive)
        alive = table.ranked(alive)[: _half(len(alive))]
        if len(alive) == 1:
            return table.result(alive[0])


def readings_of(variants: int, blocks: int = BLOCKS) -> int:
    """Readings that a race takes, the head's included."""
    total = 0
    while True:
        total += blocks * (variants + 1)
        variants = _half(variants)
        if variants == 1:
            return total


def _half(variants: int) -> int:
    """How many stay in the race; of an odd field the larger half."""
    return (variants + 1) // 2


@dataclass(slots=True)
class _Table:
    """ratios: log(head / variant) by block, nan where there is none."""

    ratios: dict[str, list[float]]
    rounds: dict[str, int] = field(default_factory=dict)
    readings: int = 0

    def add(self, readings: Readings, order: Sequence[str]) -> None:
        self.readings += len(order)
        head = readings.get(HEAD, math.nan)
        for name in order:
            if name != HEAD:
                self.ratios[name].append(_log_ratio(head, readings.get(name, math.nan)))

    def survived(self, alive: Sequence[str]) -> None:
        for name in alive:
            self.rounds[name] = self.rounds.get(name, 0) + 1

    def median(self, name: str) -> float:
        usable = [r for r in self.ratios[name] if math.isfinite(r)]
        return float(np.median(usable)) if usable else math.nan

    def ranked(self, names: Sequence[str]) -> list[str]:
        """Best first; a variant without a usable block comes last; equal medians keep their order."""
        return sorted(names, key=lambda n: -m if math.isfinite(m := self.median(n)) else math.inf)

    def result(self, winner: str) -> RaceResult:
        depth = sorted(set(self.rounds.values()), reverse=True)
        order = [n for r in depth for n in self.ranked([m for m in self.ratios if self.rounds[m] == r])]
        order.sort(key=lambda n: n != winner)
        standings = tuple(Standing(n, self.median(n), len(self.ratios[n]), self.rounds[n]) for n in order)
        ties = tuple(n for n in order[1:] if self.rounds[n] == depth[0] and self._tied(winner, n))
        return RaceResult(standings, ties, self.readings)

    def _tied(self, winner: str, other: str) -> bool:
        ahead = np.array(self.ratios[winner]) - np.array(self.ratios[other])
        return signed_rank_score(ahead[np.isfinite(ahead)]) < TIE_BELOW


def _shuffled(names: Sequence[str], rng: np.random.Generator) -> tuple[str, ...]:
    return tuple(names[int(i)] for i in rng.permutation(len(names)))


def _log_ratio(head: float, variant: float) -> float:
    usable = all(math.isfinite(r) and r > 0 for r in (head, variant))
    return math.log(head / variant) if usable else math.nan
