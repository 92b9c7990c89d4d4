"""Gate `source` on OpenCL C: what a candidate may be, and what it must not contain."""

import re

import pytest

from kernels.gates.grammar_opencl import OpenClGrammar
from kernels.packs.loader import baseline, load_pack
from kernels.targets.opencl.plugin import PLUGIN

GEMV = load_pack("axpy_gemv").kernel("gemv")
GOOD = baseline(GEMV, PLUGIN.dialect).source


def refusal(source: str) -> str:
    found = OpenClGrammar().examine(PLUGIN.dialect.candidate(GEMV.name, source), GEMV)
    return "" if found is None else f"{found.kind}: {found.reason}"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("__kernel", "__attribute__((reqd_work_group_size(64, 1, 1))) kernel"),
        ("__global float *y", "global float *restrict y"),
        ("for (int", "__attribute__((opencl_unroll_hint(4))) for (int"),
        ("float sum = 0.0f;", "__local float part[64]; barrier(CLK_LOCAL_MEM_FENCE); float sum = 0.0f;"),
    ],
)
def test_what_opencl_c_has_passes(old: str, new: str) -> None:
    assert refusal(GOOD.replace(old, new)) == ""


def test_launches_may_name_the_dimensions_of_the_contract() -> None:
    spec = load_pack("gemm_bf16").kernel("gemm")
    first = baseline(spec, PLUGIN.dialect)
    assert "M * N" in first.source
    assert OpenClGrammar().examine(first, spec) is None
    other = PLUGIN.dialect.candidate(spec.name, first.source.replace("(M * N", "(M * N * L"))
    found = OpenClGrammar().examine(other, spec)
    assert found is not None
    assert (found.kind, found.reason.split(":")[0]) == ("launch", "kernel.cl L is no constant")


def test_a_scratch_buffer_is_a_parameter_more() -> None:
    assert refusal(GOOD.replace("float *y)", "float *y, __global float *t)") + "KW_SCRATCH(t, 64);\n") == ""


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("float sum", "\n#pragma unroll 4\nfloat sum", "forbidden_directive: kernel.cl line 9: #pragma"),
        ("y[row] = sum;", 'printf("%f", sum); y[row] = sum;', "forbidden_name: kernel.cl line 12: printf"),
        ("y[row] = sum;", '__asm__ volatile("syscall");', "inline_assembly"),
        ("y[row] = sum;", "y[row] = __builtin_ia32_rdtsc();", "forbidden_name: .* __builtin_ia32_rdtsc"),
        ("__kernel", "__attribute__((constructor)) __kernel", "forbidden_attribute"),
        ("#define ROWS", "#define K __attribute__((section(\"x\")))\n#define ROWS", "forbidden_attribute"),
        ('"kernelwright.h"', "<immintrin.h>", "forbidden_include"),
        ("__global const float *W", "__global float *W", "signature: gemv\\(float\\*, const float\\*, float\\*\\)"),
        ("KW_LAUNCH(gemv, ROWS, 64);", "", "launch: .*nothing is launched"),
        ("KW_LAUNCH(gemv", "KW_LAUNCH(other", "no_entry: .*does not launch gemv"),
        ("KW_LAUNCH(gemv", "KW_LAUNCH(other, 1, 1);\nKW_LAUNCH(gemv", "no_entry: other is launched and not defined"),
        ("float *y)", "float *y, __global float *t)", "signature"),
        ("y[row] = sum;", "y[row] = (sum;", "syntax"),
    ],
)  # fmt: skip
def test_what_is_outside_the_allow_list_is_refused(old: str, new: str, why: str) -> None:
    found = refusal(GOOD.replace(old, new, 1))
    assert re.search(why, found), found
