"""The grader on disk: a change is found before the next evaluation, named, and pauses until it is undone."""

import asyncio
import shutil
from pathlib import Path
from typing import cast

import pytest

from kernels.packs.loader import PackError, load_pack
from kernels.targets.base import Target
from kernels.values.fingerprint import Fingerprint
from kernels.values.kernel import Pack
from kernels.values.verdict import Outcome
from roles.grader import Grader
from roles.latches import ALL
from roles.operator import Operator, Refused
from store import campaigns, reads
from tests.unit.roles.pipeline_rig import Rig, make_rig, variant


class Compiler:
    """A target that is only a compiler and a runner."""

    def __init__(self, folder: Path) -> None:
        self.fingerprint = Fingerprint(str(folder / "cc"), "1", "0", (), "cpu", 1)
        self._runner = folder / "runner"
        for name in ("cc", "runner"):
            (folder / name).write_text(name)

    def runner_binary(self) -> Path:
        return self._runner


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    shutil.copytree(load_pack("axpy_gemv").folder, tmp_path / "axpy_gemv")
    return load_pack(tmp_path / "axpy_gemv")


@pytest.fixture
def target(tmp_path: Path) -> Target:
    return cast(Target, Compiler(tmp_path))


def test_every_kind_of_change_is_named(pack: Pack, target: Target, tmp_path: Path) -> None:
    grader = Grader.at_start(pack, target)
    assert grader.changes() == ()
    (pack.folder / "gemv/reference.py").write_text("def reference(a): return a")
    (pack.folder / "gemv/numpy.py").write_text("zeros = None")
    (pack.folder / "axpy/kernel.toml").unlink()
    (tmp_path / "cc").write_text("another compiler")
    (pack.folder / "gemv/notes.md").write_text("notes decide nothing")
    (pack.folder / "gemv/mine.c").write_text("neither does a candidate")
    assert grader.changes() == (
        f"{tmp_path}/cc changed", "axpy/kernel.toml deleted", "gemv/numpy.py added", "gemv/reference.py changed",
    )  # fmt: skip


def test_the_harness_is_part_of_it_unless_it_is_left_out(pack: Pack, target: Target) -> None:
    names = {grader.name(path) for grader in [Grader.at_start(pack, target)] for path in grader.marks}
    assert {"kernels/device/check.py", "kernels/judge/acceptance.py", "kernels/targets/cpu_c/native/runner.c"} <= names
    assert not {name for name in names if "gemma_decode" in name}
    assert "gemv/baseline.c" in names
    left = Grader.at_start(pack, target, harness=False)
    assert {left.name(path).split("/")[0] for path in left.marks} == {"axpy", "gemv", "pack.toml"}


def test_a_pack_that_changes_before_the_start_is_refused(pack: Pack, target: Target) -> None:
    (pack.folder / "gemv/reference.py").write_text("x")
    with pytest.raises(PackError, match="changed while the campaign was being prepared"):
        Grader.at_start(pack, target)


async def rig_with(tmp_path: Path, pack: Pack, target: Target) -> Rig:
    rig = await make_rig(tmp_path)
    rig.campaign.grader = Grader.at_start(pack, target, harness=False)
    return rig


async def paused(rig: Rig) -> None:
    while not rig.campaign.latches.waiting:  # noqa: ASYNC110
        await asyncio.sleep(0.01)


async def test_a_change_pauses_with_the_names_and_what_is_put_back_goes_on(
    tmp_path: Path, pack: Pack, target: Target
) -> None:
    rig = await rig_with(tmp_path, pack, target)
    file, better = pack.folder / "gemv/reference.py", variant("int better;")
    before = file.read_text()
    rig.device.ratio[better.id] = 1.3
    file.write_text("def reference(a): return {}")
    attempt = asyncio.create_task(rig.judge(better))
    await paused(rig)
    assert rig.device.pairs == 0
    assert rig.read(lambda s: campaigns.get(s, 1).state) == "paused"
    (told,) = [e for e in rig.read(lambda s: reads.events(s, 1)) if e.kind == "grader_changed"]
    assert "gemv/reference.py changed" in told.text
    assert any("gemv/reference.py changed" in line for line in rig.read(lambda s: reads.overview(s, 1)).attention)

    operator = Operator(rig.campaign, cast("object", None), cast("object", None))  # ty: ignore[invalid-argument-type]
    with pytest.raises(Refused, match=r"reference\.py changed"):
        await operator._resume(ALL, {})
    file.write_text(before)
    await operator._resume(ALL, {})
    assert (await attempt).outcome is Outcome.KEEP
    assert rig.read(lambda s: campaigns.get(s, 1).state) == "running"


async def test_a_change_in_mid_test_stops_before_the_confirmation_and_promotes_nothing(
    tmp_path: Path, pack: Pack, target: Target
) -> None:
    rig = await rig_with(tmp_path, pack, target)
    better = variant("int better;")
    rig.device.ratio[better.id] = 1.3

    def edit(_: str) -> None:
        (pack.folder / "gemv/kernel.toml").write_text("x")

    rig.device.on_pair = edit
    attempt = asyncio.create_task(rig.judge(better))
    await paused(rig)
    assert rig.read(lambda s: [t.kind for t in reads.tests(s, 1)]) == ["acceptance"]
    rig.campaign.request_stop("enough")
    await rig.campaign.latches.open(ALL)
    result = await attempt
    assert (result.outcome, "kernel.toml changed" in result.reason) == (Outcome.INVALID, True)
