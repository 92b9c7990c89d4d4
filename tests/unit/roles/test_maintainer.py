"""The maintainer sees another toolchain, pauses, keeps the rows, and asks for a new beginning."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from kernels.device.report import DeviceUnhealthy
from roles import maintainer
from roles.choosing import CannotChoose, choose_compiler
from roles.grader import Grader
from roles.guard import before_evaluation
from roles.latches import ALL
from roles.maintainer import Maintainer
from store import campaigns, reads, toolchain
from tests.unit.roles.pipeline_rig import PACK, Rig
from tests.unit.roles.toolchain_rig import OTHER, ExchangedTarget, make_toolchain_rig

Pair = tuple[Rig, ExchangedTarget]


@pytest.fixture
async def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pair:
    monkeypatch.setattr(maintainer, "LOOK_S", 0.01)
    monkeypatch.setattr(maintainer, "SETTLED_S", 0.01)
    return await make_toolchain_rig(tmp_path)


async def until(condition: "object") -> None:
    assert callable(condition)
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - nothing tells when a row is there
            await asyncio.sleep(0.005)


def watch(rig: Rig) -> "asyncio.Task[None]":
    return asyncio.create_task(Maintainer(rig.campaign).run())


def kinds(rig: Rig) -> list[str]:
    return [e.text for e in rig.read(lambda s: reads.events(s, rig.campaign.id)) if e.kind == "toolchain"]


async def test_another_compiler_pauses_and_turns_the_campaign_over(found: Pair) -> None:
    rig, target = found
    task = watch(rig)
    await asyncio.sleep(0.05)
    assert not rig.campaign.stop.is_set()
    target.now = OTHER
    await asyncio.wait_for(task, 10)
    assert (rig.campaign.turnover, rig.campaign.stop_reason) == (True, "")
    assert rig.campaign.latches.is_closed(ALL)
    row = rig.read(lambda s: campaigns.get(s, rig.campaign.id))
    assert (row.state, row.fingerprint) == ("paused", OTHER.id)
    change = rig.read(lambda s: toolchain.open_change(s, rig.campaign.id))
    assert (change.former, change.was_paused) == (target.fingerprint.id, False)
    assert len(kinds(rig)) == 1


async def test_a_pause_of_the_operator_is_remembered(found: Pair) -> None:
    rig, target = found
    await rig.campaign.latches.close(ALL)
    target.now = OTHER
    await asyncio.wait_for(watch(rig), 10)
    assert rig.read(lambda s: toolchain.open_change(s, rig.campaign.id)).was_paused


async def test_a_compiler_that_is_gone_pauses_until_it_is_back(found: Pair) -> None:
    rig, target = found
    task = watch(rig)
    target.now = None
    await until(lambda: rig.campaign.latches.is_closed(ALL))
    await until(lambda: kinds(rig))
    assert "the toolchain is gone: compiler cc: there is no program" in kinds(rig)[0]
    target.now = replace(target.fingerprint)
    await until(lambda: not rig.campaign.latches.is_closed(ALL))
    assert not rig.campaign.stop.is_set()
    rig.campaign.request_stop("seen")
    await task
    assert rig.read(lambda s: toolchain.open_change(s, rig.campaign.id)) is None


async def test_a_trajectory_of_an_experiment_waits_for_its_own_toolchain(found: Pair) -> None:
    rig, target = found
    rig.campaign.policy = replace(rig.campaign.policy, isolated=True)
    task = watch(rig)
    target.now = OTHER
    await until(lambda: rig.campaign.latches.is_closed(ALL))
    target.now = target.fingerprint
    await until(lambda: not rig.campaign.latches.is_closed(ALL))
    rig.campaign.request_stop("seen")
    await task
    assert (rig.campaign.turnover, rig.read(lambda s: toolchain.open_change(s, rig.campaign.id))) == (False, None)


async def test_nothing_is_judged_with_another_compiler_than_that_of_the_start(found: Pair) -> None:
    rig, target = found
    rig.campaign.grader = Grader.at_start(PACK, rig.campaign.target, harness=False)
    await before_evaluation(rig.campaign, "worker-01", "gemv")
    target.now = OTHER
    waiting = asyncio.create_task(before_evaluation(rig.campaign, "worker-01", "gemv"))
    await until(lambda: "worker-01" in rig.campaign.latches.waiting)
    assert rig.campaign.moved.is_set()
    assert rig.campaign.closed_for_toolchain
    target.now = target.fingerprint
    await rig.campaign.latches.open(ALL)
    await asyncio.wait_for(waiting, 10)
    target.now = OTHER
    rig.campaign.request_stop("over")
    with pytest.raises(DeviceUnhealthy, match="toolchain changed on disk"):
        await before_evaluation(rig.campaign, "worker-01", "gemv")


async def test_the_operator_may_choose_another_compiler(found: Pair) -> None:
    rig, _ = found
    rig.campaign.choose = lambda name: OTHER if name == "other" else rig.campaign.target.fingerprint
    assert not await choose_compiler(rig.campaign, "same")
    assert await choose_compiler(rig.campaign, "other")
    assert rig.read(lambda s: campaigns.get(s, rig.campaign.id)).options["compiler"] == "other"
    await asyncio.wait_for(watch(rig), 10)
    assert rig.campaign.turnover
    assert rig.read(lambda s: toolchain.open_change(s, rig.campaign.id)).present == OTHER.id


async def test_where_there_is_no_choice_it_is_refused(found: Pair) -> None:
    with pytest.raises(CannotChoose, match="no choice"):
        await choose_compiler(found[0].campaign, "clang")
