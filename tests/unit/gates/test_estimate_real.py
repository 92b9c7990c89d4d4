"""Gate `estimate` on what the compiler and llvm-mca here make of two sources."""

import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from kernels.gates.base import Subject
from kernels.gates.estimate import EstimateGate
from kernels.profiling.agreement import NEEDED, Point
from kernels.profiling.schedule import CpuScheduler
from kernels.targets.base import TargetError
from kernels.targets.cpu_c.target import CpuC
from kernels.targets.cpu_c.toolchain import SEARCH
from kernels.values.candidate import Candidate
from kernels.values.verdict import GateReport, GateState
from tests.unit.profiling.test_schedule_real import FLAGS, POOL, SCALAR, SERIAL, SPEC

pytestmark = pytest.mark.skipif(
    shutil.which("llvm-mca", path=SEARCH) is None, reason="llvm-mca is not installed (Debian: apt-get install llvm)"
)


class Free:
    @asynccontextmanager
    async def host(self, holder: str) -> AsyncGenerator[None]:
        assert holder
        yield


async def answer(folder: Path, source: str, head: str) -> GateReport:
    """With enough plans that all came out right, for the model that is used here; the head takes what it plans."""
    try:
        target = CpuC(folder / "cache", threads=2)
    except TargetError as error:
        raise pytest.skip.Exception(str(error)) from error
    gate = EstimateGate(lambda: CpuScheduler(replace(target.machine, clock_ghz=2.0)), Free())
    mine, heads = (Candidate("mv", {"kernel.c": text}, flags=FLAGS) for text in (source, head))
    built = {one.id: target.compile(one, SPEC, folder / one.id) for one in (mine, heads)}
    first = await gate.examine(Subject(heads, SPEC, heads, "head", 1e6, folder, artefact=built[heads.id]))
    points = tuple(Point(1.0, 1.0, 1.0, 1.0, False, first.facts["model"]) for _ in range(NEEDED))
    took = first.facts["planned_ns"]
    subject = Subject(mine, SPEC, heads, "head", took, folder, artefact=built[mine.id], points=points, peak_ns=1.0)
    return await gate.examine(subject)


async def test_one_sum_beside_four_on_two_threads_is_refused(tmp_path: Path) -> None:
    found = await answer(tmp_path, SCALAR, POOL)
    assert (found.state, found.kind) == (GateState.REFUSED, "clearly_slower")
    assert found.facts["ratio"] > 2.0


async def test_two_threads_beside_one_go_on(tmp_path: Path) -> None:
    found = await answer(tmp_path, POOL, SERIAL)
    assert found.state is GateState.PASSED
    assert found.facts["ratio"] == pytest.approx(0.5, rel=0.25)
