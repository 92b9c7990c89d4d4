"""Idle device time goes to placebos, and a ledger a day old is taken anew."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from kernels.values.verdict import Outcome
from roles import ledger_clock, quiet
from roles.ledger_clock import LedgerClock
from roles.quiet import QuietTime
from store import sql
from tests.unit.roles.pipeline_rig import Rig, make_rig, variant


@pytest.fixture
async def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rig:
    monkeypatch.setattr(quiet, "TICK_S", 0.001)
    monkeypatch.setattr(ledger_clock, "TICK_S", 0.001)
    return await make_rig(tmp_path)


def count_of(rig: Rig, kind: str) -> int:
    return int(rig.read(lambda s: sql.scalar(s, "SELECT count(*) FROM test WHERE kind = :kind", kind=kind)))


async def test_idle_time_runs_placebos_until_there_are_enough(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet, "ENOUGH", 3)
    role = QuietTime(rig.campaign, rig.pipeline)
    task = asyncio.create_task(role.run())
    while count_of(rig, "placebo") < 3:  # noqa: ASYNC110 - nothing tells when a row is there
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.05)
    rig.campaign.request_stop("enough")
    await task
    assert count_of(rig, "placebo") == 3
    assert count_of(rig, "acceptance") == 0
    assert rig.campaign.finished_attempts == 0


async def test_a_busy_or_paused_device_is_left_alone(rig: Rig) -> None:
    role = QuietTime(rig.campaign, rig.pipeline)
    task = asyncio.create_task(role.run())
    rig.device.holder = "build gemv"
    await asyncio.sleep(0.05)
    await rig.campaign.latches.close("gemv")
    rig.device.holder = ""
    await asyncio.sleep(0.05)
    rig.campaign.request_stop("seen")
    await task
    assert rig.device.pairs == 0


async def test_a_ledger_is_taken_anew_after_a_day(rig: Rig) -> None:
    better = variant("int better;")
    rig.device.ratio[better.id] = 1.3
    assert (await rig.judge(better)).outcome is Outcome.KEEP
    entries = count_of(rig, "ledger")
    assert entries == 1
    taken = float(rig.read(lambda s: sql.scalar(s, "SELECT max(at) FROM ledger")))
    now = [taken + 23.9 * 3600]
    campaign = replace(rig.campaign, clock=lambda: now[0])
    task = asyncio.create_task(LedgerClock(campaign, rig.pipeline).run())
    await asyncio.sleep(0.05)
    assert count_of(rig, "ledger") == entries
    now[0] = taken + 24.1 * 3600
    while count_of(rig, "ledger") == entries:  # noqa: ASYNC110 - nothing tells when a row is there
        await asyncio.sleep(0.01)
    campaign.request_stop("seen")
    await task
