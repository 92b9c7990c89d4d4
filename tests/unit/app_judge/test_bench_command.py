"""`bench`: the list, and the rules side by side."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.bench.readings import recordings, resample, residuals
from app.bench.rivals import PAIRED, mean_of
from kernels.judge.noise import log_readings
from kernels.values.reading import Pair
from store.reads.recorded import Recorded
from tests.unit.app_judge.stored import pair, write_test

Command = Callable[..., Any]


def noisy(seed: int, count: int = 24, gain: float = 0.0) -> list[Pair]:
    rng = np.random.default_rng(seed)
    times = np.exp(0.01 * rng.standard_normal((count, 2)))
    return [pair(1e6 * h, 1e6 * c * (1 - gain), "head" if rng.random() < 0.5 else "candidate") for h, c in times]


def test_benches_are_listed(command: Command) -> None:
    said = command("bench")
    assert said.code == 0
    assert said.out.startswith("judge")
    wrong = command("bench", "luck")
    assert (wrong.code, "judge" in wrong.err) == (2, True)


def test_the_rule_accepts_less_without_a_gain_than_the_papers(command: Command) -> None:
    found = command("bench", "judge", "-R", "1500", "--json").json
    assert found["recorded"] == []
    by_source = {s["source"]: {r["rule"]: r for r in s["rows"]} for s in found["simulated"]}
    servers = by_source["rr4 0.7 %"]
    assert servers["paired, confirmed"]["false_accepts"] < 0.02
    assert servers["paper"]["false_accepts"] > 0.2
    normal = by_source["normal 0.7 %"]
    assert normal["paired, confirmed"]["power"] > 0.9
    assert normal["mean of 7"]["false_accepts"] > 0.4


def test_every_rule_gets_the_same_device_time(command: Command) -> None:
    found = command("bench", "judge", "-R", "500", "--json").json
    for source in found["simulated"]:
        for row in source["rows"]:
            mean = 0.9 * row["readings_without_gain"] + 0.1 * row["readings_with_gain"]
            assert row["candidates_judged"] * mean == pytest.approx(source["budget_readings"])


def test_recorded_readings_are_counted_honestly(command: Command, home: Path) -> None:
    write_test(home, "calibration", noisy(1))
    write_test(home, "placebo", noisy(2, 6), verdict="UNCLEAR")
    write_test(home, "ledger", noisy(3, 12, gain=0.4))
    write_test(home, "acceptance", noisy(4, 24), verdict="UNCLEAR")
    said = command("bench", "judge", "-R", "300", "--json").json
    (source,) = said["recorded"]
    assert (source["tests_recorded"], source["pairs_recorded"]) == (3, 42)
    assert source["note"] == "1 calibration, 1 ledger, 1 placebo"
    assert source["budget_device_seconds"] == pytest.approx(source["budget_readings"] / 2 * 0.25)
    assert "rests on 42 pairs" in command("bench", "judge", "-R", "300").out


def test_too_few_recorded_pairs_are_not_used() -> None:
    test = Recorded(1, "placebo", "p", "k", "f", 1.0, (("head", 10.0, 11.0),) * 23)
    assert recordings([test], None) == []


def test_a_ledgers_gain_is_no_noise() -> None:
    gained = Recorded(1, "ledger", "p", "k", "f", 1.0, (("head", 10.0, 5.0), ("candidate", 10.0, 5.0)))
    assert np.allclose(residuals(gained), 0.0)
    same = Recorded(2, "calibration", "p", "k", "f", 1.0, (("head", 10.0, 5.0), ("candidate", 10.0, 5.0)))
    assert residuals(same)[0] == pytest.approx(-residuals(same)[1])


def test_neighbours_stay_neighbours() -> None:
    rows = resample([np.arange(8.0), 100 + np.arange(6.0)], 50, 12, np.random.default_rng(1))
    assert (rows[:, 1::2] - rows[:, 0::2] == 1.0).all()


def test_a_rule_reads_no_more_than_it_says() -> None:
    rng = np.random.default_rng(2)
    levels = log_readings("normal", 0.01, 200, PAIRED.slots, rng)
    tried = PAIRED.decide(levels, 0.0, rng)
    assert tried.readings.max() <= PAIRED.slots
    assert (mean_of(7).decide(levels, 0.5, rng)).accepted.all()
