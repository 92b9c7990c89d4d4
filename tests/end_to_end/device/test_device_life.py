"""Life and death of the referee: kills, cancellation, the engine's end."""

import asyncio
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from kernels.device.client import Device, DeviceUnhealthy
from kernels.device.link import descendants
from kernels.targets.base import Target
from kernels.values.kernel import Pack
from tests.end_to_end.device.tiny import HONEST, SIGNATURE, Build

SLOW = SIGNATURE + "{ honest(W, b, x, y); for (volatile long i = 0; i < 200000000; i++); }"
ENGINE = """
import asyncio, sys
from pathlib import Path
from kernels.device.client import Device
from kernels.device.link import descendants
from kernels.packs.loader import load_pack
from kernels.targets.registry import get_target
import os

async def main(pack, cache, artefact):
    device = await Device.start(get_target("cpu-c", Path(cache)), load_pack(pack), Path(cache) / "engine")
    await device.load("mv", "honest", Path(artefact))
    print(*descendants(os.getpid()), flush=True)
    await asyncio.sleep(60)

asyncio.run(main(*sys.argv[1:]))
"""


def _alive(pid: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1][:3]
    except OSError:
        return False


async def _gone(pids: list[int], seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
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
    pids = descendants(os.getpid())
    running = asyncio.create_task(device.check("mv", "slow"))
    await asyncio.sleep(0.3)
    start = time.monotonic()
    await device.kill_all()
    with pytest.raises(DeviceUnhealthy):
        await running
    assert time.monotonic() - start < 2.0
    assert await _gone(pids)
    assert (await device.check("mv", "honest")).ok


async def test_a_referee_that_dies_is_started_again(device: Device, build: Build) -> None:
    await device.load("mv", "honest", build("mv", HONEST))
    referee = next(pid for pid in descendants(os.getpid()) if b"referee" in Path(f"/proc/{pid}/cmdline").read_bytes())
    os.kill(referee, signal.SIGKILL)
    assert await _gone([referee])
    assert (await device.health()).ok
    assert (await device.check("mv", "honest")).ok


async def test_a_cancelled_request_runs_to_its_end_and_the_next_waits_for_it(device: Device, build: Build) -> None:
    await device.load("mv", "honest", build("mv", HONEST))
    test = await device.begin_test("mv", "honest", "honest")
    cancelled = asyncio.create_task(device.pair(test, "head", 1e6))
    await asyncio.sleep(0.05)
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    assert (await device.pair(test, "head", 2e6)).valid
    assert (await device.end_test(test)).facts["pairs"] == 2


async def test_builds_and_readings_share_one_lock(device: Device) -> None:
    async with device.host("build mv"):
        assert device.holder == "build mv"
        waiting = asyncio.create_task(device.round_trip("mv"))
        await asyncio.sleep(0.05)
        assert not waiting.done()
    assert await waiting > 0
