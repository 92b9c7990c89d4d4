"""Who is paused and who waits stands in the store: about to be, at a latch, going on again, and after another start."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from roles.inbox import Inbox
from roles.latches import ALL
from roles.ledger_clock import LedgerClock
from roles.operator import Operator, Refused
from roles.owner import Owner
from roles.pauses import Pauses
from roles.watchdog import Watchdog
from store import agents, commands, reads
from store.commands import enqueue
from store.views import OverviewView
from tests.unit.roles.pipeline_rig import Rig, make_rig

WORKER, OTHER = "worker-01", "worker-02"


@pytest.fixture
async def rig(tmp_path: Path) -> Rig:
    made = await make_rig(tmp_path)
    for name in (WORKER, OTHER):
        made.campaign.agent_names.add(name)
        await made.campaign.store.write(lambda s, n=name: agents.upsert_agent(s, made.campaign.id, n, "worker"))
    return made


def states(rig: Rig) -> dict[str, str]:
    return {agent.name: agent.state for agent in rig.read(lambda s: reads.agents(s, rig.campaign.id))}


def overview(rig: Rig) -> OverviewView:
    return rig.campaign.store.read_sync(lambda s: reads.overview(s, rig.campaign.id))


def paused(rig: Rig) -> tuple[str, ...]:
    return overview(rig).paused


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110 - the store tells nobody
            await asyncio.sleep(0.005)


async def asked(operator: Operator, rig: Rig, verb: str, target: str) -> str:
    """What the command came to, as whoever asked sees it."""
    number = await rig.campaign.store.write(lambda s: enqueue(s, "me", verb, target, {}))
    row = await rig.campaign.store.write(commands.take_next)
    assert row is not None
    await operator._serve(row)
    found = rig.read(lambda s: reads.command(s, number))
    return f"{found.state}: {found.result}"


async def refuse(target: str, *_: object) -> str:
    raise Refused(target)


async def test_an_agent_is_about_to_be_paused_then_paused_then_at_work(rig: Rig) -> None:
    latches, keeping = rig.campaign.latches, asyncio.create_task(Pauses(rig.campaign).run())
    await latches.close(WORKER)
    await until(lambda: states(rig) == {WORKER: "pausing", OTHER: "working"})
    assert paused(rig) == (WORKER,)
    passing = asyncio.create_task(latches.passage(WORKER, "gemv"))
    await until(lambda: states(rig)[WORKER] == "paused")
    await rig.campaign.store.write(lambda s: agents.set_agent_state(s, rig.campaign.id, OTHER, "crashed"))
    await latches.close(OTHER)
    await latches.open(ALL)
    await passing
    await until(lambda: states(rig) == {WORKER: "working", OTHER: "crashed"})
    assert paused(rig) == ()
    keeping.cancel()


async def test_an_agent_without_anything_to_do_waits_and_no_event_says_so(rig: Rig) -> None:
    campaign, keeping = rig.campaign, asyncio.create_task(Pauses(rig.campaign).run())
    before = len(rig.read(lambda s: reads.events(s, campaign.id)))
    waiting = asyncio.create_task(campaign.wait_for_stop(60, WORKER))
    await until(lambda: states(rig) == {WORKER: "waiting", OTHER: "working"})
    campaign.in_line.add(OTHER)
    await until(lambda: states(rig)[OTHER] == "waiting")
    campaign.in_line.clear()
    campaign.asking.add(WORKER)
    await until(lambda: states(rig) == {WORKER: "working", OTHER: "working"})
    campaign.asking.clear()
    await campaign.latches.close(WORKER)
    await until(lambda: states(rig)[WORKER] == "pausing")
    await campaign.latches.open(WORKER)
    campaign.request_stop("enough")
    await waiting
    await until(lambda: states(rig)[WORKER] == "working")
    assert len(rig.read(lambda s: reads.events(s, campaign.id))) == before
    keeping.cancel()


async def test_a_look_around_between_two_waits_is_no_work(rig: Rig) -> None:
    pauses, seen = Pauses(rig.campaign), []
    for waits in (True, True, False, True, True, False, False):
        rig.campaign.resting = {WORKER} if waits else set()
        pauses._look()
        await pauses.keep()
        seen.append(states(rig)[WORKER])
    assert seen == ["waiting"] * 6 + ["working"]


async def test_every_role_rests_while_it_has_nothing_to_do(rig: Rig) -> None:
    campaign = rig.campaign
    roles = [LedgerClock(campaign, rig.pipeline), Inbox(campaign), Owner(campaign, "gemv"), Watchdog(campaign)]
    tasks = [asyncio.create_task(role.run()) for role in roles]
    await until(lambda: all(campaign.waits(role.name) for role in roles))
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert not campaign.resting


async def test_a_paused_kernel_is_marked_with_who_stands_before_it_and_again_after_another_start(rig: Rig) -> None:
    latches, pauses = rig.campaign.latches, Pauses(rig.campaign)
    await latches.close("gemv")
    passing = asyncio.create_task(latches.passage(WORKER, "gemv"))
    await asyncio.sleep(0)
    await pauses.keep()
    assert paused(rig) == (WORKER, "gemv") and states(rig)[WORKER] == "paused"
    (kernel,) = overview(rig).kernels
    assert kernel.status == "paused"
    passing.cancel()
    again = await make_again(rig)
    await again.restore()
    assert rig.campaign.latches.closed == {"gemv"}


async def make_again(rig: Rig) -> Pauses:
    """As of an engine that begins anew."""
    await rig.campaign.latches.open(ALL)
    return Pauses(rig.campaign)


async def test_the_answer_says_whether_the_pause_holds_and_what_a_resume_did_not_lift(rig: Rig) -> None:
    operator = Operator(rig.campaign, refuse, refuse)
    assert await asked(operator, rig, "pause", WORKER) == "done: worker-01 pauses once its step in hand is done"
    passing = asyncio.create_task(rig.campaign.latches.passage(WORKER, "gemv"))
    await asyncio.sleep(0)
    assert await asked(operator, rig, "pause", WORKER) == "done: worker-01 paused"
    assert await asked(operator, rig, "pause", "gemv") == "done: gemv paused"
    said = await asked(operator, rig, "resume", WORKER)
    assert said == "done: worker-01 resumed, and waits for gemv to be resumed"
    assert await asked(operator, rig, "resume", "gemv") == "done: gemv resumed"
    await passing


async def test_who_starts_nothing_is_not_paused(rig: Rig) -> None:
    rig.campaign.agent_names.add("inbox")
    said = await asked(Operator(rig.campaign, refuse, refuse), rig, "pause", "inbox")
    assert said == "refused: inbox is never paused: it starts nothing"
