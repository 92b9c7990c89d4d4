"""CUDA by nvcc: what a build is, why one is refused, what a machine without a GPU says."""

import json
from pathlib import Path

import pytest

from kernels.gates.grammar_cuda import CudaGrammar
from kernels.packs.loader import load_pack
from kernels.targets.base import CompileFailed, TargetError
from kernels.targets.cuda.plugin import PLUGIN, gaps
from kernels.targets.cuda.target import Cuda
from tests.unit.targets.kit import spec_of

GOOD = """#include "kernelwright.h"

constexpr int ROWS = 8;
extern "C" __global__ void mv(const float *W, const float *x, float scale, float *y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int column = 0; column < 64; column++) sum += W[row * 64 + column] * x[column];
    y[row] = sum * scale;
}

KW_LAUNCH(mv, ROWS, 4);
"""


@pytest.fixture(scope="module")
def cuda(tmp_path_factory: pytest.TempPathFactory) -> Cuda:
    try:
        return Cuda(tmp_path_factory.mktemp("cache"), architecture="sm_90a")
    except TargetError as error:
        raise pytest.skip.Exception(str(error)) from error


def test_a_build_is_a_container_with_a_report_and_findings(cuda: Cuda, tmp_path: Path) -> None:
    built = cuda.compile(PLUGIN.dialect.candidate("mv", GOOD), spec_of(), tmp_path)
    head, _, cubin = built.path.read_bytes().partition(b"\ncubin ")
    assert head.decode().splitlines()[-1] == "launch mv 2 4 0"
    assert b"\x7fELF" in cubin[:20]
    report = json.loads((built.path.parent / "report.json").read_text())
    assert [one["kernel"] for one in report["resources"]] == [one["kernel"] for one in report["census"]] == ["mv"]
    assert 16 <= report["resources"][0]["registers"] <= 64
    assert "warps" in built.findings[0]
    assert "instructions of" in built.findings[1]


@pytest.mark.long
@pytest.mark.parametrize(
    ("old", "new", "kind", "why"),
    [
        ("sum * scale", "sums * scale", "compile_error", r'kernel.cu\(8\): error: identifier "sums" is undefined'),
        ("y[row] =", 'printf("%f", sum); y[row] =', "object_scan", "prints"),
        ("y[row] =", "y[row] = clock64() +", "object_scan", "reads %clock64"),
        ("y[row] =", "static float kept; y[row] = kept++ +", "object_scan", "kept is a variable in global memory"),
        ("KW_LAUNCH(mv", "KW_LAUNCH(other", "compile_error", 'no extern "C" __global__ function has that name'),
        ("ROWS, 4", "ROWS, 4, 230 << 10", "compile_error", "a block has at most 232448"),
        ('"kernelwright.h"', '"/etc/passwd"', "compile_error", "No such file or directory"),
    ],
)
def test_what_does_not_build_says_why(cuda: Cuda, tmp_path: Path, old: str, new: str, kind: str, why: str) -> None:
    with pytest.raises(CompileFailed, match=why) as caught:
        cuda.compile(PLUGIN.dialect.candidate("mv", GOOD.replace(old, new)), spec_of(), tmp_path)
    assert caught.value.kind == kind


@pytest.mark.long
def test_a_block_that_no_multiprocessor_holds_is_refused(cuda: Cuda, tmp_path: Path) -> None:
    much = GOOD.replace("float sum", "__shared__ float t[48 << 8]; t[threadIdx.x] = x[0]; __syncthreads(); float sum")
    source = much.replace("y[row] =", "y[row] = t[row] +").replace("ROWS, 4", "ROWS, 4, 184 << 10")
    with pytest.raises(CompileFailed, match=r"mv: \d+ registers, 237568 bytes of shared memory, .* do not fit a block"):
        cuda.compile(PLUGIN.dialect.candidate("mv", source), spec_of(), tmp_path)


@pytest.mark.parametrize(("flag", "name"), [("-arch=sm_80", "kernel.cu"), ("", "../kernel.cu"), ("", "candidate.ptx")])
def test_flags_and_names_that_are_not_allowed_are_refused_before_anything_runs(
    cuda: Cuda, tmp_path: Path, flag: str, name: str
) -> None:
    candidate = PLUGIN.dialect.candidate("mv", GOOD, (flag,) if flag else ())
    files = {**candidate.files, **({name: ""} if name != candidate.main else {})}
    with pytest.raises(CompileFailed, match="not allowed"):
        cuda.compile(type(candidate)("mv", files, candidate.main, "cuda", candidate.flags), spec_of(), tmp_path)


def test_without_a_gpu_nothing_is_said_to_run(cuda: Cuda) -> None:
    if "run" not in dict(gaps()):
        raise pytest.skip.Exception("there is a GPU here")
    with pytest.raises(TargetError, match="Run it on a machine with a GPU of NVIDIA"):
        cuda.starter()
    assert not cuda.has_timetables
    (found,) = [one for one in cuda.requirements() if one.name == "GPU"]
    assert found.found == ""
    assert "code is only compiled, for sm_90a" in found.lost
    assert set(dict(gaps())) == {"sanitize", "schedule", "run", "timeline", "limits", "health"}


@pytest.mark.long
@pytest.mark.parametrize(("name", "kinds"), [("wmma", ["tensor"]), ("hopper", ["tensor", "async copy"])])
def test_what_fast_kernels_use_passes_the_gate_and_builds(
    cuda: Cuda, tmp_path: Path, name: str, kinds: list[str]
) -> None:
    spec = load_pack("gemm_bf16").kernel("gemm")
    source = (Path(__file__).parent / "cuda_sources" / f"{name}.cu").read_text()
    candidate = PLUGIN.dialect.candidate("gemm", source)
    assert CudaGrammar().examine(candidate, spec) is None
    built = cuda.compile(candidate, spec, tmp_path)
    (counted,) = json.loads((built.path.parent / "report.json").read_text())["census"]
    assert set(kinds) <= set(counted["counts"])
