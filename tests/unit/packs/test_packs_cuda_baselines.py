"""Every baseline in CUDA C++ builds, and means what the baseline in C means: it is run thread by thread on the CPU.

That shows its indices and its arithmetic, not what a GPU makes of them: no GPU is on the machines that run these tests.
"""

import ctypes
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernels.device.strict import answering
from kernels.gates.grammar_cuda import CudaGrammar
from kernels.packs.loader import baseline, load_pack
from kernels.packs.weights import draw_weights
from kernels.targets.base import TargetError
from kernels.targets.cpu_c.target import CpuC
from kernels.targets.cuda.build import INCLUDE
from kernels.targets.cuda.launches import cuda_plan
from kernels.targets.cuda.plugin import PLUGIN
from kernels.targets.cuda.target import Cuda
from kernels.targets.opencl.launches import Plan
from kernels.values.formats import decode, f32_to_bf16
from kernels.values.kernel import KernelSpec

KERNELS = [
    ("axpy_gemv", "axpy"), ("axpy_gemv", "gemv"), ("gemma_decode", "qkv"), ("gemma_decode", "attn_out"),
    ("gemma_decode", "ffn"), ("gemm_bf16", "gemm"),
]  # fmt: skip
AS_CPU = """\
#include <cmath>
#include <cstdint>
#include <cstring>
#define __global__
#define __device__
#define __constant__ static const
#define __forceinline__ inline
struct Index { unsigned x; };
static Index blockIdx, blockDim, threadIdx;
static inline float __uint_as_float(uint32_t v) { float f; memcpy(&f, &v, 4); return f; }
static inline uint32_t __float_as_uint(float f) { uint32_t v; memcpy(&v, &f, 4); return v; }
using std::isnan;
"""


@pytest.fixture(scope="module")
def cuda(tmp_path_factory: pytest.TempPathFactory) -> Cuda:
    try:
        return Cuda(tmp_path_factory.mktemp("cache"))
    except TargetError as error:
        raise pytest.skip.Exception(str(error)) from error


def spec_named(pack: str, kernel: str) -> KernelSpec:
    """Of a kernel of several shapes the one that no tile divides."""
    spec = load_pack(pack).kernel(kernel)
    return next((one for one in spec.cases if one.shape.startswith("edge")), spec)


@pytest.mark.parametrize(("pack", "kernel"), KERNELS)
def test_every_baseline_passes_gate_source(pack: str, kernel: str) -> None:
    spec = load_pack(pack).kernel(kernel)
    assert CudaGrammar().examine(baseline(spec, PLUGIN.dialect), spec) is None


@pytest.mark.long
@pytest.mark.parametrize(("pack", "kernel"), KERNELS)
def test_every_baseline_builds(cuda: Cuda, tmp_path: Path, pack: str, kernel: str) -> None:
    spec = load_pack(pack).kernel(kernel)
    built = cuda.compile(baseline(spec, PLUGIN.dialect), spec, tmp_path)
    assert built.path.is_file()
    launched = [one.function for one in cuda_plan(baseline(spec, PLUGIN.dialect), spec.sizes).launches]
    fits = [line for line in built.findings if " registers, " in line]
    assert [line.partition(":")[0] for line in fits] == launched
    assert all(" 0 of spills" in line for line in fits)
    counted = [line for line in built.findings if " instructions of " in line]
    assert sorted(line.partition(":")[0] for line in counted) == sorted({*launched})


@pytest.mark.long
@pytest.mark.device
@pytest.mark.parametrize(("pack", "kernel"), KERNELS)
def test_every_baseline_means_what_the_baseline_in_c_means(tmp_path: Path, pack: str, kernel: str) -> None:
    if shutil.which("g++") is None:
        raise pytest.skip.Exception("there is no g++ to compile the source for the CPU")
    spec, cpu = spec_named(pack, kernel), CpuC(tmp_path / "cache")
    values = values_of(spec)
    artefact = cpu.compile(baseline(spec), spec, tmp_path / "c").path
    with answering(cpu, spec, artefact, tmp_path / "memory", "baseline") as answers:
        right = answers.outputs(values)
    got = on_the_cpu(spec, values, tmp_path)
    for name, want in right.items():
        found = decode(got[name], spec.argument(name).dtype)
        np.testing.assert_allclose(found, want, rtol=0.02, atol=2e-3 * float(np.abs(want).max()), err_msg=name)


def values_of(spec: KernelSpec) -> dict[str, Any]:
    rng = np.random.default_rng(5)
    drawn: dict[str, Any] = dict(draw_weights(spec, 5))
    for one in spec.arguments:
        if one.role in ("input", "inout"):
            values = rng.uniform(0.25, 1.0, one.storage_shape).astype(np.float32)
            whole = rng.integers(0, 100, one.storage_shape).astype(one.format.storage)
            drawn[one.name] = f32_to_bf16(values) if one.dtype == "bf16" else values if one.dtype == "f32" else whole
    return drawn


def on_the_cpu(spec: KernelSpec, values: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """What it leaves in the arguments that it may write."""
    candidate = baseline(spec, PLUGIN.dialect)
    plan = cuda_plan(candidate, spec.sizes)
    (folder / "call.cpp").write_text(AS_CPU + candidate.source + _calls(spec, plan))
    words = ["g++", "-O2", "-w", "-shared", "-fPIC", "-ffp-contract=off", "-I", INCLUDE, "call.cpp", "-o", "call.so"]
    subprocess.run(words, cwd=folder, check=True)
    memory = {a.name: _stored(a, values) for a in spec.arguments}
    scratch = [np.full(one.nbytes, 0xAB, np.uint8) for one in plan.scratches]
    pointers = [memory[a.name].ctypes.data for a in spec.arguments] + [one.ctypes.data for one in scratch]
    ctypes.CDLL(str(folder / "call.so")).kw_call((ctypes.c_void_p * len(pointers))(*pointers))
    return {a.name: memory[a.name] for a in spec.arguments if a.writable}


def _stored(argument: Any, values: Mapping[str, Any]) -> Any:
    if argument.value is not None:
        return np.array(argument.value).astype(argument.format.storage)
    if argument.name in values:
        return np.array(values[argument.name])
    return np.zeros(argument.storage_shape, argument.format.storage)


def _calls(spec: KernelSpec, plan: Plan) -> str:
    """Every thread of every launch, one after the other."""
    passed = [f"({a.format.c_type} *)p[{i}]" for i, a in enumerate(spec.arguments)]
    passed = [word if a.shape else f"*{word}" for word, a in zip(passed, spec.arguments, strict=True)]
    passed += [f"(float *)p[{len(spec.arguments) + i}]" for i, _ in enumerate(plan.scratches)]
    loops = [
        f"blockDim.x = {one.group}; for (blockIdx.x = 0; blockIdx.x < {one.size // one.group}; blockIdx.x++)"
        f" for (threadIdx.x = 0; threadIdx.x < {one.group}; threadIdx.x++) {one.function}({', '.join(passed)});"
        for one in plan.launches
    ]
    return f'extern "C" void kw_call(void **p) {{\n{chr(10).join(loops)}\n}}\n'
