"""Gate `source` on CUDA C++: what a candidate may be, and what it must not contain."""

import re

import pytest

from kernels.gates.grammar_cuda import CudaGrammar
from kernels.gates.inline_ptx import without
from kernels.packs.loader import baseline, load_pack
from kernels.targets.cuda.plugin import PLUGIN

GEMV = load_pack("axpy_gemv").kernel("gemv")
GOOD = baseline(GEMV, PLUGIN.dialect).source
MMA = (
    '    asm volatile("{\\n .reg .pred p;\\n setp.ne.b32 p, %2, 0;\\n"\n'
    '                 "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1}, {%2}, {%3}, {%0,%1};\\n}"\n'
    '                 : "+f"(sum), "+f"(other) : "r"(a), "r"(b));\n'
)


def refusal(source: str, **files: str) -> str:
    candidate = PLUGIN.dialect.candidate(GEMV.name, source)
    found = CudaGrammar().examine(candidate, GEMV)
    return "" if found is None else f"{found.kind}: {found.reason}"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("__global__ void", "__global__ void __launch_bounds__(128, (4 + 4))"),
        ("const float *W", "const float *__restrict__ W"),
        ("    for (int", "#pragma unroll 4\n    for (int"),
        ('"kernelwright.h"', '"kernelwright.h"\n#include <mma.h>\n#include <cuda_bf16.h>'),
        ("float sum = 0.0f;", "__shared__ float part[64]; __syncthreads(); float sum = 0.0f;"),
        ('extern "C"', 'template <int N> __device__ float twice(float v) { return N * v; }\nextern "C"'),
        ("y[row] = sum;", "nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 8, float> f; y[row] = sum;"),
        ("y[row] = sum;", f"{MMA}    y[row] = sum;"),
        ("y[row] = sum;", 'asm("cp.async.cg.shared.global [%0], [%1], 16;\\n" :: "r"(to), "l"(from)); y[row] = sum;'),
        ("y[row] = sum;", 'asm("{ .reg .pred p; W: setp.eq.u32 p, %0, 0; @p bra W; }" :: "r"(at)); y[row] = sum;'),
        ("y[row] = sum;", "auto f = [&](float v) { return v; }; y[row] = f(sum);"),
        ("KW_LAUNCH(gemv, ROWS, 128);", "constexpr int B = 64;\nKW_LAUNCH(gemv, ROWS, B, 4096);"),
    ],
)
def test_what_cuda_has_passes(old: str, new: str) -> None:
    assert refusal(GOOD.replace(old, new, 1)) == ""


def test_a_scratch_buffer_is_a_parameter_more() -> None:
    assert refusal(GOOD.replace("float *y)", "float *y, float *t)") + "KW_SCRATCH(t, 64);\n") == ""


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("y[row] = sum;", 'printf("%f", sum); y[row] = sum;', "forbidden_name: kernel.cu line 12: printf"),
        ("y[row] = sum;", "y[row] = clock64();", "forbidden_name: .* clock64"),
        ("y[row] = sum;", "child<<<1, 32>>>(y);", "host_code: .*KW_LAUNCH"),
        ("extern", "__host__ int main() { return 0; }\nextern", "forbidden_name: .* __host__"),
        ("extern", "void start() { cudaMalloc(0, 0); }\nextern", "forbidden_name: .* cudaMalloc"),
        ("extern", "void start() { cuLaunchKernel(); }\nextern", "forbidden_name: .* cuLaunchKernel"),
        ("extern", "__managed__ int kept;\nextern", "forbidden_name: .* __managed__"),
        ('"kernelwright.h"', "<cuda_runtime.h>", "forbidden_include: .*cuda_runtime"),
        ('"kernelwright.h"', '"/etc/passwd"', "forbidden_include"),
        ("#define ROWS", '#define READ asm("mov.u64 %0, %clock64;")\n#define ROWS', "inline_assembly|forbidden_name"),
        ("y[row] = sum;", 'asm("mov.u64 %0, %%clock64;" : "=l"(t));', "inline_assembly: .* may not use clock64"),
        ("y[row] = sum;", 'asm(".global .u32 kept;");', "inline_assembly: .*no other directive: .global"),
        ("y[row] = sum;", 'asm("{ .extern .func f; call f; }");', "inline_assembly: .*no other directive: .extern"),
        ("y[row] = sum;", "asm(HIDDEN);", "inline_assembly: .*plain strings"),
        ("y[row] = sum;", 'asm("mov.u32 %0, %cl\\x6fck;" : "=r"(t));', "inline_assembly: .*escapes"),
        ("y[row] = sum;", 'asm("exit;");', "inline_assembly: .* may not use exit"),
        ("y[row] = sum;", 'y[row] = sum; const char *s = R"(x)";', "hidden_text"),
        ("#define ROWS", "#define JOIN(a, b) a##b\n#define ROWS", "token_pasting"),
        ("const float *W", "float *W", "signature: gemv\\(float\\*, const float\\*, float\\*\\)"),
        ("KW_LAUNCH(gemv, ROWS, 128);", "", "launch: .*nothing is launched"),
        ("KW_LAUNCH(gemv", "KW_LAUNCH(other", "no_entry: .*does not launch gemv"),
        ("KW_LAUNCH(gemv", "KW_LAUNCH(other, 1, 1);\nKW_LAUNCH(gemv", "no_entry: other is launched and not defined"),
        ("KW_LAUNCH(gemv, ROWS, 128);", "KW_LAUNCH(gemv, ROWS, 2048);", "launch: .*at most 1024"),
        ("float *y)", "float *y, float *t)", "signature"),
        ("y[row] = sum;", "y[row] = (sum;", "syntax"),
    ],
)  # fmt: skip
def test_what_is_outside_the_allow_list_is_refused(old: str, new: str, why: str) -> None:
    found = refusal(GOOD.replace(old, new, 1))
    assert re.search(why, found), found


def test_inline_ptx_becomes_blanks_at_its_place() -> None:
    text, found = without(f"float a;\n{MMA}float b;\n")
    assert found is None
    assert len(text) == len(f"float a;\n{MMA}float b;\n")
    assert text.split() == ["float", "a;", ";", "float", "b;"]
