"""Who stands still: a worker without a sign of life, however long it has been at work."""

import time
from dataclasses import replace
from pathlib import Path

from roles.watchdog import STALE_S, Watchdog, stands
from store import agents, reads
from store.views import AgentView
from tests.unit.roles.pipeline_rig import make_rig

WORKER = AgentView("worker-01", "worker", "gemv", "working", "tile the rows", "gemv: tile", 1000.0, 0, 0.0, (), 1500.0)


def test_it_counts_from_the_last_sign_of_life() -> None:
    assert stands(WORKER, 1510.0) == 10.0
    assert stands(WORKER, 1501.0 + STALE_S) > STALE_S


def test_a_state_that_is_newer_than_any_sign_counts() -> None:
    assert stands(replace(WORKER, since=1600.0), 1610.0) == 10.0


def test_who_waits_or_is_no_worker_does_not_stand_still() -> None:
    assert stands(replace(WORKER, state="waiting"), 9e9) == 0.0
    assert stands(replace(WORKER, brief=""), 9e9) == 0.0
    assert stands(replace(WORKER, role="owner"), 9e9) == 0.0


async def test_who_waits_for_its_kernel_s_turn_is_not_told_as_stale(tmp_path: Path) -> None:
    rig = await make_rig(tmp_path)
    campaign = rig.campaign
    campaign.clock = lambda: time.time() + 2 * STALE_S
    for name in ("worker-01", "worker-02"):
        await campaign.store.write(lambda s, n=name: agents.upsert_agent(s, campaign.id, n, "worker", brief="tile"))
    campaign.in_line.add("worker-01")
    watchdog = Watchdog(campaign)
    await watchdog._look_at_roles()
    await watchdog._look_at_roles()
    told = [e.subject for e in rig.read(lambda s: reads.events(s, campaign.id)) if e.kind == "stale"]
    assert told == ["worker-02"]
