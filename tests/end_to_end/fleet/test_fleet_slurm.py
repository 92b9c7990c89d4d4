"""A device that a job of Slurm holds: judged there, the resource is held meanwhile and free afterwards."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from kernels.device.client import Device
from kernels.fleet import commands
from kernels.fleet.words import SRUN
from kernels.targets.base import Target
from kernels.values.kernel import Pack
from tests.end_to_end.device.tiny import HONEST, Build
from tests.end_to_end.fleet.slurm_daemons import Slurm, missing

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(bool(missing()), reason=f"Slurm is not installed: {', '.join(missing())}"),
    pytest.mark.skipif(os.geteuid() != 0, reason="Slurm's daemons are started as root here"),
]
ROOT = Path(__file__).parents[3]


@pytest.fixture
def slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Slurm]:
    folder = tmp_path / "slurm"
    folder.mkdir()
    made = Slurm(folder, control=26817, work=26818)
    monkeypatch.setenv("SLURM_CONF", made.environment["SLURM_CONF"])
    try:
        made.start()
        yield made
    finally:
        made.stop()


def jobs(slurm: Slurm) -> str:
    words = ["squeue", "--noheader", "--format=%T %b %W"]
    return subprocess.run(words, env=slurm.environment, capture_output=True, text=True, check=True).stdout.strip()


async def freed(slurm: Slurm) -> bool:
    """Whether no job runs any more, and none is left once Slurm has cleared away what completes."""
    if "RUNNING" in jobs(slurm):
        return False
    for _ in range(300):
        if not jobs(slurm):
            return True
        await asyncio.sleep(0.1)
    return False


async def test_a_job_holds_the_device_for_as_long_as_it_is_used(
    slurm: Slurm,
    tiny_pack: Pack,
    target: Target,
    build: Build,
    tmp_path: Path,
) -> None:
    serve = ("env", f"PYTHONPATH={ROOT}", "KERNELWRIGHT_DEVICE=test-slurm", sys.executable, "-m", "kernels.fleet.serve")
    words = (*SRUN, "--gres=chip:1", "--licenses=seat:1", *serve)
    place = await commands.place(words, target, tiny_pack, tmp_path / "said.log")
    assert await freed(slurm)
    device = await Device.start(target, tiny_pack, tmp_path / "cache", place=place)
    assert jobs(slurm) == "RUNNING gres:chip:1 seat:1"
    await device.load("mv", "head", build("mv", HONEST))
    assert (await device.check("mv", "head")).ok
    test = await device.begin_test("mv", "head", "head")
    assert (await device.pair(test, "head", 2e6)).valid
    await device.close()
    assert await freed(slurm)
