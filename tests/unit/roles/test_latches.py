"""Pause: nothing new starts, what is open goes on; resume wakes."""

import asyncio

from roles.latches import ALL, DEVICE, Latches


async def test_an_open_latch_lets_pass_at_once() -> None:
    await asyncio.wait_for(Latches().passage("worker-01", "gemv"), 60)


async def test_closing_stops_the_named_one_alone() -> None:
    latches = Latches()
    await latches.close("worker-01")
    blocked = asyncio.create_task(latches.passage("worker-01"))
    await asyncio.wait_for(latches.passage("worker-02"), 60)
    await asyncio.sleep(0)
    assert not blocked.done()
    await latches.open("worker-01")
    await asyncio.wait_for(blocked, 60)


async def test_all_closes_everybody_and_opening_all_opens_every_latch() -> None:
    latches = Latches()
    await latches.close("gemv")
    await latches.close(ALL)
    tasks = [asyncio.create_task(latches.passage(name)) for name in ("worker-01", "gemv", "strategist")]
    await asyncio.sleep(0.01)
    assert not any(task.done() for task in tasks)
    assert latches.waiting == {"worker-01", "gemv", "strategist"}
    await latches.open(ALL)
    await asyncio.wait_for(asyncio.gather(*tasks), 60)
    assert not latches.closed


async def test_a_kernel_latch_stops_an_agent_that_works_on_it() -> None:
    latches = Latches()
    await latches.close("gemv")
    assert latches.is_closed("worker-01", "gemv")
    assert not latches.is_closed("worker-01", "axpy")


async def test_a_killed_waiter_leaves_no_trace() -> None:
    latches = Latches()
    await latches.close(ALL)
    task = asyncio.create_task(latches.passage("worker-01"))
    await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert latches.waiting == set()


async def test_the_device_is_opened_by_its_own_name_or_at_the_end() -> None:
    latches = Latches()
    for name in ("gemv", ALL, DEVICE):
        await latches.close(name)
    await latches.open(ALL)
    assert latches.closed == {DEVICE} and latches.is_closed("worker-01")
    await latches.open_every()
    assert not latches.is_closed("worker-01")
