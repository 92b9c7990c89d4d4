"""What lies in reach of a candidate's process: a word that stands in the engine's environment and folders does not."""

import os
from pathlib import Path

import pytest

from kernels.device.client import Device
from kernels.sandbox.processes import descendants_of
from kernels.targets.base import Target
from kernels.values.kernel import Pack
from tests.end_to_end.device.tiny import HONEST, Build

CANARY = "canary-5f1d0c"
TOLD = ("cmdline", "environ", "maps", "mountinfo")


def _told(pid: int) -> str:
    """All that the process can read of itself, names of its open files included."""
    place = Path(f"/proc/{pid}")
    words = [(place / name).read_bytes().replace(b"\0", b" ").decode(errors="replace") for name in TOLD]
    words += [str(link.readlink()) for link in (place / "fd").iterdir()]
    return "\n".join([*words, str((place / "cwd").readlink())])


def _runners() -> list[int]:
    """Their command line begins with the place of the runner inside its own file system."""
    lines = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in descendants_of(os.getpid())}
    return [pid for pid, line in lines.items() if line.startswith(b"/kw/runner")]


async def test_neither_secrets_nor_folders_of_the_engine_are_in_reach(
    tiny_pack: Pack, target: Target, build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KERNELWRIGHT_CANARY", CANARY)
    home = tmp_path / CANARY
    device = await Device.start(target, tiny_pack, home)
    try:
        await device.load("mv", "honest", build("mv", HONEST))
        assert (await device.check("mv", "honest")).ok
        if (await device.health()).facts["level"] != "bwrap+seccomp":
            raise pytest.skip.Exception("without bubblewrap a candidate keeps seeing the file system")
        found = _runners()
        assert found
        for pid in found:
            assert CANARY not in _told(pid)
            assert not (Path(f"/proc/{pid}/root") / str(home).lstrip("/")).exists()
    finally:
        await device.close()
