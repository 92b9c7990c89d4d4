"""OpenCL on PoCL: what runs, in which confinement, and what a hostile kernel meets there."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from kernels.device.arena import Arena
from kernels.device.bench import Bench
from kernels.device.calls import Caller
from kernels.device.contender import Contender, Launch
from kernels.device.layout import Layout
from kernels.device.strict import answering
from kernels.sandbox.processes import filters_of
from kernels.sandbox.runner import Limits, RunnerFailed
from kernels.targets.base import CompileFailed, TargetError
from kernels.targets.cpu_c.object_scan import Scan
from kernels.targets.opencl import target as module
from kernels.targets.opencl.target import OpenCl
from kernels.values.candidate import Candidate
from tests.unit.targets.kit import spec_of

pytestmark = pytest.mark.device
SOURCE = """#include "kernelwright.h"

__kernel void mv(__global const float *W, __global const float *x, float scale, __global float *y) {
    int row = get_global_id(0);
    float sum = 0.0f;
    for (int column = 0; column < 64; column++) sum += W[row * 64 + column] * x[column];
    y[row] = sum * scale;
}

KW_LAUNCH(mv, 8, 4);
"""
TWO = """#include "kernelwright.h"

__kernel void scaled(__global const float *W, __global const float *x, float scale, __global float *y,
                     __global float *t) {
    int column = get_global_id(0);
    t[column] = x[column] * scale;
}

__kernel void mv(__global const float *W, __global const float *x, float scale, __global float *y, __global float *t) {
    __local float part[8];
    int row = get_group_id(0), item = get_local_id(0);
    float sum = 0.0f;
    for (int column = item; column < 64; column += 8) sum += W[row * 64 + column] * t[column];
    part[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) y[row] = part[0] + part[1] + part[2] + part[3] + part[4] + part[5] + part[6] + part[7];
}

KW_SCRATCH(t, 64 * 4);
KW_LAUNCH(scaled, 64, 16);
KW_LAUNCH(mv, 64, 8);
"""
VALUES = {
    "W": np.arange(512, dtype=np.float32).reshape(8, 64) / 512, "x": np.linspace(-1, 1, 64, dtype=np.float32),
    "scale": np.array(2.0, dtype=np.float32),
}  # fmt: skip


def by_hand(call: int) -> str:
    """A system call: nothing but the filter stands in the way."""
    return f'__asm__ volatile("movl ${call}, %%eax\\n syscall" ::: "rax", "rcx", "r11", "memory");'


@pytest.fixture(scope="module")
def opencl(tmp_path_factory: pytest.TempPathFactory) -> OpenCl:
    try:
        return OpenCl(tmp_path_factory.mktemp("cache"))
    except TargetError as error:
        raise pytest.skip.Exception(str(error)) from error


def candidate(source: str) -> Candidate:
    return Candidate("mv", {"kernel.cl": source}, "kernel.cl", "opencl")


@contextmanager
def called(opencl: OpenCl, source: str, folder: Path) -> Generator[Caller]:
    spec = spec_of()
    artefact = opencl.compile(candidate(source), spec, folder / "build").path
    arena, layout = Arena(folder / "memory"), Layout(spec, 1)
    weights = arena.allocate("weights", layout.weights_size)
    launch = Launch(opencl.starter().make(), opencl.machine.threads, Limits())
    one = Contender("one", spec, artefact, Bench(arena, layout), weights.reader_fd, launch)
    try:
        yield Caller(one, np.random.default_rng(0), 5.0)
    finally:
        one.close()
        weights.close()
        arena.close()


def test_launches_follow_each_other_and_share_scratch_memory(opencl: OpenCl, tmp_path: Path) -> None:
    artefact = opencl.compile(candidate(TWO), spec_of(), tmp_path / "build").path
    with answering(opencl, spec_of(), artefact, tmp_path / "memory", "two launches") as answers:
        got = [answers.outputs(VALUES)["y"] for _ in range(2)]
    right = VALUES["W"].astype(np.float64) @ VALUES["x"] * 2.0
    np.testing.assert_allclose(got, [right, right], rtol=1e-5, atol=1e-5)


def test_a_call_runs_behind_two_filters_with_its_own_clock(opencl: OpenCl, tmp_path: Path) -> None:
    with called(opencl, SOURCE, tmp_path) as caller:
        call = caller.bare(caller.place(0))
        runner = caller.contender.runner
        assert runner.level == "bwrap+seccomp"
        assert filters_of(runner.pid) is None or filters_of(runner.pid) == 2
        assert caller.contender.clock == "the events of OpenCL"
        assert 0 < call.own_ns < call.elapsed_ns


@pytest.mark.parametrize(
    ("change", "kind", "why"),
    [
        ("sum * scale", "compile_error", "kernel.cl"),
        ("KW_LAUNCH(mv", "compile_error", "no __kernel function has that name"),
    ],
)
def test_what_does_not_build_says_why(opencl: OpenCl, tmp_path: Path, change: str, kind: str, why: str) -> None:
    source = SOURCE.replace(change, "sums * scale" if "sum" in change else "KW_LAUNCH(other")
    with pytest.raises(CompileFailed, match=why) as caught:
        opencl.compile(candidate(source), spec_of(), tmp_path)
    assert caught.value.kind == kind


@pytest.mark.long
@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ('__asm__ volatile("syscall");', "contains the instruction syscall"),
        ("y[row] = __builtin_ia32_rdtsc();", "contains the instruction rdtsc"),
        ('printf("%f", sum);', "prints"),
    ],
)
def test_the_object_is_looked_through(opencl: OpenCl, tmp_path: Path, statement: str, why: str) -> None:
    with pytest.raises(CompileFailed, match=why) as caught:
        opencl.compile(candidate(SOURCE.replace("y[row] =", f"{statement} y[row] =")), spec_of(), tmp_path)
    assert caught.value.kind == "object_scan"


@pytest.mark.long
@pytest.mark.parametrize(
    ("statement", "kind", "why"),
    [
        (by_hand(39), "forbidden_call", "getpid"),
        (by_hand(257), "forbidden_call", "openat"),
        (by_hand(41), "forbidden_call", "socket"),
        ("((__global float *)W)[row] = 1.0f;", "crash", "write at segment 0"),
        ("((__global float *)x)[row] = 1.0f;", "crash", "write at segment 1"),
        ("y[row - (1 << 12)] = 1.0f;", "crash", "write"),
        ("*(__global int *)8 = 1;", "crash", "null pointer"),
        ("for (volatile int i = 0;; i++) y[0] = i;", "hang", "no answer within"),
    ],
)  # fmt: skip
def test_a_hostile_kernel_reaches_nothing(
    opencl: OpenCl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str, kind: str, why: str
) -> None:
    monkeypatch.setattr(module, "scan", lambda path: Scan((), ()))
    with (
        called(opencl, SOURCE.replace("y[row] =", f"{statement} y[row] ="), tmp_path) as caller,
        pytest.raises(RunnerFailed, match=why) as caught,
    ):
        for _ in range(3):
            caller.bare(caller.place(0))
    assert caught.value.kind == kind
