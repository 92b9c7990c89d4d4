"""A line of times under noise that only ever adds: stalls of a busy machine neither shorten nor end a measurement."""

import random

import pytest
from typing_extensions import override

from knowledge.probes import lines
from knowledge.probes.lines import AIM_NS, base_count, line
from knowledge.probes.rig import ProbeFailed

FIXED, SLOPE = 700.0, 12.0


class Noisy:
    """Calls of 700 ns + 12 ns of each piece of work, and what the noise adds to them."""

    name = "latency_l2"

    def __init__(self, share: float, seed: int = 0, at: int | None = None) -> None:
        """share of all calls that are stalled for up to 20 ms; at: the turn that is stalled for 4 ms."""
        self._share = share
        self._at = at
        self._random = random.Random(seed)
        self.calls = 0

    def times(self, counts: list[int]) -> list[float]:
        once = 4e6 if self.calls == self._at else 0.0
        self.calls += 1
        return [FIXED + SLOPE * count + once + self._stall() for count in counts]

    def _stall(self) -> float:
        return self._random.uniform(0, 20e6) if self._random.random() < self._share else 0.0


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "PAUSE_S", 0)


@pytest.mark.parametrize("at", [0, 1, 2, 3, 4])
def test_one_long_stall_does_not_make_a_count_look_long_enough(at: int) -> None:
    assert AIM_NS / 2 <= FIXED + SLOPE * base_count(Noisy(0, at=at)) <= 2 * AIM_NS


@pytest.mark.parametrize("seed", range(20))
def test_a_line_is_found_where_a_third_of_all_calls_are_stalled(seed: int) -> None:
    one = Noisy(0.33, seed)
    found = line(one, base_count(Noisy(0)))
    assert found.slope > 0
    assert one.calls <= lines.ATTEMPTS * 2


@pytest.mark.parametrize("seed", range(20))
def test_the_median_of_seven_lines_is_right_where_a_tenth_of_all_calls_are_stalled(seed: int) -> None:
    one, base = Noisy(0.1, seed), base_count(Noisy(0))
    slopes = sorted(line(one, base).slope for _ in range(7))
    assert slopes[3] == pytest.approx(SLOPE, rel=0.01)


@pytest.mark.parametrize("base", [1, 10, 1000])
def test_a_base_that_only_looked_long_enough_is_searched_anew(base: int) -> None:
    """Somebody else's work held the processor while it was searched; the first calls are slower than the next ones."""

    class Cold(Noisy):
        @override
        def times(self, counts: list[int]) -> list[float]:
            return [ns + (900.0 if number == 1 else 0.0) for number, ns in enumerate(super().times(counts))]

    assert line(Cold(0), base).slope == pytest.approx(SLOPE, rel=0.01)


def test_work_that_takes_no_time_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Noisy, "times", lambda self, counts: [FIXED for _ in counts])
    with pytest.raises(ProbeFailed, match="left out by the compiler"):
        base_count(Noisy(0))
    monkeypatch.setattr(Noisy, "times", lambda self, counts: [2 * AIM_NS for _ in counts])
    with pytest.raises(ProbeFailed, match="took no longer in 12 calls"):
        line(Noisy(0), 100)
