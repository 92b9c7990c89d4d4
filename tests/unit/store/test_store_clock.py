"""The clock of budgets: it goes on evenly when somebody sets the wall clock."""

import pytest

from store.clock import steady


def test_setting_the_wall_clock_moves_no_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    wall, run = [1_000_000.0], [50.0]
    monkeypatch.setattr("store.clock.time.time", lambda: wall[0])
    monkeypatch.setattr("store.clock.time.monotonic", lambda: run[0])
    clock = steady()
    assert clock() == 1_000_000.0
    for step in (86_400.0, -7_200.0):
        wall[0], run[0] = wall[0] + step, run[0] + 5.0
    assert clock() == 1_000_010.0
