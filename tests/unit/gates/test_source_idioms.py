"""What people write in C kernels passes where the grammar does not follow; what must not be there is still seen."""

import pytest

from kernels.gates.c_tokens import parameters, tokens, unbalanced
from kernels.gates.source import CGrammar
from kernels.packs.loader import load_pack
from kernels.values.candidate import Candidate

GEMV = load_pack("axpy_gemv").kernel("gemv")
FORCE = "#define FORCE static inline __attribute__((always_inline))\n"
IDIOMS = {
    "aligned array": ("static float buffer[16] __attribute__((aligned(64)));", ""),
    "specifier by macro": (FORCE + "FORCE float one(float a) { return a; }", ""),
    "qualifier by macro": ("#define NOALIAS __restrict__\nstatic void f(float *NOALIAS a) { a[0] = 0; }", ""),
    "function by macro": ("#define ZERO(name, T) static void name(T *p) { p[0] = 0; }\nZERO(zero, float)", ""),
    "loop by macro": ("#define FOR(i, n) for (int i = 0; i < (n); i++)", "FOR(i, 4) { y[i] += 0; }"),
    "brackets by macro": ("#define BEGIN {\n#define END }", "BEGIN y[0] = 0; END"),
    "pragma by operator": ("", '_Pragma("omp simd") for (int i = 0; i < 4; i++) y[i] = 0;'),
    "half a statement": ("", "\n#if 1\n  if (x[0] > 0) {\n#else\n  {\n#endif\n y[0] = 0; }"),
    "half an expression": ("", "y[0] = x[0]\n#ifdef __AVX2__\n + x[1]\n#endif\n ;"),
    "case range": ("static int f(int a) { switch (a) { case 1 ... 3: return 1; } return 0; }", ""),
    "fall through": ("", "switch (1) { case 0: y[0] = 0; __attribute__((fallthrough)); case 1: break; }"),
    "computed goto": ("", "void *to[] = {&&a, &&b}; goto *to[0]; a: b: ;"),
    "thread-local": ("static _Thread_local float k;", ""),
    "complex": ("", "_Complex float z = 1.0f + 2.0iF; y[0] = __real__ z;"),
    "statement expression": ("", "y[0] = ({ float t = x[0]; t; });"),
    "nested function": ("", "auto float f(float); float f(float v) { return v * x[0]; } y[0] = f(1);"),
    "vector shuffle": ("typedef int v4 __attribute__((vector_size(16)));", "v4 a = {1}; a = __builtin_shuffle(a, a);"),
}
BROKEN = "static float buffer[16] __attribute__((aligned(64)));\n"  # no tree from here on
REFUSED = {
    "call": ("getenv(0);", "forbidden_name"),
    "call in parentheses": ("(getenv)(0);", "forbidden_name"),
    "assembly": ('__asm__ volatile("nop");', "inline_assembly"),
    "address": ("y[0] = *(char *)kw_parallel_for;", "harness_address"),
    "attribute": ("void f(void) __attribute__((__constructor__));", "forbidden_attribute"),
    "attribute of C23": ("[[gnu::constructor]] void f(void);", "forbidden_attribute"),
    "include": ("\n#include <stdio.h>\n", "forbidden_include"),
    "pasting": ("\n#define J(a, b) a ## b\n", "token_pasting"),
    "directive": ("\n#pragma redefine_extname a b\n", "forbidden_directive"),
    "build": ("y[0] = __TIME__[0];", "build_macro"),
}


def _candidate(body: str, before: str) -> Candidate:
    source = f'#include "kernelwright.h"\n{before}\n{GEMV.prototype} {{ {body} }}\n'
    return Candidate(GEMV.name, {"kernel.c": source})


@pytest.mark.parametrize("name", IDIOMS)
def test_idioms_pass(name: str) -> None:
    before, body = IDIOMS[name]
    assert CGrammar().examine(_candidate(body, before), GEMV) is None


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("before", ["", BROKEN])
def test_what_is_refused_is_refused_without_a_tree_too(name: str, before: str) -> None:
    body, kind = REFUSED[name]
    found = CGrammar().examine(_candidate(body, before), GEMV)
    assert found is not None
    assert found.kind == kind


def test_brackets_that_do_not_match_are_no_c() -> None:
    found = CGrammar().examine(_candidate("for (;;", ""), GEMV)
    assert found is not None
    assert found.kind == "syntax"
    assert unbalanced("f(a[1]);\n#if A\n{\n#else\n{\n#endif\n}") is None


def test_a_signature_is_read_without_a_tree() -> None:
    source = "#define NOALIAS restrict\nvoid f(int);\nvoid f(const float *NOALIAS a, int n) { FOR(n) {} }"
    assert parameters(source, "f") == ["const float *restrict a", "int n"]
    assert parameters(source, "g") is None
    other = _candidate("", BROKEN).source.replace("const float *", "float *")
    found = CGrammar().examine(Candidate(GEMV.name, {"kernel.c": other}), GEMV)
    assert found is not None
    assert found.kind == "signature"


def test_tokens_leave_out_white_space_and_comments() -> None:
    row = tokens('a /* "\n */ #b\n# define c \'"\' // d\n"e # f"')
    assert [(one.text, one.line, one.first) for one in row] == [
        ("a", 1, True), ("#", 2, False), ("b", 2, False), ("#", 3, True), ("define", 3, False), ("c", 3, False),
        ("\'\"\'", 3, False), ('"e # f"', 4, True),
    ]  # fmt: skip
