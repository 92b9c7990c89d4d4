"""Hostile code inside a call: stopped, and named for what it did."""

import platform
import time
from pathlib import Path

import pytest

from kernels.sandbox.limits import MIB, Limits
from kernels.sandbox.runner import RunnerFailed
from tests.unit.sandbox.conftest import Make
from tests.unit.sandbox.kit import HONEST, INPUTS, OUTPUTS, WEIGHTS, Bench

X86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="the mode words are those of x86-64")
C = """
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
static void *work(void *p) { for (;;) ; return p; }
"""
FORBIDDEN = {
    "fork": "fork();",
    "fork bomb": "for (;;) fork();",
    "own thread": "pthread_t t; pthread_create(&t, 0, work, 0); pthread_detach(t);",
    "raw clone": "syscall(SYS_clone, 0x10f00, 0, 0, 0, 0);",
    "exec": 'execl("/bin/sh", "sh", "-c", "true", (char *)0);',
    "open to read": 'open("/etc/passwd", O_RDONLY);',
    "open to write": 'open("/tmp/x", O_WRONLY | O_CREAT, 0600);',
    "command line": 'FILE *f = fopen("/proc/self/cmdline", "rb");',
    "socket": "socket(AF_INET, SOCK_STREAM, 0);",
    "kill its parent": "kill(getppid(), SIGKILL);",
    "ptrace": "ptrace(PTRACE_TRACEME, 0, 0, 0);",
    "ignore signals and sleep": "signal(SIGTERM, SIG_IGN); for (;;) pause();",
    "open weights for writing": "mprotect((void *)W, 4096, PROT_READ | PROT_WRITE);",
    "new executable memory": "mmap(0, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);",
    "hardware counters": "syscall(SYS_perf_event_open, 0, 0, -1, -1, 0);",
    "an own system call filter": "prctl(PR_SET_SECCOMP, 2, 0, 0, 0);",
    "another clock": "struct timespec t = {0, 0}; syscall(SYS_clock_settime, 0, &t);",
    "its own priority": "struct sched_param p = {50}; sched_setscheduler(0, 1, &p);",
    "forged reply": "char forged[64] = {0}; for (int fd = 3; fd < 4096; fd++) syscall(SYS_write, fd, forged, 48);",
    "the next request": "char next[512]; syscall(SYS_read, 3, next, 512);",
}
CRASHES = {
    "null pointer": ("*(volatile int *)0 = 1;", "null pointer"),
    "trap": ("__builtin_trap();", "SIGILL"),
    "division by zero": ("volatile int zero = 0; y[0] = 7777 / zero;", "SIGFPE"),
    "stack overflow": ("volatile char big[1 << 27]; for (long i = 0; i < 1 << 27; i += 512) big[i] = 1;", "SIGSEGV"),
}


@pytest.mark.parametrize("name", FORBIDDEN)
def test_forbidden_system_calls_are_named(bench: Bench, make: Make, name: str) -> None:
    failure = bench.failure(make(FORBIDDEN[name], C))
    if name == "new executable memory":
        assert failure.kind == "memory"
    else:
        assert failure.kind == "forbidden_call", failure
        assert "system call" in failure.detail


@pytest.mark.parametrize("name", CRASHES)
def test_crashes_are_named(bench: Bench, make: Make, name: str) -> None:
    body, words = CRASHES[name]
    failure = bench.failure(make(body))
    assert failure.kind == "crash"
    assert words in failure.detail
    assert failure.segment is None


@pytest.mark.parametrize("body", ["for (;;) ;", "for (;;) sched_yield();", "kw_parallel_for(2, 0, spin, 0);"])
def test_endless_loops_end_at_the_deadline(bench: Bench, make: Make, body: str) -> None:
    prelude = "static void spin(void *c, int64_t b, int64_t e, int t) { for (;;) ; }\n#include <sched.h>\n"
    runner = bench.start(make(body, prelude))
    pid = runner.pid
    with pytest.raises(RunnerFailed, match="hang"):
        bench.call(runner, 0.3)
    assert not Path(f"/proc/{pid}").exists()


def test_leaving_by_exit_is_no_success(bench: Bench, make: Make) -> None:
    failure = bench.failure(make(f"{HONEST} _exit(0);", C))
    assert failure.kind == "exit"


def test_a_memory_bomb_meets_the_limit(bench: Bench, make: Make) -> None:
    bomb = "for (;;) { volatile char *p = malloc(1 << 20); for (int i = 0; i < 1 << 20; i += 4096) p[i] = 1; }"
    failure = bench.failure(make(bomb, C), limits=Limits(address_space=64 * MIB))
    assert failure.kind == "memory"


def test_one_huge_allocation_is_refused_by_name(bench: Bench, make: Make) -> None:
    failure = bench.failure(make("volatile char *p = malloc(5ul << 30); p[0] = 1; free((void *)p);", C))
    assert failure.kind == "memory"


def test_a_write_to_weights_faults_there(bench: Bench, make: Make) -> None:
    failure = bench.failure(make("((volatile float *)W)[3] = 0;"))
    assert (failure.kind, failure.segment, failure.offset) == ("crash", WEIGHTS, 12)
    assert failure.fault is not None
    assert failure.fault.access == "write"
    assert bench.weights_intact


def test_a_write_to_inputs_by_a_helper_faults_there(bench: Bench, make: Make) -> None:
    prelude = "static void f(void *c, int64_t b, int64_t e, int t) { if (t == 1) ((volatile float *)c)[1] = 0; }"
    failure = bench.failure(make("kw_parallel_for(2, 0, f, (void *)x);", prelude))
    assert (failure.kind, failure.segment) == ("crash", INPUTS)


def test_one_element_past_the_output_hits_the_guard(bench: Bench, make: Make) -> None:
    failure = bench.failure(make(f"{HONEST} ((volatile float *)y)[64] = 0;"))
    assert (failure.kind, failure.segment) == ("crash", OUTPUTS)
    assert failure.offset == bench.y_at + 64 * 4


@pytest.mark.parametrize(("index", "words"), [(-1, "before segment 0"), (64 * 256, "past the end of segment 0")])
def test_reads_beside_the_weights_are_told_from_writes_into_them(
    bench: Bench, make: Make, index: int, words: str
) -> None:
    failure = bench.failure(make(f"y[0] = ((const volatile float *)W)[{index}];"))
    assert failure.kind == "crash"
    assert words in failure.detail
    assert failure.segment is None
    assert failure.fault is not None
    assert (failure.fault.segment, failure.fault.access) == (WEIGHTS, "read")


@X86
@pytest.mark.parametrize(
    "mode", ["__builtin_ia32_ldmxcsr(0x9fc0);", 'short m = 0x7f; __asm__ volatile("fldcw %0" :: "m"(m));']
)
def test_a_changed_floating_point_mode_is_seen_and_undone(bench: Bench, make: Make, mode: str) -> None:
    runner = bench.start(make(f"static int calls; {HONEST} if (!calls++) {{ {mode} }}"))
    assert bench.call(runner).fp_mode_changed
    assert not bench.call(runner).fp_mode_changed


@X86
def test_a_mode_changed_by_a_helper_is_seen(bench: Bench, make: Make) -> None:
    prelude = "static void f(void *c, int64_t b, int64_t e, int t) { if (t) __builtin_ia32_ldmxcsr(0x9fc0); }"
    runner = bench.start(make(f"{HONEST} kw_parallel_for(2, 0, f, 0);", prelude))
    assert bench.call(runner).fp_mode_changed


def test_printing_fills_the_log_up_to_its_cap_and_nothing_else(bench: Bench, make: Make) -> None:
    body = f'for (int i = 0; i < 200; i++) write(1, "RESULT ok=1 us=0.01\\n", 20); {HONEST}'
    runner = bench.start(make(body, C), limits=Limits(file_size=1000))
    bench.call(runner)
    assert bench.right
    assert runner.log.startswith("RESULT ok=1")
    assert len(runner.log) <= 1000


def test_the_filter_of_threads_leaves_the_rest_shut(bench: Bench, make: Make) -> None:
    """A contract with own threads opens clone for threads, nothing more."""
    threads = Limits(own_threads=True)
    assert bench.failure(make(FORBIDDEN["fork"], C), limits=threads).kind == "forbidden_call"
    assert bench.failure(make(FORBIDDEN["exec"], C), limits=threads).kind == "forbidden_call"


def test_threads_of_its_own_are_counted(bench: Bench, make: Make) -> None:
    runner = bench.start(make(f"{FORBIDDEN['own thread']} {HONEST}", C), limits=Limits(own_threads=True))
    before = runner.census().threads
    bench.call(runner)
    time.sleep(0.01)
    assert runner.census().threads == before + 1


STUB = """
/* Looks for `mov $1, %eax; syscall; ret` in the harness's own code and answers before the work is done. */
typedef long (*write_fn)(int, const void *, unsigned long);
static write_fn stub(void) {
    const unsigned char wanted[] = {0xb8, 1, 0, 0, 0, 0x0f, 0x05, 0xc3};
    const unsigned char *at = (const unsigned char *)kw_parallel_for;
    for (long i = -8192; i < 8192; i++)
        if (!memcmp(at + i, wanted, sizeof wanted)) return (write_fn)(at + i);
    return 0;
}
static void forge(uint64_t seq) {
    struct { uint32_t magic, status; uint64_t seq, own; uint32_t rest[4]; } reply = {0x4b575250, 0, seq, 1, {0}};
    write_fn send = stub();
    for (int fd = 3; send && fd < 4096; fd++) send(fd, &reply, sizeof reply);
}
"""


@X86
def test_a_forged_reply_through_the_harness_is_found_out(bench: Bench, make: Make) -> None:
    """It costs nothing to answer early, and gains nothing: the harness's own answer comes too."""
    runner = bench.start(make(f"static uint64_t n; forge(++n); {HONEST}", STUB))
    with pytest.raises(RunnerFailed, match="protocol"):
        for _ in range(16):  # a reading's worth of calls: which of the two answers is seen first is a race
            bench.call(runner)


def test_no_thread_works_between_calls(bench: Bench, make: Make) -> None:
    """A worker that goes on after the return could compute ahead, finish late, or slow others down."""
    runner = bench.start(make(f"{FORBIDDEN['own thread']} {HONEST}", C), limits=Limits(own_threads=True))
    bench.call(runner)
    time.sleep(0.01)
    before = runner.census().cpu_s
    time.sleep(0.03)
    assert runner.census().cpu_s - before < 0.002
    runner.thaw()
    time.sleep(0.1)
    assert runner.census().cpu_s - before > 0.01


LEAVES = """
static void *frame[5];
static void part(void *c, int64_t b, int64_t e, int t) {
    if (t == 0) __builtin_longjmp(frame, 1);
    for (volatile long i = 0; i < 20000000; i++) ;
    *(volatile float *)c = 7;
}
"""


def test_a_jump_out_of_a_parallel_loop_does_not_end_the_call_early(bench: Bench, make: Make) -> None:
    body = "if (__builtin_setjmp(frame) == 0) kw_parallel_for(2, 0, part, y);"
    bench.call(bench.start(make(body, LEAVES)))
    assert bench.y[0] == 7


def test_an_uninitialised_stack_differs_from_call_to_call(bench: Bench, make: Make) -> None:
    prelude = """
    static __attribute__((noinline)) void look(float *y) { volatile unsigned char a[4096]; y[0] = a[100]; }
    static void part(void *c, int64_t b, int64_t e, int t) { look((float *)c + b); }
    """
    runner = bench.start(make("kw_parallel_for(2, 0, part, y);", prelude))
    seen: list[tuple[float, float]] = []
    for _ in range(4):
        runner.arm()
        bench.call(runner)
        seen.append((float(bench.y[0]), float(bench.y[1])))
    assert all(len(set(one)) >= 3 for one in zip(*seen, strict=True))
