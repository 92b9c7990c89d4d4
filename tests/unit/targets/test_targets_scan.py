"""The object scan and the flags: what gets no further."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.targets.base import CompileFailed
from kernels.targets.cpu_c.flags import refused
from kernels.targets.cpu_c.instructions import unwanted
from kernels.targets.cpu_c.object_scan import ScanFailed, scan
from kernels.targets.cpu_c.target import CpuC
from tests.unit.targets.kit import HONEST, candidate, spec_of

PROBLEMS = {
    "printf": ('printf("%f", x[0]);', "#include <stdio.h>", "printf"),
    "exit": ("_exit(0);", "#include <unistd.h>", "_exit"),
    "thread": ("pthread_create(&t, 0, 0, 0);", "#include <pthread.h>\nstatic pthread_t t;", "pthread_create"),
    "environment": ('y[0] = getenv("PHASE") != 0;', "#include <stdlib.h>", "getenv"),
    "memory": ("kept = malloc(x[0]);", "#include <stdlib.h>\nvoid *kept;", "malloc"),
    "loader": ('dlsym(0, "write");', "#include <dlfcn.h>", "dlsym"),
    "constructor": (HONEST, "int n; __attribute__((constructor)) static void go(void) { n = 1; }", "load time"),
    "destructor": (HONEST, "int n; __attribute__((destructor)) static void go(void) { n = 1; }", "load time"),
    "raw section": (
        HONEST,
        'void f(void);void *p __attribute__((section(".init_array"))) = f;void f(void){}',
        "load time",
    ),
    "spaced section": (
        HONEST,
        'void f(void);void *p __attribute__((section("\\".init_array.1 x\\""))) = f;void f(void){}',
        "load time",
    ),
    "foreign section": (HONEST, 'int n __attribute__((section("mine"))) = 3;', "section mine is none"),
    "data among code": (HONEST, 'const char n[] __attribute__((section(".text"))) = {1};', "hides instructions"),
    "start-up hook": (HONEST, "int n; void __gmon_start__(void) { n = 1; }", "a name of the system"),
    "executable stack": (
        "void part(void *c, int64_t b, int64_t e, int t) { y[b] = x[e]; } kw_parallel_for(4, 0, part, 0);",
        "",
        "executable stack",
    ),
    "name of the harness": (HONEST, "int kw_helper(void) { return 1; }", "a name of the system"),
}
X86_PROBLEMS = {
    "system call": ('__asm__ volatile("syscall");', "", "syscall"),
    "old system call": ('__asm__ volatile("int $0x80");', "", "int"),
    "timer": ("y[0] = __builtin_ia32_rdtsc();", "", "rdtsc"),
    "mode": ("__builtin_ia32_ldmxcsr(0x9fc0);", "", "ldmxcsr"),
    "resolver": (
        "f();",
        "static void a(void) { } static void *pick(void) { return a; }\n"
        'void f(void) __attribute__((ifunc("pick")));',
        "indirect",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PROBLEMS)
def test_what_a_kernel_must_not_have_is_refused(target: CpuC, tmp_path: Path, name: str) -> None:
    _refused(target, tmp_path, *PROBLEMS[name])


@pytest.mark.parametrize("name", X86_PROBLEMS)
def test_instructions_that_a_kernel_must_not_have_are_refused(target: CpuC, tmp_path: Path, name: str) -> None:
    if target.machine.architecture != "x86_64":
        raise pytest.skip.Exception("the instructions are those of x86-64")
    _refused(target, tmp_path, *X86_PROBLEMS[name])


def _refused(target: CpuC, folder: Path, body: str, prelude: str, words: str) -> None:
    with pytest.raises(CompileFailed) as caught:
        target.compile(candidate(body, prelude), spec_of(), folder)
    assert caught.value.kind == "object_scan", caught.value.diagnostics
    assert words in caught.value.diagnostics


def test_mathematics_memory_and_the_pool_are_allowed(target: CpuC, tmp_path: Path) -> None:
    body = """
    memcpy(y, x, 32); memset(y, 0, 4); kw_parallel_for(kw_threads(), 0, body, y);
    y[0] = expf(x[0]) + tanhf(x[1]) + powf(x[2], x[3]) + fmaf(x[4], x[5], x[6]) + erff(x[7]);
    y[1] = sqrt(x[8]) + roundf(x[9]);
    """
    prelude = "#include <math.h>\nstatic void body(void *c, int64_t b, int64_t e, int t) { ((float *)c)[t] = b; }"
    prelude += "\nstatic _Thread_local float scratch[4096]; static float *mine(void) { return scratch; }"
    body += "mine()[3] = y[0];"
    for flags in ((), ("-ffast-math",), ("-fstack-protector-all",)):
        assert target.compile(candidate(body, prelude, flags=flags), spec_of(), tmp_path).findings == ()


@pytest.mark.parametrize(("words", "noted"), [(20_000, True), (10_000, False)])
def test_large_writable_state_is_a_finding(target: CpuC, tmp_path: Path, words: int, noted: bool) -> None:
    prelude = f"static float cache[{words}]; static int at;"
    built = target.compile(candidate("cache[at++] = x[0]; y[0] = cache[(int)x[1]];", prelude), spec_of(), tmp_path)
    assert any("writable state" in finding for finding in built.findings) is noted


def test_constants_are_no_state(target: CpuC, tmp_path: Path) -> None:
    prelude = "static const float table[40000] = { [3] = 1, [39999] = 2 };"
    assert target.compile(candidate("y[0] = table[(int)x[0]];", prelude), spec_of(), tmp_path).findings == ()


def test_cache_control_is_a_finding(target: CpuC, tmp_path: Path) -> None:
    if target.machine.architecture != "x86_64":
        raise pytest.skip.Exception("the instruction is one of x86-64")
    built = target.compile(candidate(f"__builtin_ia32_clflush(W); {HONEST}"), spec_of(), tmp_path)
    assert any("clflush" in finding for finding in built.findings)


def test_a_name_is_no_instruction(target: CpuC, tmp_path: Path) -> None:
    prelude = "__attribute__((noinline)) void rdtsc(float *y) { y[1] = 1; }"
    target.compile(candidate("rdtsc(y);", prelude), spec_of(), tmp_path)


def test_what_is_no_object_is_not_trusted(tmp_path: Path) -> None:
    path = tmp_path / "x.o"
    path.write_bytes(b"no object")
    with pytest.raises(ScanFailed):
        scan(path)


@pytest.mark.parametrize(
    ("line", "refused_words", "noted_words"),
    [
        ("   0:\tlock syscall", 1, 0),
        ("   0:\tvldmxcsr (%rax)", 1, 0),
        ("   0:\tiretq", 1, 0),
        ("   4:\tmsr\tfpcr, x0", 1, 0),
        ("   4:\tmrs\tx0, cntvct_el0", 1, 0),
        ("   4:\tfldcw  -0x2(%rsp)", 0, 1),
        ("   4:\tint3", 0, 0),
        ("0000 <rdtsc>:\n   4:\tcall   10 <syscall>", 0, 0),
        ("", 0, 0),
    ],
)
def test_instructions_are_read_by_their_mnemonic(line: str, refused_words: int, noted_words: int) -> None:
    found = unwanted(f"{line}\n")
    assert (len(found[0]), len(found[1])) == (refused_words, noted_words)


ALLOWED = """-O1 -O2 -O3 -Ofast -ffast-math -funroll-loops -mprefer-vector-width=512 -march=native -mtune=znver4
-mavx512bf16 -fno-math-errno -ffp-contract=fast --param=max-unroll-times=4 -DROWS=4 -DKW_TUNE_X=1.5
-fno-tree-vectorize -fprefetch-loop-arrays -fstack-protector-all -fopt-info-vec"""
REFUSED = """-fplugin=/tmp/x.so -fsanitize=address -fprofile-use=x -flto -I/etc -include/etc/passwd -B/tmp -wrapper
-specs=/tmp/x @file -o/tmp/x -xnone -Wl,-z,execstack -fdump-tree-all -fopt-info=x -m32 -DX=/etc/passwd -D_X="a"
-fno-plugin -fuse-ld=gold -fopenmp -pg -g -L. -lm --sysroot=/ --param -march=native;id -fself-test=x -fcompare-debug
-save-temps -finput-charset=UTF-7 -fexec-charset=IBM037 -fleading-underscore -fno-asm -fpatchable-function-entry=2
-ffixed-rbx -fcall-used-rbx -fcall-saved-rax -fpcc-struct-return"""


@pytest.mark.parametrize("flag", ALLOWED.split())
def test_code_generation_flags_are_allowed(flag: str) -> None:
    assert refused([flag]) is None


@pytest.mark.parametrize("flag", ["", *REFUSED.split()])
def test_other_flags_are_refused(flag: str) -> None:
    assert refused(["-O2", flag]) == flag


@given(st.text(max_size=30))
def test_no_flag_names_a_path_or_a_second_word(text: str) -> None:
    if refused([text]) is None:
        assert text.startswith("-")
        assert not set(text) & set("/\\@ \t\n\"'$`;|&<>")
