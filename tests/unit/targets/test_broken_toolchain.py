"""A toolchain that breaks while a campaign runs is nobody's compile error."""

from dataclasses import replace
from pathlib import Path

import pytest

from kernels.device.report import DeviceUnhealthy
from kernels.gates.base import Subject
from kernels.gates.compile import CompileGate
from kernels.targets.base import CompileFailed, TargetError
from kernels.targets.cpu_c.target import CpuC
from tests.unit.gates.test_compile_gate import Machine
from tests.unit.targets.kit import candidate, spec_of


@pytest.fixture
def broken(target: CpuC, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CpuC:
    """Its compiler is gone."""
    monkeypatch.setattr(target, "_compiler", replace(target._compiler, path=tmp_path / "gcc-was-here"))
    return target


def test_a_compiler_that_is_gone_is_the_toolchain_s_fault(broken: CpuC, tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="gcc-was-here: it builds nothing any more"):
        broken.compile(candidate(), spec_of(), tmp_path)


async def test_the_gate_binds_nobody_then(broken: CpuC, tmp_path: Path) -> None:
    made = candidate()
    subject = Subject(made, spec_of(), made, "head", 1e6, tmp_path / "work")
    with pytest.raises(DeviceUnhealthy, match="it builds nothing any more"):
        await CompileGate(broken, Machine(tmp_path / "machine.lock")).examine(subject)


def test_what_a_source_prints_proves_nothing(target: CpuC, tmp_path: Path) -> None:
    forged = "gcc: fatal error: cannot execute 'cc1': execvp: No such file or directory"
    target._compiler.refuse_broken(forged)
    with pytest.raises(CompileFailed, match="cannot execute"):
        target.compile(candidate(f'_Pragma("GCC error \\"{forged}\\"")'), spec_of(), tmp_path)
