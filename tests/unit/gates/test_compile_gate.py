"""Gate `compile`: refusals name the cause; a build holds the machine to its own end."""

import asyncio
import threading
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest

from kernels.device.hostlock import HostLock
from kernels.gates.base import Subject
from kernels.gates.compile import CompileGate
from kernels.packs.loader import baseline, load_pack
from kernels.targets.base import Artefact, CompileFailed, Target
from kernels.values.verdict import GateState


@dataclass
class ScriptedTarget:
    """Builds when it is let go, with this machine code; or fails."""

    code: str = "new"
    failure: CompileFailed | None = None
    started: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event = field(default_factory=threading.Event)

    def compile(self, *_: object) -> Artefact:
        self.started.set()
        self.go_on.wait(10)
        if self.failure is not None:
            raise self.failure
        return Artefact(Path("/nowhere.so"), self.code, 0.1)


class Machine:
    def __init__(self, path: Path) -> None:
        self.lock = HostLock(path)

    def host(self, holder: str) -> AbstractAsyncContextManager[None]:
        return self.lock.hold(holder)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "machine.lock")


@pytest.fixture
def subject(tmp_path: Path) -> Subject:
    spec = load_pack("axpy_gemv").kernel("gemv")
    first = baseline(spec)
    return Subject(first, spec, first, "head", 1e6, tmp_path / "build", head_machine_code="old")


def gate(target: ScriptedTarget, machine: Machine, *, blocks: bool = False) -> CompileGate:
    if not blocks:
        target.go_on.set()
    return CompileGate(cast(Target, target), machine)


async def test_a_build_passes_with_its_facts(machine: Machine, subject: Subject) -> None:
    report = await gate(ScriptedTarget(), machine).examine(subject)
    assert (report.state, report.facts["machine_code"]) == (GateState.PASSED, "new")
    assert subject.artefact is not None


async def test_a_failure_of_the_compiler_is_a_refusal_with_its_root_cause(machine: Machine, subject: Subject) -> None:
    failure = CompileFailed("compile_error", "expected ;", "line 3: error: expected ;")
    report = await gate(ScriptedTarget(failure=failure), machine).examine(subject)
    assert (report.state, report.kind, report.reason) == (GateState.REFUSED, "compile_error", "expected ;")
    assert machine.lock.holder == ""


async def test_the_heads_machine_code_is_refused(machine: Machine, subject: Subject) -> None:
    report = await gate(ScriptedTarget(code="old"), machine).examine(subject)
    assert (report.state, report.kind) == (GateState.REFUSED, "unchanged_code")


async def test_a_cancelled_gate_keeps_readings_away_until_the_compiler_has_ended(
    machine: Machine, subject: Subject
) -> None:
    target = ScriptedTarget()
    examining = asyncio.create_task(gate(target, machine, blocks=True).examine(subject))
    await asyncio.to_thread(target.started.wait, 10)
    examining.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(examining, 60)
    assert machine.lock.holder == "build gemv"
    target.go_on.set()
    async with asyncio.timeout(5):
        async with machine.host("pair"):
            assert machine.lock.holder == "pair"


async def test_what_is_done_with_a_build_is_done_while_the_machine_is_held(machine: Machine, subject: Subject) -> None:
    holders: list[str] = []
    target = ScriptedTarget()
    target.go_on.set()
    also = CompileGate(cast(Target, target), machine, lambda *_: holders.append(machine.lock.holder))
    assert (await also.examine(subject)).state is GateState.PASSED
    assert holders == ["build gemv"]
    target.failure = CompileFailed("compile_error", "no")
    assert (await also.examine(subject)).state is GateState.REFUSED
    assert len(holders) == 1
