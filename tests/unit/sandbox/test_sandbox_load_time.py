"""Hostile code that runs when the object is loaded: the scan refuses it, and the sandbox holds without the scan."""

import pytest

from kernels.sandbox.limits import Limits
from kernels.sandbox.runner import Runner, RunnerFailed
from tests.unit.sandbox.conftest import Make
from tests.unit.sandbox.kit import HONEST, Bench
from tests.unit.sandbox.test_sandbox_attacks import STUB, X86, C

FORBIDDEN = {
    "fork bomb": "for (;;) fork();",
    "reads a file": 'open("/etc/passwd", O_RDONLY);',
    "writes a file": 'open("/tmp/x", O_WRONLY | O_CREAT, 0600);',
    "network": "socket(AF_INET, SOCK_STREAM, 0);",
    "starts a thread": "pthread_t t; pthread_create(&t, 0, work, 0);",
    "executes": 'execl("/bin/true", "true", (char *)0);',
    "executable memory": "mprotect((void *)((long)work & ~4095l), 4096, PROT_READ | PROT_WRITE | PROT_EXEC);",
    "filters of its own": "syscall(SYS_seccomp, 1, 0, 0);",
    "forged ready": "char r[48] = {0x50, 0x52, 0x57, 0x4b}; for (int i = 999; i-- > 3;) syscall(SYS_write, i, r, 48);",
}


def _constructor(body: str) -> str:
    return f"{C}__attribute__((constructor)) static void load(void) {{ {body} }}\n"


@pytest.mark.parametrize("name", FORBIDDEN)
def test_load_time_code_is_confined(bench: Bench, make: Make, name: str) -> None:
    failure = bench.failure(make(HONEST, _constructor(FORBIDDEN[name])))
    assert failure.kind == "forbidden_call", failure


def test_a_forged_result_and_a_clean_exit_are_an_exit(bench: Bench, make: Make) -> None:
    failure = bench.failure(make("", _constructor('printf("RESULT ok=1 us=0.01\\n"); write(1, "ok", 2); _exit(0);')))
    assert failure.kind in ("exit", "forbidden_call")


def test_load_time_code_that_never_ends_is_a_hang(bench: Bench, make: Make) -> None:
    failure = bench.failure(make(HONEST, _constructor("for (;;) ;")), limits=Limits(start_s=0.5))
    assert failure.kind == "hang"


def test_an_object_that_needs_more_than_there_is(bench: Bench, make: Make) -> None:
    failure = bench.failure(make("y[0] = big[(int)x[0]] + sizeof big;", "volatile char big[3000000000ul];"))
    assert failure.kind == "memory"


@pytest.mark.parametrize("text", ["", "int no_entry;"])
def test_what_is_no_kernel_is_not_loaded(bench: Bench, make: Make, text: str) -> None:
    library = make(HONEST).with_name(f"other{len(text)}.so")
    library.write_text(text)
    assert bench.failure(library).kind == "load"


def test_an_unresolved_symbol_is_named(bench: Bench, make: Make) -> None:
    failure = bench.failure(make("nowhere();", "void nowhere(void);"))
    assert failure.kind == "load"
    assert "nowhere" in failure.detail


def test_the_harness_offers_the_pool_and_nothing_else(bench: Bench, make: Make) -> None:
    failure = bench.failure(make("kw_confine_load(0);", "void kw_confine_load(int);"))
    assert failure.kind == "load"


@X86
def test_last_words_that_blame_the_harness_do_not_excuse(bench: Bench, make: Make) -> None:
    """A failure of the harness would bind no candidate: nobody may claim one."""
    words = "uint32_t w[12] = {0x4b575253, 4}; for (int fd = 4095; send && fd > 2 && send(fd, w, 48) != 48; fd--);"
    failure = bench.failure(make("", STUB + _constructor(f"write_fn send = stub(); {words} _exit(93);")))
    assert failure.kind == "protocol", failure
    assert "blames the harness" in failure.detail


def test_a_missing_file_is_no_fault_of_the_candidate(bench: Bench, make: Make) -> None:
    with pytest.raises(RunnerFailed) as caught:
        Runner.start(bench.binary, make(HONEST).with_name("absent.so"), bench.segments, 1)
    assert caught.value.kind == "setup"
