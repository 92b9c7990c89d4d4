"""A fleet of two devices behind a cluster: pinned pairs, a worker that is killed in mid-pair, nothing lost."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest

from kernels.device.client import Device, DeviceUnhealthy
from kernels.fleet import cluster
from kernels.fleet.fleet import Fleet
from kernels.targets.base import Target, TargetError
from kernels.values.kernel import Pack
from tests.end_to_end.device.tiny import HONEST, SIGNATURE, Build

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

WRONG = SIGNATURE + "{ for (int i = 0; i < M; i++) y[i] = 1.0f; }"


class Cluster:
    """A scheduler and workers with one abstract device each, as processes of their own on this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[str]] = []
        words = ("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.address = self._started(words, r"Scheduler at:\s+(tcp://\S+)", "scheduler")

    def worker(self, name: str) -> subprocess.Popen[str]:
        words = ("worker", self.address, "--no-nanny", "--nthreads", "1", "--name", name, "--resources", "device=1",
                 "--no-dashboard", "--local-directory", str(self.folder))  # fmt: skip
        self._started(words, r"Registered to:\s+(tcp://\S+)", name)
        return self.processes[-1]

    def _started(self, words: tuple[str, ...], says: str, name: str) -> str:
        env = {**os.environ, "KERNELWRIGHT_DEVICE": f"test-{os.getpid()}-{name}"}
        process = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]], stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, env=env, start_new_session=True,
        )  # fmt: skip
        self.processes.append(process)
        assert process.stderr is not None
        for line in process.stderr:
            if found := re.search(says, line):
                return str(found[1])
        raise AssertionError(f"{name} did not start")

    def stop(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            assert process.stderr is not None
            process.stderr.close()


@pytest.fixture
def two(tmp_path: Path) -> Generator[Cluster]:
    made = Cluster(tmp_path)
    try:
        for name in ("one", "two"):
            made.worker(name)
        yield made
    finally:
        made.stop()


@pytest.fixture
async def fleet(two: Cluster, tiny_pack: Pack, target: Target, tmp_path: Path) -> AsyncGenerator[Fleet]:
    client = await cluster.connect(two.address)
    places = await cluster.places(client, target, tiny_pack)
    devices = [await Device.start(target, tiny_pack, tmp_path / place.name, place=place) for place in places]
    made = Fleet(devices, client.close)
    yield made
    await made.close()


async def _pairs(fleet: Fleet, candidate: str, count: int) -> int:
    """Valid pairs of one test."""
    test = await fleet.begin_test("mv", "head", candidate)
    valid = [(await fleet.pair(test, "head", 2e6)).valid for _ in range(count)]
    assert (await fleet.end_test(test)).ok
    return sum(valid)


async def test_two_devices_share_the_work_and_a_dead_one_binds_nobody(fleet: Fleet, two: Cluster, build: Build) -> None:
    await fleet.load("mv", "head", build("mv", HONEST))
    await fleet.load("mv", "twin", build("mv", HONEST))
    assert (await fleet.check("mv", "twin")).ok
    homes = {member.name: set(member.homes) for member in fleet.members}
    assert homes == {"one": {"head"}, "two": {"twin"}}
    await fleet.load("mv", "wrong", build("mv", WRONG))
    report = await fleet.check("mv", "wrong")
    assert (report.ok, report.kind) == (False, "wrong_values")
    assert await _pairs(fleet, "twin", 3) == 3
    assert fleet.members[1].homes >= {"twin", "head"}

    test = await fleet.begin_test("mv", "head", "twin")
    assert (await fleet.pair(test, "head", 2e6)).valid
    under_way = asyncio.ensure_future(fleet.pair(test, "candidate", 2e6))
    await asyncio.sleep(0)
    two.processes[2].send_signal(signal.SIGKILL)
    with pytest.raises(DeviceUnhealthy, match="two"):
        await under_way
    dead = fleet.members[1]
    assert not dead.well and dead.unhealthy_since is not None and "canary" in dead.why
    assert await _pairs(fleet, "twin", 2) == 2
    assert fleet.members[0].homes >= {"twin", "head"} and not dead.homes


async def test_who_is_not_there_or_of_another_kind_is_said(
    tiny_pack: Pack, target: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT_S", 0.5)
    with pytest.raises(TargetError, match=r"no scheduler answers there .*device-scheduler"):
        await cluster.connect("tcp://127.0.0.1:1")
    made = Cluster(tmp_path)
    try:
        monkeypatch.undo()
        client = await cluster.connect(made.address)
        with pytest.raises(TargetError, match=r"0 workers, none with a device.*device-worker"):
            await cluster.places(client, target, tiny_pack)
        made.worker("other")

        class Elsewhere:
            name = target.name
            fingerprint = type("Print", (), {"id": "abc", "device": "another chip"})()

        with pytest.raises(TargetError, match=r"device other at .*here: another chip, abc.*never pooled"):
            await cluster.places(client, Elsewhere(), tiny_pack)  # ty: ignore[invalid-argument-type]
        await client.close()
    finally:
        made.stop()
