"""Blocking work holds the machine until it has really ended, also when nobody waits for it any more."""

import asyncio
import threading
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from kernels.device.building import build_under_lock
from kernels.device.hostlock import HostLock


class Machine:
    def __init__(self, path: Path) -> None:
        self.lock = HostLock(path)

    def host(self, holder: str) -> AbstractAsyncContextManager[None]:
        return self.lock.hold(holder)


class Compiler:
    """A build that takes until it is let go."""

    def __init__(self) -> None:
        self.started = threading.Event()
        self.go_on = threading.Event()
        self.ended = False

    def run(self) -> str:
        self.started.set()
        self.go_on.wait(10)
        self.ended = True
        return "built"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "machine.lock")


async def test_the_result_and_the_failure_reach_the_caller_and_the_machine_is_free_again(machine: Machine) -> None:
    def broken() -> None:
        raise RuntimeError("no compiler")

    assert await build_under_lock(machine, "build a", lambda: 7) == 7
    with pytest.raises(RuntimeError, match="no compiler"):
        await build_under_lock(machine, "build a", broken)
    assert machine.lock.holder == ""


async def test_a_cancelled_build_holds_the_machine_until_the_thread_has_ended(machine: Machine) -> None:
    compiler = Compiler()
    building = asyncio.create_task(build_under_lock(machine, "build a", compiler.run))
    await asyncio.to_thread(compiler.started.wait, 10)
    building.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(building, 60)
    reading = asyncio.create_task(machine.lock.acquire("pair"))
    await asyncio.sleep(0.05)
    assert (machine.lock.holder, compiler.ended, reading.done()) == ("build a", False, False)
    compiler.go_on.set()
    await asyncio.wait_for(reading, 60)
    assert (machine.lock.holder, compiler.ended) == ("pair", True)
    machine.lock.release()


async def test_a_build_cancelled_before_its_turn_is_never_started(machine: Machine) -> None:
    compiler = Compiler()
    async with machine.host("pair"):
        waiting = asyncio.create_task(build_under_lock(machine, "build a", compiler.run))
        await asyncio.sleep(0.02)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    async with machine.host("another pair"):
        assert not compiler.started.is_set()
