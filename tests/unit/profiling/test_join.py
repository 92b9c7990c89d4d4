"""Planned against measured: the numbers of a line, and what is said to bound it."""

import json
import math
from dataclasses import replace

import pytest

from kernels.profiling.assemble import profile_of
from kernels.profiling.join import Line, bound_of, imbalance_of, join, shares
from kernels.profiling.lanes import Piece
from kernels.profiling.planned import flow_in, planned_rows, whole_call
from kernels.profiling.profile import Profile
from kernels.profiling.shape import Row, shape_of
from kernels.profiling.trace import Call, Trace, call_of
from kernels.sandbox.spans import Timeline
from tests.unit.profiling.timelines import TOTAL, candidate, span, spec, two_loops

GBS = 10.0


def lines(timeline: Timeline, source: str | None = None) -> dict[str, Line]:
    shape = shape_of(timeline, 2)
    one = candidate() if source is None else candidate(source)
    found = join(shape, planned_rows(shape, spec(), flow_in(one, spec())), probe_gbs=GBS)
    return {line.label: line for line in found}


def test_a_loop_is_joined_with_the_bytes_that_it_touches() -> None:
    one = lines(two_loops())["parallel 1"]
    assert (one.touches, one.nbytes, one.planned_ns, one.wall_ns) == (("A",), 4000, 400, 500)
    assert one.ratio == pytest.approx(1.25)
    assert one.gbs == pytest.approx(8.0)
    assert one.busy_ns == (400, 490)
    assert one.imbalance == pytest.approx(490 / 445 - 1)
    assert one.waiting_ns == pytest.approx(55)
    assert one.share == pytest.approx(0.5)
    assert one.bound == "memory wall"


def test_a_marked_loop_and_a_marked_serial_part_are_joined_too() -> None:
    found = lines(two_loops())
    assert (found["down"].touches, found["down"].ratio, found["down"].imbalance) == (("B",), 1.0, 0.0)
    assert (found["prep"].touches, found["prep"].nbytes, found["prep"].bound) == (("y",), 40, "serial")
    first = found["before parallel 1"]
    assert (first.touches, first.nbytes, first.planned_ns) == ((), 0, None)
    assert shares(list(found.values())) == pytest.approx({"memory wall": 0.78, "serial": 0.22})


def test_serial_time_is_planned_where_it_stands() -> None:
    source = candidate().source.replace("kw_parallel_for(10, 0, one, &first)", "one(&first, 0, 10, 0)")
    spans = (span(0, "parallel 1", 600, 900), span(1, "parallel 1", 600, 900))
    found = lines(Timeline(spans, TOTAL), source + "/* */")
    assert (found["before parallel 1"].touches, found["before parallel 1"].nbytes) == (("A",), 4000)
    assert (found["after parallel 1"].touches, found["after parallel 1"].nbytes) == ((), 0)


def test_loops_in_another_order_than_the_source_says_are_matched_by_their_body() -> None:
    again = candidate().source.replace(
        "kw_parallel_for(10, 0, two", "for (int i = 0; i < 3; i++) kw_parallel_for(10, 0, two"
    )
    spans = [span(t, "parallel 1", 0, 400) for t in (0, 1)]
    spans += [span(t, "parallel 2", 400 + 200 * i, 600 + 200 * i) for t in (0, 1) for i in range(3)]
    found = lines(Timeline(tuple(spans), TOTAL), again)
    assert found["parallel 1"].touches == ("A",)
    assert [found[f"parallel 2{n}"].touches for n in ("", " (2)", " (3)")] == [("B",)] * 3


def test_an_impossible_rate_takes_the_plan_away() -> None:
    quick = Timeline((span(0, "parallel 1", 0, 100), span(1, "parallel 1", 0, 100)), 100)
    only = candidate().source.replace("kw_parallel_for(10, 0, two, &second);", "two(&second, 0, 10, 0);")
    one = lines(quick, only)["parallel 1"]
    assert (one.nbytes, one.planned_ns, one.gbs, one.ratio, one.bound) == (None, None, None, None, "not known")


def test_what_cannot_be_followed_has_no_plan() -> None:
    found = lines(two_loops(), "void f(const float *A, const float *B, float *y) { hidden(); }")
    assert {line.nbytes for line in found.values()} == {None}
    assert found["parallel 1"].bound == "not known"


def test_cycles_that_the_measurement_contradicts_are_left_out() -> None:
    shape = shape_of(two_loops(), 2)
    planned = planned_rows(shape, spec(), flow_in(candidate(), spec()))
    found = {line.label: line for line in join(shape, planned, probe_gbs=GBS, compute=lambda n: n / 7)}
    assert (found["parallel 1"].compute_ns, found["parallel 1"].planned_ns) == (None, 400)


def test_cycles_of_a_schedule_enter_the_plan() -> None:
    shape = shape_of(two_loops(), 2)
    planned = planned_rows(shape, spec(), flow_in(candidate(), spec()))
    slow = {line.label: line for line in join(shape, planned, probe_gbs=GBS, compute=lambda n: n / 8)}
    assert (slow["parallel 1"].compute_ns, slow["parallel 1"].planned_ns, slow["parallel 1"].bound) == (
        500,
        500,
        "compute",
    )
    quick = {line.label: line for line in join(shape, planned, probe_gbs=GBS, compute=lambda n: n / 80)}
    assert (quick["parallel 1"].planned_ns, quick["parallel 1"].bound) == (400, "memory wall")


@pytest.mark.parametrize(
    ("busy", "memory_ns", "bound"),
    [
        ((1000.0, 1000.0), 700.0, "memory wall"),
        ((1000.0, 1000.0), 600.0, "compute"),
        ((1000.0, 100.0), 400.0, "imbalance"),
        ((1000.0, 900.0), 0.0, "compute"),
        ((1000.0, 0.0), None, "imbalance"),
        ((1000.0, 900.0), None, "not known"),
    ],
)
def test_what_bounds_a_loop(busy: tuple[float, ...], memory_ns: float | None, bound: str) -> None:
    assert bound_of(Row("x", "parallel", 1000.0, busy), memory_ns, None) == bound


def test_what_bounds_a_serial_part() -> None:
    assert bound_of(Row("x", "serial", 100.0, (100.0, 0.0)), 60.0, None) == "serial"
    assert bound_of(Row("x", "serial", 100.0, (100.0, 0.0)), 90.0, None) == "memory wall"
    assert bound_of(Row("x", "serial", 100.0, (100.0,)), 90.0, None) == "memory wall"
    assert bound_of(Row("x", "serial", 100.0, (100.0,)), 10.0, None) == "compute"


def test_imbalance() -> None:
    assert imbalance_of((3.0, 1.0)) == pytest.approx(0.5)
    assert imbalance_of((2.0, 2.0)) == 0
    assert imbalance_of((0.0, 0.0)) is None


def test_bytes_of_a_whole_call() -> None:
    assert whole_call(spec()) == 4000 + 2800 + 40
    inplace = replace(
        spec(), arguments=tuple(replace(a, role="inout") if a.name == "y" else a for a in spec().arguments)
    )
    assert whole_call(inplace) == 4000 + 2800 + 80
    rows = replace(spec(), tolerances={"y": replace(spec().tolerances["y"], rows_only=True)})
    assert whole_call(rows) == 4000 + 2800


def trace(*elapsed: float) -> Trace:
    calls = tuple(call_of(i, ns, replace(two_loops(), total_ns=int(ns) - 50), 2) for i, ns in enumerate(elapsed))
    return Trace(calls, GBS, "slow 10 GB/s", 30.0)


def test_the_median_call_is_the_profile() -> None:
    found = profile_of(trace(1500, 1050, 1200), spec(), candidate())
    assert (found.calls, found.low_ns, found.elapsed_ns, found.high_ns, found.total_ns) == (3, 1050, 1200, 1500, 1150)
    assert (found.nbytes, found.planned_ns) == (6840, 684)
    assert found.ratio == pytest.approx(1200 / 684)
    assert found.gbs == pytest.approx(5.7)
    serial = 120 + 100 + 150  # the end of the call, after the last loop, is longer here
    assert found.waiting == pytest.approx((serial + 55 * 2) / (2 * 1150))


def test_a_schedule_speaks_of_a_loop_that_is_alone() -> None:
    one = Timeline((span(0, "parallel 1", 0, 500), span(1, "parallel 1", 0, 500)), 500)
    alone = Trace((call_of(0, 520.0, one, 2),), GBS, "")
    assert [line.compute_ns for line in profile_of(alone, spec(), candidate(), compute=lambda n: n / 8).lines] == [500]
    assert {line.compute_ns for line in profile_of(trace(1200), spec(), candidate(), compute=float).lines} == {None}


def test_threads_that_leave_no_marks_are_told() -> None:
    found = profile_of(trace(1200), replace(spec(), threads="openmp"), candidate())
    assert "threads of OpenMP leave no marks" in found.findings[0]


def test_a_profile_survives_its_json() -> None:
    found = profile_of(trace(1500, 1050, 1200), spec(), candidate())
    assert Profile.from_json(json.loads(json.dumps(found.to_json()))) == found
    kept = Trace.from_json(json.loads(json.dumps(trace(1500, 1050, 1200).to_json())))
    assert kept.median == trace(1500, 1050, 1200).median
    assert [len(call.shape.pieces) for call in kept.calls].count(0) == 2


@pytest.mark.parametrize("change", [{"version": 9}, {"lines": 3}, {"total_ns": 0.0}, {"total_ns": math.nan}])
def test_what_is_no_profile_is_refused(change: dict[str, object]) -> None:
    raw = profile_of(trace(1200), spec(), candidate()).to_json()
    with pytest.raises(ValueError, match="profile"):
        Profile.from_json({**raw, **change})
    with pytest.raises(ValueError, match="not a profile"):
        Profile.from_json({"version": 1})


def test_marks_that_contradict_the_clock_are_no_call() -> None:
    with pytest.raises(ValueError, match="the referee's clock"):
        call_of(0, 900.0, replace(two_loops(), total_ns=20_000), 2)
    with pytest.raises(ValueError, match="no profiled call"):
        _ = Trace((), GBS, "").median


def test_pieces_stay_few() -> None:
    many = tuple(span(0, "parallel 1", 10 * i, 10 * i + 9) for i in range(2000))
    many += tuple(span(1, "parallel 1", 10 * i, 10 * i + 9) for i in range(2000))
    call: Call = call_of(0, 21_000.0, Timeline(many, 20_000), 2)
    assert len(call.shape.pieces) <= 3000
    assert call.shape.pieces[0] == Piece(0, "parallel 1", 0.0, 20_000.0)
