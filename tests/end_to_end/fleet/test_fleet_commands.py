"""A device behind a command: the same checks and pairs, a command that is killed, one that is no device."""

import os
import shlex
import signal
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from app.devices import open_devices
from kernels.device.client import Device, DeviceUnhealthy
from kernels.fleet import commands
from kernels.fleet.commands import CommandPlace
from kernels.targets.base import Target, TargetError
from kernels.values.kernel import Pack
from tests.end_to_end.device.tiny import HONEST, SIGNATURE, Build

ROOT = Path(__file__).parents[3]
SERVE = ("env", f"PYTHONPATH={ROOT}", "KERNELWRIGHT_DEVICE=test-command", sys.executable, "-m", "kernels.fleet.serve")
WRONG = SIGNATURE + "{ for (int i = 0; i < M; i++) y[i] = 1.0f; }"


@pytest.fixture
async def place(tiny_pack: Pack, target: Target, tmp_path: Path) -> CommandPlace:
    return await commands.place(SERVE, target, tiny_pack, tmp_path / "said.log")


@pytest.fixture
async def device(place: CommandPlace, tiny_pack: Pack, target: Target, tmp_path: Path) -> AsyncGenerator[Device]:
    made = await Device.start(target, tiny_pack, tmp_path / "cache", place=place)
    yield made
    await made.close()


async def test_it_judges_as_a_device_here_does(device: Device, build: Build) -> None:
    for key, body in (("head", HONEST), ("wrong", WRONG)):
        await device.load("mv", key, build("mv", body))
    assert (await device.check("mv", "head")).ok
    report = await device.check("mv", "wrong")
    assert (report.ok, report.kind) == (False, "wrong_values")
    test = await device.begin_test("mv", "head", "head")
    assert (await device.pair(test, "head", 2e6)).valid
    assert (await device.end_test(test)).ok


async def test_killed_it_says_so_and_comes_back_with_what_was_loaded(device: Device, build: Build) -> None:
    await device.load("mv", "head", build("mv", HONEST))
    link = device._link
    assert isinstance(link, commands.CommandLink)
    os.killpg(link._process.pid, signal.SIGKILL)
    await link._process.wait()
    with pytest.raises(DeviceUnhealthy, match="the command ended"):
        await device.check("mv", "head")
    assert (await device.check("mv", "head")).ok


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("no-such-command",), "No such file"),
        (("sh", "-c", "echo no route to host >&2; exit 255"), "the command ended: no route to host"),
        (("sh", "-c", "echo hello; cat >/dev/null"), "the command ended"),
    ],
)
async def test_what_is_no_device_is_said(words: tuple[str, ...], says: str, tiny_pack: Pack, target: Target,
                                         tmp_path: Path) -> None:  # fmt: skip
    with pytest.raises(TargetError, match=says) as failed:
        await commands.place(words, target, tiny_pack, tmp_path / "said.log")
    assert "device-serve" in str(failed.value)


async def test_the_same_command_twice_is_two_devices(tiny_pack: Pack, target: Target, tmp_path: Path) -> None:
    words = [f"command:{shlex.join(SERVE)}"] * 2
    fleet = await open_devices(words, target, tiny_pack, tmp_path / "cache", epoch_s=240.0)
    try:
        first, second = (use.name for use in fleet.uses())
        assert second == f"{first} #2"
    finally:
        await fleet.close()
