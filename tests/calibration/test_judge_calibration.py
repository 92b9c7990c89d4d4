"""Error rates and powers of the rules against the table they must reproduce.

Seeds are fixed; the HARD limit has three standard errors of slack here, and none at 100,000 series (`--all`).
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kernels.judge.acceptance import ACCEPTANCE, Paired
from kernels.judge.noise import log_ratios
from kernels.judge.rule import State
from kernels.judge.simulate import run_paired
from kernels.judge.table import (
    TABLE,
    broken_limits,
    compare,
    expected_rows,
    hard_limit,
    simulate_row,
    simulate_table,
)

REPETITIONS = 20_000
SOURCE = Path(__file__).parents[2] / "../shared/judge/ACCEPTANCE.csv"


def test_the_whole_table_is_reproduced() -> None:
    problems = [problem for _, _, found in simulate_table(REPETITIONS, seed=20260101) for problem in found]
    assert not problems


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_the_whole_table_at_its_own_size(seed: int) -> None:
    problems = [problem for _, _, found in simulate_table(100_000, seed) for problem in found]
    assert not problems


@pytest.mark.skipif(not SOURCE.exists(), reason="the source of the table is not here")
def test_the_table_that_ships_is_the_one_that_was_simulated_first() -> None:
    assert TABLE.read_text() == SOURCE.read_text()


def test_pure_null_without_flat() -> None:
    """FASTER .0451, SLOWER .0443, 8.57 pairs, for any independent symmetric continuous x."""
    rng = np.random.default_rng(4)
    never_flat = Paired(flat_within=1e-12)
    for x in (rng.normal(size=(60_000, 24)), rng.standard_cauchy(size=(60_000, 24))):
        stops = run_paired(x, never_flat)
        assert stops.rate(State.FASTER) == pytest.approx(0.0451, abs=0.0035)
        assert stops.rate(State.SLOWER) == pytest.approx(0.0443, abs=0.0035)
        assert stops.pairs.mean() == pytest.approx(8.57, abs=0.08)


def test_no_gain_keeps_the_limit_with_ties_and_zeros() -> None:
    """A coarse clock: differences in whole steps, many of them zero."""
    x = np.round(log_ratios("normal", 0.007, 0.0, 4000, 24, np.random.default_rng(8)) / 0.01) * 0.01
    stops = run_paired(x, ACCEPTANCE)
    assert stops.rate(State.FASTER) <= hard_limit(4000)
    assert stops.rate(State.SLOWER) <= hard_limit(4000)


def test_the_coin_balances_what_alternating_does_not() -> None:
    """Jobs that rotate over four servers: the paper's rule accepts every fourth change without any gain."""
    row = simulate_row("rr4", 0.007, 0.0, 10_000, seed=3)
    assert row.paper_accept > 0.25
    assert row.faster <= hard_limit(10_000)


def test_promotions_without_a_gain_stay_below_the_meters_rate() -> None:
    rates = [r.promoted for r in expected_rows() if r.gain == 0]
    assert max(rates) <= 0.0063


def test_a_row_that_is_off_is_named() -> None:
    expected = expected_rows()[1]
    bent = replace(expected, faster=0.0535, pairs=expected.pairs + 0.2)
    names = " ".join(compare(bent, expected, 100_000))
    assert "faster" in names
    assert "pairs" in names
    assert "HARD" in names
    assert not compare(expected, expected, 100_000)
    assert not broken_limits(replace(expected, gain=0.01, faster=0.9), 100_000)


def test_the_same_seed_gives_the_same_row() -> None:
    assert simulate_row("ar1", 0.007, 0.0, 500, seed=5) == simulate_row("ar1", 0.007, 0.0, 500, seed=5)
    with pytest.raises(ValueError, match="unknown noise"):
        simulate_row("pink", 0.007, 0.0, 10, seed=1)
