"""Waiting for progress: a storm of notices, timeouts and cancels leaves nobody behind."""

import asyncio
import random
from pathlib import Path

from tests.unit.roles.pipeline_rig import make_rig


async def test_cancels_amid_notices_and_timeouts_block_nobody(tmp_path: Path) -> None:
    campaign, dice = (await make_rig(tmp_path)).campaign, random.Random(7)

    async def waits() -> None:
        while True:
            await campaign.wait_for_progress(0.001 * dice.randint(1, 3))

    waiting = {asyncio.create_task(waits()) for _ in range(60)}
    for _ in range(150):
        await campaign.notify()
        hit = dice.sample(sorted(waiting, key=id), 5)
        for task in hit:
            task.cancel()
        await asyncio.sleep(0.001)
        waiting |= {asyncio.create_task(waits()) for _ in hit}
    for task in waiting:
        task.cancel()
    done, pending = await asyncio.wait(waiting, timeout=60)
    assert not pending
    assert all(task.cancelled() for task in done)
    await asyncio.wait_for(campaign.notify(), 60)


async def test_a_notice_wakes_who_waits(tmp_path: Path) -> None:
    campaign = (await make_rig(tmp_path)).campaign
    waiting = [asyncio.create_task(campaign.wait_for_progress(60)) for _ in range(3)]
    await asyncio.sleep(0)
    await campaign.notify()
    await asyncio.wait_for(asyncio.gather(*waiting), 60)
    await campaign.wait_for_progress(0.01)
