"""From times to values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.probes.fill import LINE, cycle, fill
from knowledge.probes.readings import Spread, fit, spread


def test_a_line_gives_the_cost_of_one_and_what_is_fixed() -> None:
    found = fit([10, 20, 30], [150.0, 200.0, 250.0])
    assert found.slope == pytest.approx(5.0)
    assert found.fixed == pytest.approx(100.0)
    assert found.residual == pytest.approx(0.0, abs=1e-9)


def test_the_residual_is_the_worst_error_of_the_largest_time() -> None:
    assert fit([1, 2, 3], [10.0, 26.0, 30.0]).residual == pytest.approx(4 / 30)


def test_the_spread_is_median_and_quartiles() -> None:
    assert spread([5, 1, 3, 2, 4]) == Spread(3, 2, 4)
    assert spread([7.0]) == Spread(7, 7, 7)
    assert Spread(3, 2, 4).share == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match="no readings"):
        spread([])


def test_smaller_only_counts_beyond_both_spreads() -> None:
    assert Spread(1, 0.9, 1.1).below(Spread(2, 1.5, 2.5))
    assert not Spread(1, 0.9, 1.6).below(Spread(2, 1.5, 2.5))
    assert Spread(1, 0.9, 1.6).overlaps(Spread(2, 1.5, 2.5))


@given(st.integers(1, 300), st.integers(0, 5))
def test_the_chase_is_one_cycle_through_every_line(length: int, seed: int) -> None:
    following = cycle(length, np.random.default_rng(seed))
    at, seen = 0, set[int]()
    for _ in range(length):
        seen.add(at)
        at = int(following[at])
    assert at == 0
    assert len(seen) == length


def test_fills_write_what_they_say() -> None:
    area = np.full(4096, 77, dtype=np.uint8)
    fill(area, "floats")
    values = area.view(np.float32)
    assert 0.5 <= values.min() <= values.max() < 1.5
    fill(area, "chase")
    assert set(area.view(np.uint64)[:: LINE // 8] % LINE) == {0}
    fill(area, "zero")
    assert not area.any()
