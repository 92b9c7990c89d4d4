"""The schedule of what the compiler here makes of a source, by the llvm-mca here."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from kernels.profiling.loops import innermost
from kernels.profiling.mca import Mca, NoEstimate, find_mca
from kernels.profiling.planning import plan
from kernels.profiling.schedule import CpuScheduler, Schedule
from kernels.targets.base import TargetError
from kernels.targets.cpu_c.target import CpuC
from kernels.targets.cpu_c.toolchain import SEARCH
from kernels.values.candidate import Candidate
from kernels.values.kernel import Argument, KernelSpec, Tolerance
from kernels.values.machine import Machine
from tests.unit.profiling.assembly import DOT, function

ROWS, COLUMNS = 256, 4096
FLAGS = ("-O2", "-march=x86-64-v3", "-ffast-math")
PLAIN = Machine("AMD or not", "x86_64", frozenset({"avx2", "fma"}), 2, clock_ghz=2.0)
needs_mca = pytest.mark.skipif(
    shutil.which("llvm-mca", path=SEARCH) is None, reason="llvm-mca is not installed (Debian: apt-get install llvm)"
)

HEADER = """#include "kernelwright.h"
typedef float lane __attribute__((vector_size(32), aligned(4), may_alias));
"""
DOT_OF_A_ROW = """
static float dot(const float *w, const float *x) {
    lane a = {0}, b = {0}, c = {0}, d = {0};
    for (int i = 0; i < 4096; i += 32) {
        a += *(const lane *)(w + i) * *(const lane *)(x + i);
        b += *(const lane *)(w + i + 8) * *(const lane *)(x + i + 8);
        c += *(const lane *)(w + i + 16) * *(const lane *)(x + i + 16);
        d += *(const lane *)(w + i + 24) * *(const lane *)(x + i + 24);
    }
    lane s = a + b + c + d;
    return s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7];
}
"""
SERIAL = HEADER + DOT_OF_A_ROW + """
void mv(const float *W, const float *x, float *y) { for (int r = 0; r < 256; r++) y[r] = dot(W + r * 4096, x); }
"""  # fmt: skip
POOL = HEADER + DOT_OF_A_ROW + """
struct job { const float *W, *x; float *y; };
static void rows(void *context, int64_t begin, int64_t end, int thread) {
    const struct job *job = context;
    for (int64_t r = begin; r < end; r++) job->y[r] = dot(job->W + r * 4096, job->x);
}
void mv(const float *W, const float *x, float *y) {
    struct job job = {W, x, y};
    kw_parallel_for(256, 16, rows, &job);
}
"""  # fmt: skip
SCALAR = HEADER + """
void mv(const float *W, const float *x, float *y) {
    for (int r = 0; r < 256; r++) {
        float s = 0;
        for (int i = 0; i < 4096; i++) s += W[r * 4096 + i] * x[i];
        y[r] = s;
    }
}
"""  # fmt: skip
CALLS = HEADER + """
#include <math.h>
void mv(const float *W, const float *x, float *y) {
    for (int r = 0; r < 256; r++) {
        float s = 0;
        for (int i = 0; i < 4096; i++) s += tanf(W[r * 4096 + i]) * x[i];
        y[r] = s;
    }
}
"""  # fmt: skip
SPEC = KernelSpec(
    "kit", "mv", "mv", "y = W x",
    (Argument("W", "f32", (ROWS, COLUMNS), "weight"), Argument("x", "f32", (COLUMNS,), "input"),
     Argument("y", "f32", (ROWS,), "output")),
    {"y": Tolerance(1e-4, 1e-4)}, (), ("random",), Path(),
)  # fmt: skip
Scheduled = Callable[[str], Schedule]


@pytest.fixture(scope="module")
def scheduled(tmp_path_factory: pytest.TempPathFactory) -> Scheduled:
    folder = tmp_path_factory.mktemp("schedules")
    try:
        target = CpuC(folder / "cache", threads=2)
    except TargetError as error:
        raise pytest.skip.Exception(str(error)) from error
    scheduler = CpuScheduler(replace(target.machine, clock_ghz=2.0))

    def of(source: str) -> Schedule:
        candidate = Candidate("mv", {"kernel.c": source}, flags=FLAGS)
        return scheduler.schedule(target.compile(candidate, SPEC, folder / candidate.id), SPEC)

    return of


@needs_mca
def test_bytes_and_cycles_of_a_known_loop(scheduled: Scheduled) -> None:
    (loop,) = scheduled(SERIAL).loops
    assert (loop.bytes, loop.threads, loop.serial) == (4 * 32, 1, False)
    assert 4.0 <= loop.cycles < 8.0  # eight loads at two a cycle, four sums of latency 4


@needs_mca
def test_rows_of_the_pool_run_on_its_threads(scheduled: Scheduled) -> None:
    (alone,), (shared,) = scheduled(SERIAL).loops, scheduled(POOL).loops
    assert (shared.bytes, shared.threads) == (128, 2)
    assert shared.cycles_per_byte == pytest.approx(alone.cycles_per_byte / 2, rel=0.25)


@needs_mca
def test_one_sum_is_planned_slower_than_four(scheduled: Scheduled) -> None:
    one, four = scheduled(SCALAR), scheduled(SERIAL)
    assert plan(one, SPEC, None).ns > 1.5 * plan(four, SPEC, None).ns


@needs_mca
def test_the_plan_is_the_slower_of_memory_and_cycles(scheduled: Scheduled) -> None:
    found = scheduled(SERIAL)
    compute = found.compute_ns(SPEC.bytes_moved)
    assert compute == pytest.approx(SPEC.bytes_moved / 128 * found.loops[0].cycles / 2.0)
    fast, slow = plan(found, SPEC, compute / 2), plan(found, SPEC, compute * 2)
    assert (fast.ns, fast.at_the_wall) == (compute, False)
    assert (slow.ns, slow.at_the_wall) == (2 * compute, True)


@needs_mca
def test_a_hot_loop_that_calls_has_no_estimate(scheduled: Scheduled) -> None:
    with pytest.raises(NoEstimate, match="calls a function"):
        scheduled(CALLS)


@needs_mca
def test_text_that_is_no_code_is_said_to_be_unreadable(tmp_path: Path) -> None:
    found = find_mca(PLAIN, tmp_path)
    (loop,) = innermost(function(DOT.replace("vmovups (%rdi,%rax,1),%zmm1", "frobnicate (%rdi,%rax,1),%zmm1")))
    with pytest.raises(NoEstimate, match=r"cannot read.*invalid instruction mnemonic"):
        found.cycles([loop.body], tmp_path)


@needs_mca
def test_the_model_has_the_vectors_of_the_machine(tmp_path: Path) -> None:
    wide = replace(PLAIN, cpu_flags=frozenset({"avx2", "avx512f", "fma"}))
    (loop,) = innermost(function(DOT))
    assert find_mca(wide, tmp_path).cycles([loop.body], tmp_path)[0] >= 4.0  # one sum of latency 4


@needs_mca
def test_an_unknown_model_does_not_fit(tmp_path: Path) -> None:
    known = find_mca(PLAIN, tmp_path)
    assert not Mca(known.tool, "zx81", ()).fits(PLAIN, tmp_path)


@needs_mca
def test_a_build_is_found_again_in_its_folder(tmp_path: Path) -> None:
    try:
        target = CpuC(tmp_path / "cache")
    except TargetError as error:
        raise pytest.skip.Exception(str(error)) from error
    scheduler = CpuScheduler(replace(target.machine, clock_ghz=2.0))
    assert scheduler.built_in(tmp_path / "one") is None
    built = target.compile(Candidate("mv", {"kernel.c": SERIAL}, flags=FLAGS), SPEC, tmp_path / "one")
    found = scheduler.built_in(tmp_path / "one")
    assert found is not None
    assert scheduler.schedule(found, SPEC) == scheduler.schedule(built, SPEC)


def test_without_the_tool_there_is_no_estimate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernels.targets.cpu_c.toolchain.SEARCH", str(tmp_path))
    with pytest.raises(NoEstimate, match="llvm-mca is missing"):
        find_mca(PLAIN, tmp_path)


def test_other_machine_code_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(NoEstimate, match="aarch64"):
        find_mca(replace(PLAIN, architecture="aarch64"), tmp_path)
