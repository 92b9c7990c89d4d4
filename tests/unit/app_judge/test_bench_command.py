"""`bench`: the list, and the rules side by side."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.bench.readings import as_they_stand, recordings, resample, residuals
from app.bench.real import slowed
from app.bench.rivals import PAIRED, mean_of
from kernels.gates.base import Subject
from kernels.gates.source import SourceGate
from kernels.judge.noise import log_readings
from kernels.packs.loader import baseline, find_kernel
from kernels.values.reading import Pair
from kernels.values.verdict import GateState
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
    assert {"judge", "aa", "gain", "sketches", "search"} <= {line.split()[0] for line in said.out.splitlines()}
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


def test_as_they_stand_counts_verdicts_of_head_head_tests() -> None:
    """A lasting difference of two runners: resampling hides it, the tests themselves do not."""
    biased = Recorded(1, "placebo", "p", "k", "f", 1.0, tuple(("head", 1.02 + i / 1e3, 1.0) for i in range(6)))
    level = Recorded(2, "calibration", "p", "k", "f", 1.0, tuple(("head", 1.0 + s, 1.0) for s in (0.01, -0.02) * 3))
    found = as_they_stand([biased, level])
    assert (found["tests"], found["faster"], found["slower"]) == (2, 1, 0)
    assert found["faster_upper"] > 0.9
    assert found["z_sd"] > 1


@pytest.mark.parametrize("name", ["axpy_gemv/axpy", "axpy_gemv/gemv", "gemma_decode/qkv"])
async def test_a_head_slowed_by_design_keeps_its_contract(name: str) -> None:
    _, spec = find_kernel(name)
    slow = slowed(spec, 1000)
    subject = Subject(slow, spec, baseline(spec), baseline(spec).id, 1e6, Path("unused"))
    report = await SourceGate().examine(subject)
    assert report.state is GateState.PASSED, report.reason
    assert slow.id not in (baseline(spec).id, slowed(spec, 1001).id)
