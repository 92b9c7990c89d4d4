"""A search by a brain steps through the roles of a campaign; heads are there again when its turn comes."""

import asyncio
import signal
from pathlib import Path
from typing import Any, cast

import pytest

from app.bench.search.brains import BrainSearch
from app.bench.search.device import SharedDevice
from app.bench.search.lane import Lane
from app.bench.search.run import Order, search, until_interrupted
from kernels.device.client import Device
from kernels.packs.loader import load_pack
from kernels.targets.base import Target
from roles.brains.offline.registry import brain_of
from roles.budget import Budget
from store import designs
from tests.unit.roles.pipeline_rig import ScriptedTarget, make_rig


@pytest.mark.parametrize("words", ["offline", "offline:random"])
async def test_each_step_judges_one_proposal_until_the_budget_is_spent(tmp_path: Path, words: str) -> None:
    rig = await make_rig(tmp_path)
    campaign = rig.campaign
    campaign.brain, campaign.budget = brain_of(words, plateau_draft=12), Budget(candidates=3)
    search = BrainSearch(campaign, rig.pipeline, "gemv")
    assert [await search.step() for _ in range(3)] == ["", "", ""]
    rows = rig.read(lambda s: designs.attempts(s, campaign.id, "gemv"))
    assert campaign.finished_attempts == 3
    assert len({row.candidate_id for row in rows}) == 3
    assert await search.step() == "no brief could be opened"


class Counted:
    """A device that only counts; each load takes a second."""

    held = 0.0

    async def enter(self, lane: str, kernel: str, keys: set[str]) -> None:
        self.held += len(keys)


async def test_a_turn_counts_its_own_device_seconds_without_the_loading(tmp_path: Path) -> None:
    rig, device = await make_rig(tmp_path), Counted()

    class Step:
        async def step(self) -> str:
            device.held += 2.5
            rig.campaign.finished_attempts += 1
            return ""

    lane = Lane("offline", 1, rig.campaign, rig.pipeline, cast(Any, Step()))
    lane.mark(0.0)
    for _ in range(2):
        await lane.turn(cast(SharedDevice, device), 2)
    assert [(p.candidates, p.device_seconds) for p in lane.points] == [(0, 0.0), (1, 2.5), (2, 5.0)]
    assert lane.ended == "budget"


async def test_a_head_that_another_search_let_go_is_loaded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[tuple[str, Path]] = []

    async def load(self: Device, kernel: str, key: str, artefact: Path) -> None:
        calls.append((key, artefact))

    monkeypatch.setattr(Device, "load", load)
    target = cast(Target, ScriptedTarget())
    device = SharedDevice(target, load_pack("axpy_gemv"), tmp_path, epoch_s=1.0, realtime=False)
    await device.load("gemv", "base", Path("base.so"))
    for lane in ("one", "two"):
        await device.enter(lane, "gemv", ["base"])
        await device.load("gemv", "head", Path(f"{lane}.so"))
    calls.clear()
    await device.enter("one", "gemv", ["base", "head"])
    assert calls == [("head", Path("one.so"))], "the baseline is everybody's and stays"
    await device.close()


async def test_an_interrupt_ends_the_searches_where_they_stand(tmp_path: Path) -> None:
    rig, device = await make_rig(tmp_path), Counted()

    class Step:
        async def step(self) -> str:
            rig.campaign.finished_attempts += 1
            if rig.campaign.finished_attempts == 2:
                signal.raise_signal(signal.SIGINT)
                await asyncio.sleep(0.01)
            return ""

    lane = Lane("offline", 1, rig.campaign, rig.pipeline, cast(Any, Step()))
    lane.mark(0.0)
    order = Order(tmp_path, "gemv", 1, 9, 1, "", lambda _: None)
    with until_interrupted() as stop:
        await search(order, cast(SharedDevice, device), [lane], stop)
    assert (lane.spent, lane.ended) == (2, "interrupted")
