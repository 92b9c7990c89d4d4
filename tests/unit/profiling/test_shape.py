"""The shape of a call: rows add up to the call, loops have the source's names, what contradicts itself is refused."""

import math

import pytest

from kernels.profiling.shape import Shape, shape_of
from kernels.sandbox.spans import Span, Timeline
from tests.unit.profiling.timelines import TOTAL, span, two_loops


def rows(shape: Shape) -> list[tuple[str, str, float, tuple[float, ...], int]]:
    return [(r.label, r.kind, r.wall_ns, r.busy_ns, r.count) for r in shape.rows]


def test_loops_and_serial_parts_are_told_apart() -> None:
    shape = shape_of(two_loops(), 2)
    assert rows(shape) == [
        ("before parallel 1", "serial", 100, (100, 0), 1),
        ("parallel 1", "parallel", 500, (400, 490), 1),
        ("prep", "serial", 100, (100, 0), 1),
        ("down", "parallel", 280, (280, 280), 1),
        ("after down", "serial", 20, (20, 0), 1),
    ]
    assert sum(r.wall_ns for r in shape.rows) == TOTAL
    assert [(r.first, r.mark) for r in shape.rows] == [(0, ""), (0, ""), (1, "prep"), (1, ""), (2, "")]
    assert shape.loops == 2


def test_short_serial_stretches_share_a_row() -> None:
    spans = (span(0, "parallel 1", 5, 500), span(0, "parallel 1", 505, 995))
    assert rows(shape_of(Timeline(spans, TOTAL), 1))[0] == ("serial", "serial", 15, (15,), 3)


def test_a_call_without_marks_is_one_serial_row() -> None:
    assert rows(shape_of(Timeline((), TOTAL), 2)) == [("serial", "serial", 1000, (1000, 0), 1)]


def test_a_loop_that_runs_again_has_a_row_of_its_own_and_many_share_one() -> None:
    three = tuple(span(0, "parallel 1", 10 * i, 10 * i + 10) for i in range(3))
    assert [r.label for r in shape_of(Timeline(three, 30), 1).rows] == [
        "parallel 1",
        "parallel 1 (2)",
        "parallel 1 (3)",
    ]
    many = tuple(span(0, "parallel 1", 10 * i, 10 * i + 8) for i in range(100))
    assert rows(shape_of(Timeline(many, 1000), 1)) == [
        ("parallel 1", "parallel", 800, (800,), 100),
        ("serial", "serial", 200, (200,), 100),
    ]


def test_a_mark_around_one_loop_names_it_and_its_serial_rest() -> None:
    spans = (span(0, "up", 0, 500), span(0, "all", 0, 1000), span(0, "parallel 1", 100, 500, 1))
    deep = tuple(Span(s.thread, s.name, s.begin_ns, s.end_ns, d) for s, d in zip(spans, (1, 0, 2), strict=True))
    assert rows(shape_of(Timeline(deep, TOTAL), 1)) == [
        ("up, serial", "serial", 100, (100,), 1),
        ("up", "parallel", 400, (400,), 1),
        ("all", "serial", 500, (500,), 1),
    ]


def test_several_marks_inside_a_loop_are_its_parts() -> None:
    spans = (
        span(0, "parallel 1", 0, 100), span(0, "load", 0, 40, 1), span(0, "store", 40, 100, 1),
        span(1, "parallel 1", 0, 100), span(1, "load", 0, 70, 1),
    )  # fmt: skip
    (row,) = shape_of(Timeline(spans, 100), 2).rows
    assert row.label == "parallel 1"
    assert dict(row.parts) == {"load": 110, "store": 60}


def test_threads_that_the_device_does_not_have_are_left_out() -> None:
    spans = (span(0, "parallel 1", 0, 100), span(63, "parallel 1", 0, 100))
    (row,) = shape_of(Timeline(spans, 100), 2).rows
    assert row.busy_ns == (100, 0)


@pytest.mark.parametrize(
    "spans",
    [(span(0, "a", -5000, 10),), (span(0, "a", 500, 400),), (span(0, "a", 0, 1e9),), (span(0, "a", math.nan, 1),)],
)
def test_marks_outside_of_the_call_are_no_timeline(spans: tuple[Span, ...]) -> None:
    with pytest.raises(ValueError, match="a span of"):
        shape_of(Timeline(spans, TOTAL), 2)


def test_a_call_of_no_time_is_no_timeline() -> None:
    with pytest.raises(ValueError, match="took 0 ns"):
        shape_of(Timeline((), 0), 2)


def test_thousands_of_marks_are_quick() -> None:
    many = [span(t, "parallel 1", 10 * i, 10 * i + 9) for t in range(8) for i in range(2000)]
    many += [span(0, "x", 10 * i + 2, 10 * i + 3, 1) for i in range(2000)]
    shape = shape_of(Timeline(tuple(many), 20_000), 8)
    assert shape.rows[0].count == 2000
