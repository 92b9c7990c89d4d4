"""Life and death of the referee: kills, cancellation, the engine's end."""

import asyncio
import os
import shutil
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from kernels.device.client import Device, DeviceUnhealthy, LoadFailed
from kernels.device.hostlock import WAITING
from kernels.sandbox.processes import descendants_of
from kernels.targets.base import Target
from kernels.values.kernel import Pack
from tests.end_to_end.device.tiny import HONEST, SIGNATURE, Build

PATIENCE_S = 60.0
SLOW = SIGNATURE + "{ honest(W, b, x, y); for (volatile long i = 0; i < 200000000; i++); }"
ENGINE = """
import asyncio, sys
from pathlib import Path
from kernels.device.client import Device
from kernels.sandbox.processes import descendants_of
from kernels.packs.loader import load_pack
from kernels.targets.registry import get_target
import os

async def main(pack, cache, artefact):
    device = await Device.start(get_target("cpu-c", Path(cache)), load_pack(pack), Path(cache) / "engine")
    await device.load("mv", "honest", Path(artefact))
    print(*descendants_of(os.getpid()), flush=True)
    await asyncio.sleep(60)

asyncio.run(main(*sys.argv[1:]))
"""


def _alive(pid: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1][:3]
    except OSError:
        return False


async def _begun(device: Device) -> None:
    """Until a request has the machine."""
    while device.holder in ("", WAITING):  # noqa: ASYNC110 - nothing tells when a request has begun
        await asyncio.sleep(0)


async def _queued(device: Device) -> None:
    """Until a request waits for the machine."""
    while not device.queue:  # noqa: ASYNC110 - nothing tells when a request waits
        await asyncio.sleep(0)


async def _gone(pids: list[int]) -> bool:
    end = time.monotonic() + PATIENCE_S
    while any(_alive(pid) for pid in pids) and time.monotonic() < end:  # noqa: ASYNC110 - polls other processes
        await asyncio.sleep(0.05)
    return not any(_alive(pid) for pid in pids)


async def test_the_engine_killed_leaves_no_referee_and_no_runner(
    tiny_pack: Pack, target: Target, build: Build, tmp_path: Path
) -> None:
    root = Path(__file__).parents[3]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", ENGINE, str(tiny_pack.folder), str(target.runner_binary().parents[2]),
        str(build("mv", HONEST)), stdout=asyncio.subprocess.PIPE, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(root)},
    )  # fmt: skip
    assert process.stdout is not None
    pids = [int(word) for word in (await process.stdout.readline()).split()]
    assert len(pids) >= 2
    process.send_signal(signal.SIGKILL)
    await process.wait()
    assert await _gone(pids)


async def test_kill_all_acts_at_once_and_what_was_loaded_comes_back(device: Device, build: Build) -> None:
    await device.load("mv", "slow", build("mv", SLOW))
    await device.load("mv", "honest", build("mv", HONEST))
    pids = descendants_of(os.getpid())
    running = asyncio.create_task(device.check("mv", "slow"))
    await _begun(device)
    await device.kill_all()
    with pytest.raises(DeviceUnhealthy):
        await asyncio.wait_for(running, PATIENCE_S)
    assert await _gone(pids)
    assert (await device.check("mv", "honest")).ok


def _referee() -> int:
    return next(pid for pid in descendants_of(os.getpid()) if b"referee" in Path(f"/proc/{pid}/cmdline").read_bytes())


async def test_a_referee_that_dies_is_started_again(device: Device, build: Build) -> None:
    await device.load("mv", "honest", build("mv", HONEST))
    referee = _referee()
    os.kill(referee, signal.SIGKILL)
    assert await _gone([referee])
    assert (await device.health()).ok
    assert (await device.check("mv", "honest")).ok


async def test_unload_does_not_mind_that_the_referee_is_gone(device: Device, build: Build) -> None:
    await device.load("mv", "honest", build("mv", HONEST))
    await device.load("mv", "other", build("mv", SLOW))
    os.kill(_referee(), signal.SIGKILL)
    await device.unload("honest")
    await device.kill_all()
    await device.unload("other")
    with pytest.raises(DeviceUnhealthy, match="nothing is loaded"):
        await device.check("mv", "honest")


async def test_kill_all_does_not_wait_for_a_build_but_close_does(
    device: Device, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, go_on = threading.Event(), threading.Event()

    def blocked(*_: object) -> None:
        started.set()
        go_on.wait(PATIENCE_S)
        raise DeviceUnhealthy("no probe")

    monkeypatch.setattr("kernels.device.connection.build", blocked)
    loading = asyncio.create_task(device.load("mv", "honest", build("mv", HONEST)))
    await asyncio.to_thread(started.wait, PATIENCE_S)
    await device.kill_all()
    with pytest.raises(DeviceUnhealthy, match="killed"):
        await asyncio.wait_for(loading, PATIENCE_S)
    assert device.holder
    closing = asyncio.create_task(device.close())
    await asyncio.sleep(0.05)
    assert not closing.done()
    go_on.set()
    await asyncio.wait_for(closing, PATIENCE_S)
    assert device.holder == ""


async def test_close_ends_a_request_that_is_still_running(device: Device, build: Build) -> None:
    await device.load("mv", "slow", build("mv", SLOW))
    pids = descendants_of(os.getpid())
    running = asyncio.create_task(device.check("mv", "slow"))
    await _begun(device)
    await asyncio.wait_for(device.close(), PATIENCE_S)
    with pytest.raises(DeviceUnhealthy):
        await running
    assert await _gone(pids)


def _runners() -> set[int]:
    return {pid for pid in descendants_of(_referee()) if _alive(pid)}


async def test_a_cancelled_load_can_be_unloaded(device: Device, build: Build) -> None:
    await device.load("mv", "honest", build("mv", HONEST))
    before = _runners()
    loading = asyncio.create_task(device.load("mv", "other", build("mv", SLOW)))
    while device.holder != "loading mv other":  # noqa: ASYNC110 - nothing tells when a request has begun
        await asyncio.sleep(0)
    loading.cancel()
    await asyncio.gather(loading, return_exceptions=True)
    await device.unload("other")
    assert _runners() == before
    with pytest.raises(DeviceUnhealthy, match="nothing is loaded"):
        await device.check("mv", "other")


async def test_an_unload_that_is_cancelled_while_it_waits_is_done_nevertheless(device: Device, build: Build) -> None:
    await device.load("mv", "honest", build("mv", HONEST))
    async with device.host("build mv"):
        unloading = asyncio.create_task(device.unload("honest"))
        await _queued(device)
        unloading.cancel()
        await asyncio.gather(unloading, return_exceptions=True)
    with pytest.raises(DeviceUnhealthy, match="nothing is loaded"):
        await device.check("mv", "honest")


async def test_a_restart_is_a_new_process(device: Device, build: Build) -> None:
    await device.load("mv", "honest", build("mv", HONEST))
    before = _runners()
    await device.restart("honest")
    assert not _runners() & before
    assert (await device.check("mv", "honest")).ok


async def test_each_pair_has_new_processes(device: Device, build: Build) -> None:
    for key in ("honest", "twin"):
        await device.load("mv", key, build("mv", HONEST))
    test = await device.begin_test("mv", "honest", "twin")
    seen: list[set[int]] = []
    for first in ("head", "candidate"):
        assert (await device.pair(test, first, 2e6)).valid
        seen.append(_runners())
    probes = seen[0] & seen[1]
    before, after = (one - probes for one in seen)
    assert probes
    assert len(before) == len(after) >= 2


@pytest.mark.parametrize("begun", [False, True])
async def test_a_restart_that_is_cancelled_leaves_the_key_loaded(device: Device, build: Build, begun: bool) -> None:
    await device.load("mv", "honest", build("mv", HONEST))
    if begun:
        restarting = asyncio.create_task(device.restart("honest"))
        await _begun(device)
        restarting.cancel()
    else:
        async with device.host("build mv"):
            restarting = asyncio.create_task(device.restart("honest"))
            await _queued(device)
            restarting.cancel()
            await asyncio.gather(restarting, return_exceptions=True)
    with pytest.raises(asyncio.CancelledError):
        await restarting
    assert (await device.check("mv", "honest")).ok


async def test_a_restart_that_a_kill_broke_leaves_the_key_loaded(device: Device, build: Build) -> None:
    await device.load("mv", "honest", build("mv", HONEST))
    restarting = asyncio.create_task(device.restart("honest"))
    await _begun(device)
    await device.kill_all()
    with pytest.raises(DeviceUnhealthy):
        await restarting
    assert (await device.check("mv", "honest")).ok


async def test_what_cannot_be_loaded_again_is_named_and_dropped(device: Device, build: Build, tmp_path: Path) -> None:
    artefact = tmp_path / "candidate.so"
    shutil.copy(build("mv", HONEST), artefact)
    await device.load("mv", "head", build("mv", HONEST))
    await device.load("mv", "candidate", artefact)
    artefact.write_bytes(b"no shared object")
    with pytest.raises(LoadFailed) as failure:
        await device.restart("candidate")
    assert failure.value.key == "candidate"
    await device.restart("candidate")
    with pytest.raises(DeviceUnhealthy, match="nothing is loaded"):
        await device.check("mv", "candidate")
    assert (await device.check("mv", "head")).ok


async def test_a_cancelled_request_runs_to_its_end_and_the_next_waits_for_it(device: Device, build: Build) -> None:
    await device.load("mv", "honest", build("mv", HONEST))
    test = await device.begin_test("mv", "honest", "honest")
    cancelled = asyncio.create_task(device.pair(test, "head", 1e6))
    await _begun(device)
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    assert (await device.pair(test, "head", 2e6)).valid
    assert (await device.end_test(test)).facts["pairs"] == 2


async def test_builds_and_readings_share_one_lock(device: Device) -> None:
    async with device.host("build mv"):
        assert device.holder == "build mv"
        waiting = asyncio.create_task(device.round_trip("mv"))
        await _queued(device)
        assert not waiting.done()
    assert await waiting > 0
