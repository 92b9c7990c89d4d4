"""Profiled calls on this device: every source has a timeline, marked or not; a side that fails leaves the other."""

from pathlib import Path

import pytest

from kernels.device.client import Device
from kernels.profiling.assemble import profile_of
from kernels.values.candidate import Candidate
from kernels.values.kernel import Pack
from tests.end_to_end.device.tiny import PRELUDE, ROWS, SIGNATURE, Build, compile_unscanned

pytestmark = pytest.mark.device

LOOP = """
struct all { const float *W, *b, *x; float *y; };
static void rows(void *c, int64_t from, int64_t to, int t) {
    const struct all *a = c;
    for (int64_t i = from; i < to; i++) {
        double s = 0;
        for (int j = 0; j < K; j++) s += (double)a->W[i * K + j] * a->x[j];
        a->y[i] = (float)(s + a->b[i]);
    }
}
"""
POOL = LOOP + SIGNATURE + "{ struct all a = {W, b, x, y}; kw_parallel_for(M, 0, rows, &a); }"
CRASH = SIGNATURE + "{ honest(W, b, x, y); __builtin_trap(); }"
KERNEL = "mv"


def source(body: str) -> str:
    return f"#define M {ROWS[KERNEL]}\n#define NAME {KERNEL}\n{PRELUDE}{body}"


async def test_loops_of_the_pool_are_a_profile(device: Device, tiny_pack: Pack, tmp_path: Path) -> None:
    spec = tiny_pack.kernel(KERNEL)
    built = compile_unscanned(source(POOL), spec, tmp_path, "-DKW_PROFILE")
    found = await device.profile(KERNEL, {"head": built, "candidate": built}, turns=2, calls=2)
    assert {name: (len(t.calls), t.caught, t.findings) for name, t in found.items()} == {
        "head": (4, ("", ""), ()), "candidate": (4, ("", ""), ()),
    }  # fmt: skip
    trace = found["head"]
    assert [c.turn for c in trace.calls] == [0, 0, 1, 1]
    assert trace.probe_gbs > 0
    profile = profile_of(trace, spec, Candidate(KERNEL, {"kernel.c": source(POOL)}))
    (loop,) = [line for line in profile.lines if line.kind == "parallel"]
    assert loop.label == "parallel 1"
    assert loop.touches == ("W", "b", "x", "y")
    assert loop.nbytes == spec.bytes_moved + 4 * (512 + ROWS[KERNEL])
    assert 0 < loop.wall_ns <= profile.total_ns <= profile.elapsed_ns + trace.round_trip_ns
    assert all(busy > 0 for busy in loop.busy_ns)
    assert sum(line.share for line in profile.lines) == pytest.approx(1.0)


async def test_a_side_that_fails_is_named(device: Device, build: Build, tiny_pack: Pack, tmp_path: Path) -> None:
    good = compile_unscanned(source(POOL), tiny_pack.kernel(KERNEL), tmp_path)
    found = await device.profile(KERNEL, {"head": good, "candidate": build(KERNEL, CRASH)}, turns=2, calls=1)
    assert found["head"].caught == ("", "")
    assert len(found["head"].calls) == 2
    assert found["candidate"].caught[0] == "crash"
    assert found["candidate"].calls == ()
    with pytest.raises(ValueError, match="no profiled call"):
        _ = found["candidate"].median
