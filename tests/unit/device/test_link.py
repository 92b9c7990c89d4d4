"""The pipe to a referee: a link that was killed or broke is known to be gone at once, and fails what it was asked."""

import asyncio
import os
import signal
import subprocess
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from kernels.device.link import Link, killed_below
from kernels.device.report import DeviceUnhealthy


@pytest.fixture
async def link(tmp_path: Path) -> AsyncGenerator[Link]:
    """A referee that does not answer."""
    one = await Link.spawn(tmp_path / "referee.log")
    os.kill(one.pid, signal.SIGSTOP)
    yield one
    one.kill()
    await one.close()


async def test_a_killed_link_is_not_alive_from_that_moment(link: Link) -> None:
    assert link.alive
    link.kill()
    assert not link.alive
    with pytest.raises(DeviceUnhealthy, match="gone"):
        await link.exchange("health", {}, 5.0)


async def test_kill_ends_the_exchange_in_flight(link: Link) -> None:
    asked = asyncio.create_task(link.exchange("health", {}, 60.0))
    await asyncio.sleep(0.05)
    assert not asked.done()
    link.kill()
    with pytest.raises(DeviceUnhealthy, match="ended during health"):
        await asyncio.wait_for(asked, 1.0)


async def test_a_referee_killed_from_outside_is_not_alive_once_an_exchange_broke(link: Link) -> None:
    os.kill(link.pid, signal.SIGKILL)
    with pytest.raises(DeviceUnhealthy):
        await link.exchange("health", {}, 5.0)
    assert not link.alive


async def test_a_link_that_did_not_answer_in_time_is_of_no_further_use(link: Link) -> None:
    with pytest.raises(DeviceUnhealthy, match="did not answer"):
        await link.exchange("health", {}, 0.05)
    assert not link.alive


async def test_a_cancelled_exchange_ends_the_link(link: Link) -> None:
    asked = asyncio.create_task(link.exchange("health", {}, 60.0))
    await asyncio.sleep(0.05)
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    assert not link.alive


def test_a_process_that_is_gone_is_killed_without_a_word() -> None:
    with subprocess.Popen(["sleep", "60"]) as one:
        killed_below(one.pid)
        assert one.wait() == -signal.SIGKILL
        killed_below(one.pid)
