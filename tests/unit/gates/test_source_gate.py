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
}


@pytest.mark.parametrize("kind", REFUSED)
async def test_refuses_and_names_the_kind(kind: str) -> None:
    report = await examine(subject(REFUSED[kind]))
    assert (report.state, report.kind) == (GateState.REFUSED, kind)
    assert report.reason


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
