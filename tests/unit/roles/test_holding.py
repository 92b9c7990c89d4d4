"""The device in its owner's hands: a latch of its own, so that a release lifts no pause of a person's."""

import asyncio
from pathlib import Path

import pytest

from roles.latches import ALL
from roles.operator import Operator
from store import campaigns, commands, heartbeat, reads
from store.commands import enqueue
from store.views import OverviewView
from tests.unit.roles.pipeline_rig import Rig, make_rig


class Desk:
    """An operator who is told commands, and what became of each."""

    def __init__(self, rig: Rig) -> None:
        async def nobody(*_: object) -> str:
            return ""

        self.rig, self.operator = rig, Operator(rig.campaign, nobody, nobody)

    async def tell(self, verb: str, target: str = "device", **arguments: object) -> str:
        number = await self.rig.campaign.store.write(lambda s: enqueue(s, "me", verb, target, arguments))
        row = await self.rig.campaign.store.write(commands.take_next)
        assert row is not None
        await self.operator._serve(row)
        return str(self.rig.read(lambda s: reads.command(s, number)).result)

    @property
    def state(self) -> str:
        return str(self.rig.read(lambda s: campaigns.get(s, self.rig.campaign.id)).state)

    @property
    def waits(self) -> bool:
        return self.rig.campaign.latches.is_closed("worker-01", "gemv")


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    return Desk(await make_rig(tmp_path))


async def test_a_hold_stops_everybody_and_a_release_lets_them_go_on(desk: Desk) -> None:
    assert await desk.tell("release") == "the device was not handed back: nothing to release"
    assert await desk.tell("hold", minutes=30) == "device handed back for 30 minutes"
    assert (desk.rig.campaign.held, desk.waits, desk.state) == (True, True, "paused")
    assert await desk.tell("release") == "device released, all go on"
    assert (desk.rig.campaign.held, desk.waits, desk.state) == (False, False, "running")


async def test_what_was_paused_before_or_meanwhile_stays_so(desk: Desk) -> None:
    for first, second in (("pause", "hold"), ("hold", "pause")):
        for verb in (first, second):
            await desk.tell(verb, ALL if verb == "pause" else "device")
        assert await desk.tell("release") == "device released; the loop stays paused, as it was"
        assert (desk.rig.campaign.held, desk.waits, desk.state) == (False, True, "paused")
        await desk.tell("resume", ALL)
        assert (desk.waits, desk.state) == (False, "running")


async def test_a_resume_of_all_leaves_the_device_to_its_owner(desk: Desk) -> None:
    for before in ((), ("pause",)):
        await desk.tell("hold", minutes=60)
        for verb in before:
            await desk.tell(verb, ALL)
        assert await desk.tell("resume", ALL) == "all resumed, and waits for the device to be released"
        assert (desk.rig.campaign.held, desk.waits, desk.state) == (True, True, "paused")
        assert await desk.tell("release") == "device released, all go on"
        assert (desk.rig.campaign.held, desk.waits, desk.state) == (False, False, "running")


async def test_a_stop_ends_the_hold_with_everything_else(desk: Desk) -> None:
    await desk.tell("hold", minutes=60)
    await desk.tell("stop", "")
    assert (desk.rig.campaign.held, desk.waits, desk.rig.campaign.stop.is_set()) == (False, False, True)


async def test_the_end_of_its_time_releases(desk: Desk) -> None:
    await desk.tell("hold", minutes=0.0001)
    async with asyncio.timeout(60):
        while desk.rig.campaign.held:  # noqa: ASYNC110 - a clock
            await asyncio.sleep(0.005)
    assert not desk.waits


async def test_screens_see_whose_the_device_is(desk: Desk) -> None:
    def held() -> tuple[bool, bool]:
        view = desk.rig.read(lambda s: reads.overview(s, desk.rig.campaign.id))
        assert isinstance(view, OverviewView)
        return view.held, view.only_held

    def beat(holder: str) -> None:
        desk.rig.campaign.store.write_sync(
            lambda s: heartbeat.beat(s, desk.rig.campaign.id, started_at=1.0, holder=holder)
        )

    beat("reading gemv")
    assert held() == (False, False)
    beat(heartbeat.OWNER)
    assert held() == (True, True)
    beat(heartbeat.OWNER_OF_PAUSED)
    assert held() == (True, False)
