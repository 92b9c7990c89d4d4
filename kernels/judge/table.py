"""The table of error rates and powers that the rule must reproduce, and its simulation.

The table (`acceptance_table.csv`) was simulated with 100,000 series a row before the rule was written down. Its HARD
limit, whatever the tolerances say: without a gain at most 5 % FASTER and at most 5 % SLOWER.
"""

import csv
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from kernels.judge.acceptance import ACCEPTANCE, CONFIRMATION, Confirmation, Paired
from kernels.judge.noise import log_ratios
from kernels.judge.plain_rules import Paper
from kernels.judge.rule import State
from kernels.judge.simulate import run_confirmation, run_paired, run_paper

TABLE: Final = Path(__file__).with_name("acceptance_table.csv")
HARD_LIMIT: Final = 0.050
HARD_FROM: Final = 100_000
PAIRS_TOLERANCE: Final = 0.15
COUNTS: Final = ("pairs", "pairs_with_confirm", "paper_pairs")
PAPER: Final = Paper()
_BATCH: Final = 20_000


@dataclass(frozen=True, slots=True)
class Row:
    """Shares of series, mean pairs. pairs: of the acceptance test; pairs_with_confirm: with its confirmation."""

    noise: str
    cv: float
    gain: float
    faster: float
    slower: float
    flat: float
    pairs: float
    promoted: float
    pairs_with_confirm: float
    paper_accept: float
    paper_low_stop: float
    paper_pairs: float

    @property
    def label(self) -> str:
        return f"{self.noise} {100 * self.cv:g} % gain {100 * self.gain:g} %"

    @property
    def figures(self) -> dict[str, float]:
        """Everything but the conditions."""
        return {name: value for name, value in asdict(self).items() if name not in ("noise", "cv", "gain")}


@lru_cache(maxsize=1)
def expected_rows() -> tuple[Row, ...]:
    """The table as it ships."""
    with TABLE.open(newline="") as lines:
        return tuple(
            Row(r["noise"], *(float(r[f.name]) for f in fields(Row) if f.name != "noise"))
            for r in csv.DictReader(lines)
        )


def simulate_row(
    noise: str,
    cv: float,
    gain: float,
    repetitions: int,
    seed: int,
    *,
    rule: Paired = ACCEPTANCE,
    confirmation: Confirmation = CONFIRMATION,
) -> Row:
    """Simulate one row of the table for our rule with confirmation and for the paper's rule."""
    rng = np.random.Generator(np.random.PCG64(seed))
    sums = np.zeros(9)
    for size in _batches(repetitions):
        sums += size * np.array(_batch(noise, cv, gain, size, rng, rule, confirmation))
    return Row(noise, cv, gain, *(float(s) for s in sums / repetitions))


def _batches(repetitions: int) -> Iterator[int]:
    for start in range(0, repetitions, _BATCH):
        yield min(_BATCH, repetitions - start)


def _batch(
    noise: str, cv: float, gain: float, size: int, rng: np.random.Generator, rule: Paired, confirmation: Confirmation
) -> tuple[float, ...]:
    test = run_paired(log_ratios(noise, cv, gain, size, rule.budget, rng), rule)
    hits = int(test.is_(State.FASTER).sum())
    confirmed = run_confirmation(log_ratios(noise, cv, gain, hits, confirmation.budget, rng), confirmation)
    paper = run_paper(log_ratios(noise, cv, gain, size, PAPER.budget, rng, alternating=True), PAPER)
    return (
        test.rate(State.FASTER),
        test.rate(State.SLOWER),
        test.rate(State.FLAT),
        float(test.pairs.mean()),
        float(confirmed.is_(State.FASTER).sum()) / size,
        float(test.pairs.mean()) + float(confirmed.pairs.sum()) / size,
        paper.rate(State.FASTER),
        paper.rate(State.DROP),
        float(paper.pairs.mean()),
    )


def simulate_table(repetitions: int, seed: int) -> Iterator[tuple[Row, Row, tuple[str, ...]]]:
    """Every row of the table: (simulated, expected, problems). The seed of row i is (seed, i) hashed by numpy."""
    for index in range(len(expected_rows())):
        yield simulate_index(index, repetitions, seed)


def simulate_index(index: int, repetitions: int, seed: int) -> tuple[Row, Row, tuple[str, ...]]:
    """One row of the table by its place; a module-level function, so that another process can run it."""
    expected = expected_rows()[index]
    row_seed = int(np.random.SeedSequence([seed, index]).generate_state(1, np.uint64)[0])
    row = simulate_row(expected.noise, expected.cv, expected.gain, repetitions, row_seed)
    return row, expected, compare(row, expected, repetitions)


def compare(row: Row, expected: Row, repetitions: int) -> tuple[str, ...]:
    """What is wrong with a simulated row; empty when it reproduces the table and keeps the HARD limits."""
    problems = [
        f"{row.label}: {name} {value:.4f}, expected {want:.4f} +- {tolerance(name, want, repetitions):.4f}"
        for name, value in row.figures.items()
        if abs(value - (want := expected.figures[name])) > tolerance(name, want, repetitions)
    ]
    return (*problems, *broken_limits(row, repetitions))


def broken_limits(row: Row, repetitions: int) -> tuple[str, ...]:
    """The HARD limits of a row without a gain."""
    if row.gain != 0:
        return ()
    limit = hard_limit(repetitions)
    rates = {"FASTER": row.faster, "SLOWER": row.slower}
    return tuple(
        f"{row.label}: {name} {rate:.4f} is above the HARD limit {limit:.4f}"
        for name, rate in rates.items()
        if rate > limit
    )


def hard_limit(repetitions: int) -> float:
    """.050 at 100,000 series or more; below that with three standard errors, so that nobody fishes for seeds."""
    return HARD_LIMIT if repetitions >= HARD_FROM else HARD_LIMIT + 3 * math.sqrt(0.05 * 0.95 / repetitions)


def tolerance(name: str, expected: float, repetitions: int) -> float:
    """Mean pairs within 0.15; a rate within four standard errors of both simulations and 0.001."""
    if name in COUNTS:
        return PAIRS_TOLERANCE
    return 4 * math.sqrt(expected * (1 - expected) * (1 / repetitions + 1e-5)) + 0.001
