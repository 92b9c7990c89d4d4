"""Failures are told apart and explained: records, exit codes, spans."""

import signal

import pytest

from kernels.sandbox import failure, spans, wire
from kernels.sandbox.failure import Fault, LastWords
from kernels.sandbox.runner import RunnerFailed
from kernels.sandbox.spawn import Segment
from kernels.sandbox.syscalls import name_of
from tests.unit.sandbox.conftest import Make
from tests.unit.sandbox.kit import HONEST, Bench

SIZES = (4096, 8192)


def _record(
    kind: int, *, segment: int = -1, offset: int = 0, access: int = 0, text: bytes = b"", number: int = 0
) -> bytes:
    values = (wire.STATUS_MAGIC, kind, int(signal.SIGSEGV), segment, 0x1234, offset, number, access, len(text))
    return wire.STATUS.pack(*values) + text


@pytest.mark.parametrize(
    ("segment", "offset", "access", "words"),
    [
        (0, 100, 2, "write at segment 0, offset 100"),
        (0, -8, 1, "read 8 bytes before segment 0"),
        (1, 8192 + 16, 2, "write 16 bytes past the end of segment 1"),
        (-1, 0, 0, "access at address 0x1234"),
        (7, 0, 1, "read at address 0x1234"),
    ],
)
def test_faults_say_where(segment: int, offset: int, access: int, words: str) -> None:
    found = LastWords.parse(_record(wire.Status.FAULT, segment=segment, offset=offset, access=access), SIZES)
    assert found is not None
    assert words in found.failure.detail
    assert found.failure.fault_address == 0x1234
    inside = 0 <= segment < 2 and 0 <= offset < SIZES[segment]
    assert (found.failure.segment is not None) is inside


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        (wire.Status.LOAD_FAILED, b"cannot open it", "load"),
        (wire.Status.LOAD_FAILED, b"failed to map segment from shared object", "memory"),
        (wire.Status.SETUP_FAILED, b"no filter", "setup"),
        (wire.Status.NO_MEMORY, b"", "memory"),
        (wire.Status.TIME_LIMIT, b"", "hang"),
        (wire.Status.STACK_SMASHED, b"", "crash"),
        (wire.Status.FORBIDDEN, b"", "forbidden_call"),
    ],
)
def test_last_words_become_kinds(kind: int, text: bytes, expected: str) -> None:
    found = LastWords.parse(_record(kind, text=text, number=9999), SIZES)
    assert found is not None
    assert found.failure.kind == expected
    assert found.failure.detail


@pytest.mark.parametrize("raw", [b"", b"short", b"\0" * wire.STATUS.size])
def test_garbage_is_no_record(raw: bytes) -> None:
    assert LastWords.parse(raw, SIZES) is None


@pytest.mark.parametrize(
    ("code", "oom", "kind"),
    [
        (0, False, "exit"),
        (3, False, "exit"),
        (-int(signal.SIGKILL), True, "memory"),
        (128 + int(signal.SIGKILL), False, "hang"),
        (-int(signal.SIGSYS), False, "forbidden_call"),
        (128 + int(signal.SIGSEGV), False, "crash"),
    ],
)
def test_exit_codes_become_kinds(code: int, oom: bool, kind: str) -> None:
    assert failure.of_end(code, out_of_memory=oom).kind == kind


def test_the_place_is_only_given_inside_a_segment() -> None:
    beside = RunnerFailed("crash", "x", fault=Fault(1, "read", 0, 4096, 4096))
    assert (beside.segment, beside.offset) == (None, None)


def test_system_calls_have_names() -> None:
    assert "mprotect" in name_of(10) + name_of(226)
    assert name_of(99999) == "number 99999"


def test_segments_are_spelled_for_the_runner() -> None:
    assert Segment(5, 4096, False).word == "5:4096:r"
    assert Segment(5, 12288, True, ((4096, 64),)).word == "5:12288:w:4096+64"


def test_spans_of_a_profiled_build(bench: Bench, make: Make) -> None:
    prelude = """
static void part(void *c, int64_t b, int64_t e, int t) {
    KW_SPAN_BEGIN(part);
    for (volatile int i = 0; i < 9999; i++) ;
    KW_SPAN_END(part);
}
"""
    body = f"KW_SPAN_BEGIN(all); kw_parallel_for(2, 0, part, 0); {HONEST} KW_SPAN_END(all); KW_SPAN_END(never);"
    runner = bench.start(make(body, prelude, flags=("-DKW_PROFILE",)), profile=True)
    for _ in range(2):
        done = bench.call(runner)
    found = runner.timeline()
    assert bench.right
    assert sorted((s.thread, s.name, s.depth) for s in found.spans) == [
        (0, "all", 0), (0, "parallel 1", 1), (0, "part", 2), (1, "parallel 1", 0), (1, "part", 1),
    ]  # fmt: skip
    assert all(0 <= s.begin_ns < s.end_ns <= found.total_ns * 1.01 for s in found.spans)
    assert 0 < found.total_ns <= done.elapsed_ns


def test_loops_of_the_pool_are_spans_without_any_mark(bench: Bench, make: Make) -> None:
    prelude = """
static void one(void *c, int64_t b, int64_t e, int t) { for (volatile int i = 0; i < 9999; i++) ; }
static void two(void *c, int64_t b, int64_t e, int t) { kw_parallel_for(2, 0, one, 0); }
"""
    body = f"kw_parallel_for(8, 1, one, 0); kw_parallel_for(2, 0, two, 0); kw_parallel_for(8, 0, one, 0); {HONEST}"
    for threads in (1, 2):
        runner = bench.start(make(body, prelude), profile=True, threads=threads)
        for _ in range(2):
            bench.call(runner)
        found = runner.timeline()
        assert bench.right
        for thread in range(threads):
            names = [s.name for s in found.spans if s.thread == thread]
            assert names == ["parallel 1", "parallel 2", "parallel 1"]
        assert all(s.depth == 0 for s in found.spans)


def test_too_many_marks_are_counted_not_kept(bench: Bench, make: Make) -> None:
    body = f"for (int i = 0; i < {spans.MARKS}; i++) {{ KW_SPAN_BEGIN(a); KW_SPAN_END(a); }} {HONEST}"
    runner = bench.start(make(body, flags=("-DKW_PROFILE",)), profile=True)
    bench.call(runner)
    assert runner.timeline().lost == spans.MARKS
    assert len(runner.timeline().spans) == spans.MARKS // 2


def test_marks_without_a_profile_cost_nothing(bench: Bench, make: Make) -> None:
    runner = bench.start(make(f"KW_SPAN_BEGIN(a); {HONEST} KW_SPAN_END(a);", flags=("-DKW_PROFILE",)))
    bench.call(runner)
    assert bench.right
    assert runner.timeline().spans == ()
