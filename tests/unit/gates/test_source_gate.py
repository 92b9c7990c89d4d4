"""Gate `source`: what it refuses, by name, and what it must let through."""

from pathlib import Path

import pytest

from kernels.gates.base import Subject
from kernels.gates.source import SourceGate
from kernels.gates.source_c import parameter_type
from kernels.packs.loader import baseline, load_pack
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from kernels.values.verdict import GateReport, GateState

PACK = load_pack("axpy_gemv")
GEMV = PACK.kernel("gemv")


def subject(source: str, spec: KernelSpec = GEMV, **changes: object) -> Subject:
    candidate = Candidate(spec.name, {"kernel.c": source})
    made = Subject(candidate, spec, baseline(spec), "head", 1e6, Path())
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def kernel(body: str = "", before: str = "") -> str:
    return f'#include "kernelwright.h"\n{before}\n{GEMV.prototype} {{ {body} }}\n'


async def examine(made: Subject) -> GateReport:
    return await SourceGate().examine(made)


REFUSED = {
    "forbidden_include": kernel(before="#include <stdio.h>"),
    "inline_assembly": kernel('__asm__ volatile("nop");'),
    "forbidden_attribute": kernel(before="__attribute__((constructor)) static void early(void) {}"),
    "forbidden_name": kernel('getenv("PHASE");'),
    "token_pasting": kernel(before="#define JOIN(a, b) a##b"),
    "harness_address": kernel("const char *code = (const char *)kw_parallel_for; y[0] = code[0];"),
    "syntax": kernel("for (;;"),
    "no_entry": '#include "kernelwright.h"\nvoid other(void) {}\n',
    "signature": '#include "kernelwright.h"\nvoid gemv(float *W, const float *x, float *y) {}\n',
    "not_text": kernel("/* \0 */"),
    "hidden_text": kernel('int n = sizeof(R"d(A") + (long)d"); int other = sizeof(R"(B"x)");'),
    "forbidden_directive": kernel(before="#pragma GCC poison x"),
    "build_macro": kernel(before="#ifdef KW_PROFILE\n#define FAST 0\n#endif"),
}
HIDDEN = {
    "digraph": ("#define JOIN(a, b) a%:%:b", "hidden_text"),
    "digraph directive": ("/* */\n  %:define A", "hidden_text"),
    "form feed": ('#define ADD __as\\\f\nm__("nop"); int\nk(void);', "forbidden_name"),
    "attribute by macro": ("#define PLACE section", "forbidden_attribute"),
    "attribute of C23": ("[[gnu::constructor]] static void early(void) {}", "forbidden_attribute"),
    "pragma by operator": ('#define GO _Pragma("redefine_extname a b")', "forbidden_directive"),
    "precompiled header": ('#pragma GCC pch_preprocess "x"', "forbidden_directive"),
    "ident": ('#ident "x"', "forbidden_directive"),
    "time of the build": ("static const char *when = __TIME__;", "build_macro"),
    "optimised or not": ("#define STRICT !defined(__OPTIMIZE__)", "build_macro"),
    "another file beside it": ('#if __has_include("candidate.runner")\n#define STRICT 1\n#endif', "build_macro"),
    "return of an interrupt": ("__attribute__((interrupt)) void f(void *frame);", "forbidden_attribute"),
    "builtin by address": ("static unsigned long (*tick)(void) = __rdtsc;", "forbidden_name"),
}


@pytest.mark.parametrize("kind", REFUSED)
async def test_refuses_and_names_the_kind(kind: str) -> None:
    report = await examine(subject(REFUSED[kind]))
    assert (report.state, report.kind) == (GateState.REFUSED, kind)
    assert report.reason


@pytest.mark.parametrize("name", HIDDEN)
async def test_what_the_compiler_reads_otherwise_is_refused(name: str) -> None:
    before, kind = HIDDEN[name]
    assert (await examine(subject(kernel(before=before)))).kind == kind


@pytest.mark.parametrize(
    "before",
    [
        "/* saves 40%: half of it */", "#pragma GCC unroll 4", '#define UNROLL _Pragma("GCC unroll 4")',
        "#pragma GCC push_options\n#pragma GCC optimize(\"O3\")\n#pragma GCC pop_options",
        "#define R 4\nstatic const char *name = \"R\";", "#ifdef __AVX512F__\n#define WIDE 1\n#endif",
    ],
)  # fmt: skip
async def test_what_looks_like_that_passes(before: str) -> None:
    assert (await examine(subject(kernel(before=before)))).state is GateState.PASSED


@pytest.mark.parametrize(
    "body", ["(fork)();", "(0, fork)();", "(*fork)();", "y[0] = (__builtin_frame_address)(0) != 0;"]
)
async def test_a_forbidden_name_may_not_stand_in_parentheses(body: str) -> None:
    assert (await examine(subject(kernel(body)))).kind == "forbidden_name"


@pytest.mark.parametrize(
    ("flag", "kind"),
    [
        ("-DP=kw_threads", "harness_address"), ("-DPLACE=section", "forbidden_attribute"),
        ("-DKW_PROFILE", "build_macro"), ("-DASK=__builtin_return_address", "forbidden_name"),
    ],
)  # fmt: skip
async def test_a_flag_may_bring_in_nothing_that_a_source_may_not_have(flag: str, kind: str) -> None:
    candidate = Candidate(GEMV.name, {"kernel.c": kernel()}, flags=(flag,))
    assert (await examine(subject("", candidate=candidate))).kind == kind


@pytest.mark.parametrize("body", ['asm("nop");', "system(0);", "dlopen(0, 0);", "_mm_setcsr(0x9fc0);", "fork();"])
async def test_refuses_calls_out_of_the_kernel(body: str) -> None:
    assert (await examine(subject(kernel(body)))).state is GateState.REFUSED


async def test_a_forbidden_name_may_not_hide_in_a_macro() -> None:
    report = await examine(subject(kernel("GO();", before="#define GO() syscall(1)")))
    assert report.kind == "forbidden_name"


async def test_a_forbidden_name_may_not_be_split_over_lines_nor_come_by_a_flag() -> None:
    assert (await examine(subject(kernel("fo\\\nrk();", before="int fork(void);")))).kind == "forbidden_name"
    candidate = Candidate(GEMV.name, {"kernel.c": kernel("GO();")}, flags=("-O2", "-DGO=fork"))
    assert (await examine(subject("", candidate=candidate))).kind == "forbidden_name"


@pytest.mark.parametrize("before", ["#define FIND kw_threads", "#define FIND(f) (char *)kw_threads + (f)"])
async def test_the_address_of_the_harness_may_not_hide_in_a_macro(before: str) -> None:
    assert (await examine(subject(kernel(before=before)))).kind == "harness_address"


async def test_a_macro_may_call_the_harness() -> None:
    report = await examine(subject(kernel("FOR(4, 0);", before="#define FOR(n, f) kw_parallel_for(n, 0, f, 0)")))
    assert report.state is GateState.PASSED


async def test_a_macro_may_go_on_over_lines() -> None:
    report = await examine(subject(kernel("y[0] = ADD(x[0], x[1]);", before="#define ADD(a, b) \\\n    ((a) + (b))")))
    assert report.state is GateState.PASSED


async def test_a_local_variable_may_have_the_name_of_a_libc_function() -> None:
    report = await examine(subject(kernel("float time = x[0]; y[0] = time;")))
    assert report.state is GateState.PASSED


async def test_a_static_function_may_have_the_name_of_one_of_libc() -> None:
    own = "static float read(const float *p) { return p[0]; }"
    assert (await examine(subject(kernel("y[0] = read(x);", before=own)))).state is GateState.PASSED
    assert (
        await examine(subject(kernel("y[0] = read(x);", before="float read(const float *);")))
    ).kind == "forbidden_name"
    hides = "static unsigned __rdtsc(void) { return 1; }"
    assert (await examine(subject(kernel("y[0] = __rdtsc();", before=hides)))).kind == "forbidden_name"


async def test_unchanged_and_refused_before_are_final_except_for_a_placebo() -> None:
    same = subject(baseline(GEMV).source)
    assert (await examine(same)).kind == "unchanged"
    same.exempt = True
    assert (await examine(same)).state is GateState.PASSED
    again = await examine(subject(kernel(), refused_before="gate correct: wrong values"))
    assert again.kind == "unchanged"
    assert "wrong values" in again.reason


async def test_a_language_without_a_parser_is_skipped_not_passed() -> None:
    made = subject(kernel())
    made.candidate = Candidate("gemv", {"k.f90": "end"}, main="k.f90", language="fortran")
    report = await examine(made)
    assert report.state is GateState.SKIPPED
    assert "no grammar" in report.reason


@pytest.mark.parametrize("name", ["axpy_gemv", "gemma_decode"])
async def test_every_shipped_baseline_passes(name: str) -> None:
    for spec in load_pack(name).kernels:
        report = await examine(subject(baseline(spec).source + "\n", spec))
        assert report.state is GateState.PASSED, report.reason


@pytest.mark.parametrize(
    ("parameter", "want"),
    [
        ("const float *restrict x", "const float*"),
        ("float x[16]", "float*"),
        ("const int32_t n", "int32_t"),
        ("kw_bf16 s", "kw_bf16"),
        ("const uint8_t * __restrict__ codes", "const uint8_t*"),
        ("float*y", "float*"),
    ],
)
def test_parameter_types_are_compared_without_spelling(parameter: str, want: str) -> None:
    assert parameter_type(parameter) == want
