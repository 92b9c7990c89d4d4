"""What the CUDA runner does around a call, over a driver of the tests that has no GPU: copies, guards, clocks, faults.

That the real driver behaves as this one is not shown here: there is no GPU on the machines that run these tests.
"""

import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from kernels.device.arena import Arena
from kernels.device.bench import Bench
from kernels.device.calls import Caller
from kernels.device.client import Device
from kernels.device.clocks import disagreement
from kernels.device.contender import Contender, Launch
from kernels.device.layout import Layout
from kernels.packs.loader import baseline, load_pack
from kernels.sandbox.launch import best_launcher
from kernels.sandbox.processes import filters_of
from kernels.sandbox.runner import Limits, RunnerFailed
from kernels.targets.base import CompileFailed, TargetError
from kernels.targets.cpu_c.toolchain import find_compiler
from kernels.targets.cuda import gpu
from kernels.targets.cuda.container import packed
from kernels.targets.cuda.cublas import NoGemm, Sizes, timed
from kernels.targets.cuda.harness import DESCRIBE, GEMM, NATIVE, RUNNER, built
from kernels.targets.cuda.plugin import PLUGIN
from kernels.targets.cuda.probes import prototype
from kernels.targets.cuda.starter import LEVEL, CudaRunner, CudaStarter
from kernels.targets.cuda.target import Cuda
from kernels.targets.opencl.launches import Launch as OneLaunch
from kernels.targets.opencl.launches import Plan, Scratch
from tests.contract.kit import small_pack
from tests.unit.targets.kit import spec_of

GEMV = load_pack("axpy_gemv").kernel("gemv")
DRIVER = Path(__file__).parent / "cuda_driver" / "driver.c"
W = np.arange(512, dtype=np.float32).reshape(8, 64) / 512
X = np.linspace(-1, 1, 64, dtype=np.float32)


@pytest.fixture(scope="module")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Generator[CudaStarter]:
    """The library lies where a process of nobody's may read it."""
    if best_launcher().level != LEVEL:
        raise pytest.skip.Exception(f"CUDA candidates run at level {LEVEL} only, here it is {best_launcher().level}")
    try:
        compiler = find_compiler()
    except TargetError as error:
        raise pytest.skip.Exception(str(error)) from error
    with TemporaryDirectory(prefix="kw-cuda-driver-") as name:
        Path(name).chmod(0o755)
        library = Path(name) / "libcuda.so.1"
        words = [compiler.path, "-O1", "-shared", "-fPIC", "-fvisibility=hidden", DRIVER, "-o", library]
        subprocess.run(words, check=True)
        cache = tmp_path_factory.mktemp("harness")
        runner, describe = (built(program, compiler, cache, str(library)) for program in (RUNNER, DESCRIBE))
        yield CudaStarter(str(runner), str(describe), [str(library)], ["/dev/full"], {"CUDA_VISIBLE_DEVICES": "0"})


@contextmanager
def called(
    starter: CudaStarter, function: str, folder: Path, scratches: tuple[Scratch, ...] = (), *, profile: bool = False
) -> Generator[tuple[Caller, Bench]]:
    """A caller of one launch of a "kernel" of the driver, and its memory, with values in it."""
    spec, artefact = spec_of(), folder / "candidate.cup"
    artefact.write_bytes(packed([(spec, Plan((OneLaunch(function, 8, 4, 1024),), scratches))], b"no cubin"))
    arena, layout = Arena(folder / "memory"), Layout(spec, 1)
    weights, bench = arena.allocate("weights", layout.weights_size), Bench(arena, layout)
    weights.bytes[: W.nbytes] = W.reshape(-1).view(np.uint8)
    one = Contender("one", spec, artefact, bench, weights.reader_fd, Launch(starter, 1, Limits(), profile))
    try:
        yield Caller(one, np.random.default_rng(0), 1.0), bench
    finally:
        one.close()
        weights.close()
        arena.close()


def answer(caller: Caller, bench: Bench) -> np.ndarray:
    place = caller.place(0)
    bench.prepare(place, {"x": X, "scale": np.array(2.0, dtype=np.float32)})
    caller.bare(place)
    return np.array(bench.output(place.instance_out, bench.spec.argument("y")))


def test_inputs_go_to_the_device_and_outputs_come_back(starter: CudaStarter, tmp_path: Path) -> None:
    with called(starter, "mv", tmp_path) as (caller, bench):
        got = [answer(caller, bench) for _ in range(3)]
    np.testing.assert_allclose(got, [W.astype(np.float64) @ X * 2.0] * 3, rtol=1e-5)


def test_a_call_runs_behind_two_filters_and_only_its_launches_are_timed(starter: CudaStarter, tmp_path: Path) -> None:
    with called(starter, "slow", tmp_path) as (caller, _):
        call = caller.bare(caller.place(0))
        runner = caller.contender.runner
        assert isinstance(runner, CudaRunner)
        assert runner.level == LEVEL
        assert Path(f"/proc/{runner.pid}/environ").read_bytes() == b"CUDA_VISIBLE_DEVICES=0\0PWD=/\0"
        assert Path(f"/proc/{runner.pid}/root/dev/full").is_char_device()
        assert filters_of(runner.pid) in (None, 2)
        assert caller.contender.clock == "the events of CUDA"
    assert 2_000_000 <= call.own_ns < call.elapsed_ns


def test_events_that_do_not_cover_the_work_contradict_the_referee(starter: CudaStarter, tmp_path: Path) -> None:
    with called(starter, "liar", tmp_path) as (caller, _):
        call = caller.bare(caller.place(0))
    assert "explains too little" in disagreement(call.elapsed_ns, call.own_ns, 10_000.0, "the events of CUDA")


@pytest.mark.parametrize(
    ("function", "kind", "why"),
    [
        ("behind", "crash", "it wrote behind argument 4"),
        ("before", "crash", "it wrote before argument 4"),
        ("weights", "crash", "it changed argument 1"),
        ("spill", "crash", "it wrote behind scratch buffer 1"),
        ("fault", "crash", r"a launched kernel: CUDA error 700 \(an illegal memory access was encountered\)"),
        ("endless", "hang", "no answer within"),
        ("unknown", "load", "no kernel of a launched name"),
    ],
)
def test_a_hostile_kernel_is_caught(starter: CudaStarter, tmp_path: Path, function: str, kind: str, why: str) -> None:
    with (
        called(starter, function, tmp_path, (Scratch("t", 16),)) as (caller, bench),
        pytest.raises(RunnerFailed, match=why) as caught,
    ):
        answer(caller, bench)
    assert caught.value.kind == kind


def test_scratch_memory_holds_something_else_at_each_call(starter: CudaStarter, tmp_path: Path) -> None:
    with called(starter, "keep", tmp_path, (Scratch("t", 16),)) as (caller, bench):
        found = {float(answer(caller, bench)[0]) for _ in range(4)}
    assert len(found) == 4


def test_after_a_fault_the_device_is_looked_at_before_anything_starts(starter: CudaStarter, tmp_path: Path) -> None:
    well = CudaStarter(starter.binary, starter.describe, starter.readable, [])
    with called(well, "fault", tmp_path) as (caller, bench):
        with pytest.raises(RunnerFailed):
            answer(caller, bench)
        well.describe = "/bin/false"
        with pytest.raises(RunnerFailed, match="the GPU is not well") as caught:
            well.start(caller.contender.artefact, bench.spec, [], 1, Limits(), profile=False)
    assert caught.value.kind == "setup"


def test_a_profiled_call_has_a_span_for_each_launch(starter: CudaStarter, tmp_path: Path) -> None:
    with called(starter, "slow", tmp_path, profile=True) as (caller, bench):
        answer(caller, bench)
        found = caller.contender.runner.timeline()
    (span,) = found.spans
    assert span.name == "slow"
    assert 0 <= span.begin_ns < span.end_ns <= found.total_ns * 1.001


def test_the_gpu_is_read_from_what_the_driver_says(starter: CudaStarter) -> None:
    found = gpu.ask(Path(starter.describe))
    assert isinstance(found, gpu.Gpu)
    assert (found.name, found.driver) == ("a driver of the tests", "13.0")
    assert (found.chip.name, found.multiprocessors) == ("sm_90a", 132)
    assert (found.clock_ghz, round(found.memory_gbs), found.l2_bytes) == (1.98, 3352, 1 << 20)
    assert gpu.health(Path(starter.describe)) == ""


def cublas_of(folder: Path, *words: str) -> str:
    library = folder / f"libcublas{''.join(words)}.so.13"
    source = DRIVER.with_name("cublas.c")
    compiler = find_compiler().path
    subprocess.run(
        [compiler, "-O2", "-shared", "-fPIC", "-fvisibility=hidden", *words, source, "-o", library], check=True
    )
    return str(library)


def test_cublas_is_checked_then_timed(starter: CudaStarter, tmp_path: Path) -> None:
    program = built(GEMM, find_compiler(), tmp_path, starter.readable[0])
    for sizes in (Sizes(1, 64, 96), Sizes(17, 40, 33)):
        found = timed(program, cublas_of(tmp_path), sizes, calls=4)
        assert (found.version, len(found.host), len(found.events)) == ("130100", 4, 4)
        assert all(0 < event <= host for host, event in zip(found.host, found.events, strict=True))
        assert found.ns > 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("-DWRONG",), "cuBLAS gives another product"),
        (("-DFAILS",), "cublasGemmEx fails"),
        (None, "cannot open shared"),
    ],
)
def test_a_cublas_that_is_none_gives_no_number(
    starter: CudaStarter, tmp_path: Path, words: tuple[str, ...] | None, why: str
) -> None:
    library = "/nowhere/libcublas.so.13" if words is None else cublas_of(tmp_path, *words)
    with pytest.raises(NoGemm, match=why):
        timed(built(GEMM, find_compiler(), tmp_path, starter.readable[0]), library, Sizes(3, 16, 32))


@pytest.mark.long
def test_a_target_with_a_gpu_starts_runners_and_plans(
    starter: CudaStarter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu, "library", lambda: starter.readable[0])
    try:
        target = PLUGIN.make(tmp_path / "cache")
    except TargetError as error:
        raise pytest.skip.Exception(str(error)) from error
    assert (target.machine.model, target.machine.threads) == ("a driver of the tests", 132)
    assert target.fingerprint.compiler_version.endswith(", driver 13.0")
    assert isinstance(target, Cuda)
    assert isinstance(target.starter().make(), CudaStarter)
    source = baseline(GEMV, PLUGIN.dialect)
    built_here = target.compile(source, GEMV, tmp_path)
    plan = target.timetable(built_here, GEMV)
    assert target.has_timetables
    assert (plan.model, plan.clock_ghz, [step.operator for step in plan.steps]) == (
        "issue slots of PTX, sm_90a", 1.98, ["gemv"],
    )  # fmt: skip
    assert plan.ns > 0
    open_ended = built_here.path.with_name("candidate.ptx")
    open_ended.write_text(open_ended.read_text().replace(", 2048;", ", %r5;"))
    with pytest.raises(CompileFailed, match="a loop of gemv turns a number of times that is no constant"):
        target.timetable(built_here, GEMV)


@pytest.mark.long
@pytest.mark.device
async def test_the_referee_checks_and_times_calls_over_the_driver(
    starter: CudaStarter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole way of a pair. What launches `slow` or `mv`, as probes and the empty kernel do, is the driver's own."""
    monkeypatch.setattr(gpu, "library", lambda: starter.readable[0])
    monkeypatch.setattr(gpu, "seen", lambda: (starter.readable[0],))
    head = prototype(spec_of()).replace(" mv(", " slow(")
    source = f'#include "kernelwright.h"\n\n{head} {{ y[0] = W[0]; }}\n\nKW_LAUNCH(slow, 8, 4);\n'
    candidate = PLUGIN.dialect.candidate("mv", source)
    pack = load_pack(small_pack(tmp_path / "pack", candidate.source, PLUGIN.dialect.baseline))
    try:
        target = PLUGIN.make(tmp_path / "cache")
    except TargetError as error:
        raise pytest.skip.Exception(str(error)) from error
    device = await Device.start(target, pack, tmp_path / "device")
    try:
        assert (await device.health()).ok
        await device.load("mv", "good", target.compile(candidate, pack.kernels[0], tmp_path / "good").path)
        checked = await device.check("mv", "good")
        test = await device.begin_test("mv", "good", "good")
        pair = await device.pair(test, "head", 1e6)
        ended = await device.end_test(test)
    finally:
        await device.close()
    assert checked.ok, checked.reason
    assert pair.head.calls == pair.candidate.calls >= 1
    assert ended.ok, ended


def test_where_no_driver_is_the_reason_is_said(tmp_path: Path) -> None:
    describe = built(DESCRIBE, find_compiler(), tmp_path, "libcuda-of-nobody.so")
    assert "libcuda-of-nobody.so: cannot open shared object file" in str(gpu.ask(describe))
    assert "libcuda-of-nobody.so" in gpu.health(describe)


def test_the_harness_has_the_numbers_of_cudas_own_header(tmp_path: Path) -> None:
    header = Path("/usr/local/cuda/include/cuda.h")
    if not header.is_file():
        raise pytest.skip.Exception(f"there is no {header} to compare with")
    same = {
        "OUT_OF_MEMORY": "CUDA_ERROR_OUT_OF_MEMORY", "ILLEGAL_ADDRESS": "CUDA_ERROR_ILLEGAL_ADDRESS",
        "LAUNCH_TIMEOUT": "CUDA_ERROR_LAUNCH_TIMEOUT", "LAUNCH_FAILED": "CUDA_ERROR_LAUNCH_FAILED",
        "ECC_UNCORRECTABLE": "CUDA_ERROR_ECC_UNCORRECTABLE", "MISALIGNED_ADDRESS": "CUDA_ERROR_MISALIGNED_ADDRESS",
        "OUT_OF_RESOURCES": "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "ASSERT": "CUDA_ERROR_ASSERT",
        "ILLEGAL_INSTRUCTION": "CUDA_ERROR_ILLEGAL_INSTRUCTION", "INVALID_PC": "CUDA_ERROR_INVALID_PC",
        "HARDWARE_STACK_ERROR": "CUDA_ERROR_HARDWARE_STACK_ERROR",
        "INVALID_ADDRESS_SPACE": "CUDA_ERROR_INVALID_ADDRESS_SPACE",
        "CLOCK_KHZ": "CU_DEVICE_ATTRIBUTE_CLOCK_RATE", "L2_BYTES": "CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE",
        "MULTIPROCESSORS": "CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT",
        "MEMORY_KHZ": "CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE",
        "BUS_BITS": "CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH",
        "MAJOR": "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR",
        "MINOR": "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR",
        "SHARED_A_BLOCK_OPTED_IN": "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN",
        "SHARED_A_MULTIPROCESSOR": "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR",
        "REGISTERS_A_MULTIPROCESSOR": "CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR",
        "THREADS_A_MULTIPROCESSOR": "CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR",
        "FUNCTION_DYNAMIC_SHARED": "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES",
        "FUNCTION_CARVEOUT": "CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT",
        "CARVEOUT_MOST_SHARED": "CU_SHAREDMEM_CARVEOUT_MAX_SHARED", "CONTEXT_SPINS": "CU_CTX_SCHED_SPIN",
        "EVENT_DEFAULT": "CU_EVENT_DEFAULT",
    }  # fmt: skip
    lines = [f'_Static_assert((int)KW_CUDA_{ours} == (int){theirs}, "{ours}");' for ours, theirs in same.items()]
    source = tmp_path / "same.c"
    source.write_text("\n".join(["#include <cuda.h>", '#include "cu_api.h"', *lines]))
    words = [find_compiler().path, "-fsyntax-only", "-I", header.parent, "-I", NATIVE, source]
    assert subprocess.run(words, capture_output=True, text=True, check=False).stderr == ""
