"""When the device's own clock and the referee's contradict each other."""

import pytest

from kernels.device.clocks import disagreement


@pytest.mark.parametrize(
    ("ns", "device_ns", "trip"),
    [(1e6, 9.8e5, 2e4), (1e6, 1.02e6, 2e4), (1e6, 5.1e5, 2e4), (2e4, 500, 2e4), (-1e3, 0, 2e4)],
)
def test_a_device_that_covers_the_work_agrees(ns: float, device_ns: float, trip: float) -> None:
    assert disagreement(ns, device_ns, trip, "its events") == ""


def test_a_device_that_claims_more_than_was_seen_does_not() -> None:
    why = disagreement(1e6, 1.2e6, 2e4, "its events")
    assert why == "by its events a call takes 1200000 ns, by the referee's clock no more than 1020000 ns"


def test_a_device_whose_events_cover_little_does_not() -> None:
    assert "the round trip of 20000 ns explains too little" in disagreement(1e6, 1e5, 2e4, "its events")
