"""One holder of the machine at a time, across tasks and processes; who held it how long is counted."""

import asyncio
import time
from itertools import pairwise
from pathlib import Path

import pytest

from kernels.device.hostlock import WAITING, HostLock
from kernels.device.place import Here
from roles.accounts import since
from tests.unit.targets.external_kit import TOY


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "machine.lock"


async def test_a_second_campaign_waits_and_says_so(path: Path) -> None:
    mine, other = HostLock(path), HostLock(path)
    await other.acquire("pair of test 1")
    waiting = asyncio.create_task(mine.acquire("build gemv"))
    await asyncio.sleep(0.05)
    assert mine.holder == WAITING
    other.release()
    await asyncio.wait_for(waiting, 60)
    assert mine.holder == "build gemv"
    mine.release()
    assert "build" in mine.spent
    assert mine.spent["waiting"] > 0.03


async def test_the_account_goes_on_while_the_machine_is_held_so_that_none_of_it_looks_like_overhead(path: Path) -> None:
    lock = HostLock(path)
    beats = [(lock.spent, time.monotonic())]
    async with lock.hold("pair of test 1"):
        for _ in range(5):
            await asyncio.sleep(0.02)
            beats.append((lock.spent, time.monotonic()))
    beats.append((lock.spent, time.monotonic()))
    parts = [since(a, b, end - start) for (a, start), (b, end) in pairwise(beats)]
    summed = {name: sum(part.get(name, 0.0) for part in parts) for name in ("readings", "overhead")}
    wall = beats[-1][1] - beats[0][1]
    assert summed["readings"] == pytest.approx(lock.spent["pair"]) == pytest.approx(lock.last_s, rel=0.01)
    assert sum(summed.values()) == pytest.approx(wall, rel=0.01), "counted when it ended, it was overhead until then"


async def test_a_cancelled_wait_gives_its_place_up(path: Path) -> None:
    mine, other = HostLock(path), HostLock(path)
    await other.acquire("pair")
    waiting = asyncio.create_task(mine.acquire("build"))
    await asyncio.sleep(0.02)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert mine.holder == ""
    other.release()
    async with mine.hold("build"):
        assert mine.holder == "build"


async def test_a_closed_lock_is_free_for_others(path: Path) -> None:
    dead, other = HostLock(path), HostLock(path)
    await dead.acquire("pair")
    dead.close()
    await asyncio.wait_for(other.acquire("build"), 60)
    other.release()


async def test_it_tells_who_waits_first_come_first(path: Path) -> None:
    lock = HostLock(path)
    await lock.acquire("pair")
    first, second = (asyncio.create_task(lock.acquire(name)) for name in ("build", "checking"))
    await asyncio.sleep(0)
    assert lock.queue == ["build", "checking"]
    second.cancel()
    await asyncio.gather(second, return_exceptions=True)
    assert lock.queue == ["build"]
    lock.release()
    await asyncio.wait_for(first, 60)
    assert (lock.queue, lock.holder) == ([], "build")
    lock.release()


async def test_a_campaign_that_asks_again_at_once_comes_after_one_that_waits(path: Path) -> None:
    greedy, other = HostLock(path), HostLock(path)
    held = 0

    async def without_a_pause() -> None:
        nonlocal held
        while held < 60:
            async with greedy.hold("pair"):
                await asyncio.sleep(0.006)
            held += 1

    busy = asyncio.create_task(without_a_pause())
    await asyncio.sleep(0.01)
    async with other.hold("build"):
        before = held
    await busy
    assert before < 20


async def test_a_cancelled_wait_leaves_the_turn_to_others(path: Path) -> None:
    mine, other, third = HostLock(path), HostLock(path), HostLock(path)
    await other.acquire("pair")
    waiting = asyncio.create_task(mine.acquire("build"))
    await asyncio.sleep(0.02)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    other.release()
    await asyncio.wait_for(third.acquire("build"), 60)
    third.release()


def test_targets_of_one_hardware_share_its_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C, OpenCL C on the CPUs, and a target file of this host: their builds, checks and readings never overlap."""
    (tmp_path / "targets").mkdir()
    text = TOY.read_text(encoding="utf-8")
    away = text.replace('features = ["host"]', "").replace('"this host, one thread"', '"board W1"')
    for name, said in (("mine", text), ("first", away), ("second", away)):
        (tmp_path / "targets" / f"{name}.toml").write_text(said)
    monkeypatch.chdir(tmp_path)
    assert Here("cpu-c").lock == Here("opencl").lock == Here("mine").lock
    assert Here("first").lock == Here("second").lock
    assert len({Here(name).lock for name in ("cpu-c", "cuda", "first")}) == 3
