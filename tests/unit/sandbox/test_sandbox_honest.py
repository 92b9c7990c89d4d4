"""Kernels that keep to the contract run, with every thread and in every way of sharing work."""

import numpy as np
import pytest

from kernels.sandbox.limits import Limits
from tests.unit.sandbox.conftest import Make
from tests.unit.sandbox.kit import HONEST, ROWS, Bench

POOL = """
struct job { const float *W, *x; float *y; };
static void rows(void *context, int64_t begin, int64_t end, int thread) {
    struct job *job = context;
    for (int64_t i = begin; i < end; i++) {
        float s = 0;
        for (int j = 0; j < 256; j++) s += job->W[i * 256 + j] * job->x[j];
        job->y[i] = s;
    }
}
"""
COUNT = """
static _Atomic int seen[64], threads;
static void mark(void *context, int64_t begin, int64_t end, int thread) {
    if (thread < 0 || thread >= kw_threads()) threads = -1000;
    for (int64_t i = begin; i < end; i++) seen[i]++;
}
static void nested(void *context, int64_t begin, int64_t end, int thread) { kw_parallel_for(64, 3, mark, 0); }
"""


def test_right_values_come_back(bench: Bench, make: Make) -> None:
    runner = bench.start(make(HONEST))
    for _ in range(3):
        runner.arm()
        done = bench.call(runner)
        assert bench.right
        assert 0 < done.own_ns <= done.elapsed_ns
        assert not done.fp_mode_changed


@pytest.mark.parametrize("chunk", [0, 1, 7, 64, 1000])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_parallel_loop_covers_every_row(bench: Bench, make: Make, chunk: int, threads: int) -> None:
    body = f"struct job job = {{W, x, y}}; kw_parallel_for(64, {chunk}, rows, &job);"
    runner = bench.start(make(body, POOL), threads=threads)
    for _ in range(20):
        bench.call(runner)
        assert bench.right


@pytest.mark.parametrize("loop", ["kw_parallel_for(64, 0, mark, 0);", "kw_parallel_for(64, 5, mark, 0);"])
def test_every_index_is_visited_once(bench: Bench, make: Make, loop: str) -> None:
    runner = bench.start(make(f"{loop} for (int i = 0; i < 64; i++) y[i] = seen[i] + threads;", COUNT))
    bench.call(runner)
    np.testing.assert_array_equal(bench.y, np.ones(ROWS))


def test_nested_loops_run_serially(bench: Bench, make: Make) -> None:
    body = "kw_parallel_for(kw_threads(), 1, nested, 0); for (int i = 0; i < 64; i++) y[i] = seen[i] + threads;"
    runner = bench.start(make(body, COUNT))
    bench.call(runner)
    np.testing.assert_array_equal(bench.y, np.full(ROWS, 2))


def test_an_empty_loop_returns(bench: Bench, make: Make) -> None:
    runner = bench.start(make(f"kw_parallel_for(0, 0, mark, 0); kw_parallel_for(-3, 1, mark, 0); {HONEST}", COUNT))
    bench.call(runner)
    assert bench.right


def test_helpers_that_have_gone_to_sleep_are_woken(bench: Bench, make: Make) -> None:
    import time

    body = "struct job job = {W, x, y}; kw_parallel_for(64, 0, rows, &job);"
    runner = bench.start(make(body, POOL))
    bench.call(runner)
    deadline = time.monotonic() + 60
    while runner.census().running and time.monotonic() < deadline:
        time.sleep(0.01)
    assert runner.census().running == 0
    bench.call(runner)
    assert bench.right


def test_the_census_counts_the_pool(bench: Bench, make: Make) -> None:
    runner = bench.start(make(HONEST), threads=3)
    found = runner.census()
    assert (found.threads, found.processes) == (3, 1)
    runner.close()
    assert runner.census().threads == 0


def test_a_round_trip_takes_time_and_closing_twice_is_harmless(bench: Bench, make: Make) -> None:
    runner = bench.start(make(HONEST))
    assert runner.ping() > 0
    assert runner.level.endswith("+seccomp")
    runner.close()
    runner.close()


def test_real_time_is_reported_as_it_holds(bench: Bench, make: Make) -> None:
    import os

    runner = bench.start(make(HONEST))
    try:
        held = runner.realtime(True)
        assert (os.sched_getscheduler(runner.pid) == os.SCHED_FIFO) is held
        bench.call(runner)
        assert bench.right
    finally:
        assert runner.realtime(False) is False
    assert os.sched_getscheduler(runner.pid) == os.SCHED_OTHER
    assert os.sched_getscheduler(0) == os.SCHED_OTHER


def test_openmp_runs_where_the_contract_allows_threads(bench: Bench, make: Make) -> None:
    body = """
    #pragma omp parallel for num_threads(3)
    for (int i = 0; i < 64; i++) {
        float s = 0;
        for (int j = 0; j < 256; j++) s += W[i * 256 + j] * x[j];
        y[i] = s;
    }"""
    runner = bench.start(make(body, flags=("-fopenmp",)), limits=Limits(own_threads=True))
    bench.call(runner)
    assert bench.right
    assert runner.census().threads == 3


@pytest.mark.parametrize("name", ["sinf", "expf", "tanhf"])
def test_mathematics_of_the_c_library_is_there(bench: Bench, make: Make, name: str) -> None:
    body = f"for (int i = 0; i < 64; i++) y[i] = {name}(x[i]);"
    runner = bench.start(make(body, "#include <math.h>\n"))
    bench.call(runner)
    wanted = {"sinf": np.sin, "expf": np.exp, "tanhf": np.tanh}[name](bench.x[:64].astype(np.float64))
    np.testing.assert_allclose(bench.y, wanted, rtol=1e-5)
