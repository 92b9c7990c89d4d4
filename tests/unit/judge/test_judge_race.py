"""Races by halving."""

import math

import numpy as np
import pytest

from kernels.judge.race import HEAD, RaceResult, race, readings_of

NAMES = tuple(f"v{i}" for i in range(16))


def run(
    gains: dict[str, float], cv: float = 0.007, seed: int = 1, broken: str = "none"
) -> tuple[RaceResult, list[tuple[str, ...]]]:
    rng = np.random.default_rng(seed)
    racing = race(tuple(gains), rng)
    blocks = [next(racing)]
    try:
        while True:
            times = {n: math.exp(rng.normal(0, cv)) * (1 - gains.get(n, 0.0)) for n in blocks[-1] if n != broken}
            blocks.append(racing.send(times))
    except StopIteration as done:
        assert isinstance(done.value, RaceResult)
        return done.value, blocks


def test_sixteen_variants_take_102_readings_in_twelve_blocks() -> None:
    result, blocks = run(dict.fromkeys(NAMES, 0.0))
    assert result.readings == readings_of(16) == sum(map(len, blocks)) == 102
    assert [len(b) - 1 for b in blocks] == [16] * 3 + [8] * 3 + [4] * 3 + [2] * 3


def test_the_head_runs_in_every_block_at_a_random_place() -> None:
    _, blocks = run(dict.fromkeys(NAMES, 0.0))
    assert all(b.count(HEAD) == 1 for b in blocks)
    assert len({b.index(HEAD) for b in blocks}) > 4
    assert all(len(set(b)) == len(b) for b in blocks)


def test_the_fastest_wins_and_is_ranked_first() -> None:
    result, _ = run({name: 0.01 * i for i, name in enumerate(NAMES)})
    assert result.winner == "v15"
    assert result.standings[0].median == pytest.approx(-math.log1p(-0.15), abs=0.01)
    assert [s.name for s in result.standings[:2]] == ["v15", "v14"]
    assert sorted(s.name for s in result.standings) == sorted(NAMES)


def test_regret_of_close_variants_is_small() -> None:
    rng = np.random.default_rng(9)
    regrets = []
    for seed in range(150):
        gains = dict(zip(NAMES, rng.normal(0, 0.01, 16), strict=True))
        regrets.append(max(gains.values()) - gains[run(gains, seed=seed)[0].winner])
    assert np.mean(regrets) < 0.0015


def test_ties_are_reported() -> None:
    twins, _ = run({"a": 0.05, "b": 0.05}, cv=0.01)
    assert len(twins.ties) == 1
    assert "tied with" in twins.text
    apart, _ = run({"a": 0.05, "b": 0.10, "c": 0.0, "d": 0.0}, cv=0.002)
    assert (apart.winner, apart.ties) == ("b", ())


def test_a_variant_without_readings_comes_last() -> None:
    result, _ = run({"a": 0.0, "b": 0.5, "c": 0.1, "d": 0.2}, broken="b")
    assert result.winner == "d"
    assert result.standings[-1].name == "b"
    assert math.isnan(result.standings[-1].median)


@pytest.mark.parametrize(("count", "readings"), [(1, 6), (2, 9), (3, 21), (5, 39)])
def test_odd_fields(count: int, readings: int) -> None:
    result, _ = run(dict.fromkeys(NAMES[:count], 0.0))
    assert result.readings == readings_of(count) == readings


@pytest.mark.parametrize("names", [(), ("a", "a"), ("a", "")])
def test_bad_names_are_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="different, non-empty names"):
        next(race(names, np.random.default_rng(1)))
