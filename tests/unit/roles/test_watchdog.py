"""Who stands still: a worker without a sign of life, however long it has been at work."""

from dataclasses import replace

from roles.watchdog import STALE_S, stands
from store.views import AgentView

WORKER = AgentView("worker-01", "worker", "gemv", "working", "", "gemv: tile", 1000.0, 0, 0.0, (), 1500.0)


def test_it_counts_from_the_last_sign_of_life() -> None:
    assert stands(WORKER, 1510.0) == 10.0
    assert stands(WORKER, 1501.0 + STALE_S) > STALE_S


def test_a_state_that_is_newer_than_any_sign_counts() -> None:
    assert stands(replace(WORKER, since=1600.0), 1610.0) == 10.0


def test_who_waits_or_is_no_worker_does_not_stand_still() -> None:
    assert stands(replace(WORKER, state="waiting"), 9e9) == 0.0
    assert stands(replace(WORKER, role="owner"), 9e9) == 0.0
