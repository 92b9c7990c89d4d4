"""Whatever a timeline holds: rows add up to the call, nobody is busy for longer than that, pictures have a size."""

import json
import math

from hypothesis import given
from hypothesis import strategies as st

from kernels.profiling.gantt import gantt, letters, thinned
from kernels.profiling.shape import Shape, shape_of
from kernels.profiling.trace import Call, Trace, call_of
from kernels.sandbox.spans import Span, Timeline

NAMES = ("up", "down", "prep")
Step = tuple[int, int, tuple[float, ...], str]


@st.composite
def timelines(draw: st.DrawFn) -> tuple[Timeline, int]:
    """Gaps and loops one after the other; threads have some share of each loop; a mark may lie in a gap or a loop."""
    threads = draw(st.integers(1, 4))
    step = st.tuples(
        st.integers(0, 300), st.integers(1, 500), st.lists(st.floats(0.0, 1.0), min_size=threads, max_size=threads),
        st.sampled_from(["", *NAMES]),
    )  # fmt: skip
    at, spans = 0.0, list[Span]()
    for number, (gap, length, shares, mark) in enumerate(draw(st.lists(step, max_size=20))):
        if mark and gap:
            spans.append(Span(0, mark, at, at + gap))
        at += gap
        for thread in range(threads):
            end = at + length * (1.0 if thread == 0 else shares[thread])
            spans.append(Span(thread, f"parallel {number % 3 + 1}", at, end))
            if mark and not gap:
                spans.append(Span(thread, mark, at, end, 1))
        at += length
    return Timeline(tuple(spans), int(at) + draw(st.integers(1, 100))), threads


def _sane(shape: Shape) -> None:
    assert abs(sum(row.wall_ns for row in shape.rows) - shape.total_ns) < 1e-3
    for row in shape.rows:
        assert len(row.busy_ns) == shape.threads
        assert 0 <= max(row.busy_ns) <= row.wall_ns + 1e-3
        assert row.count >= 1
    assert sum(row.count for row in shape.rows if row.kind == "parallel") == shape.loops
    assert len({(row.label, row.kind) for row in shape.rows}) == len(shape.rows)


@given(timelines())
def test_rows_add_up(made: tuple[Timeline, int]) -> None:
    _sane(shape_of(*made))


@given(timelines(), st.integers(1, 200))
def test_pictures_have_their_size_and_only_known_letters(made: tuple[Timeline, int], width: int) -> None:
    shape = shape_of(*made)
    names = letters([row.label for row in shape.rows])
    drawn = gantt(shape.pieces, shape.total_ns, shape.threads, width, names)
    assert [len(row) for row in drawn.rows] == [width] * shape.threads
    assert set("".join(drawn.rows)) <= {*names.values(), "."}
    assert {p.label for p in shape.pieces} <= names.keys()
    assert thinned(shape.pieces, shape.total_ns, shape.threads) == shape.pieces


@given(timelines())
def test_traces_survive_the_pipe(made: tuple[Timeline, int]) -> None:
    timeline, threads = made
    call: Call = call_of(0, float(timeline.total_ns), timeline, threads)
    assert Trace.from_json(json.loads(json.dumps(Trace((call,), 10.0, "slow").to_json()))).median == call


times = st.floats(-2e3, 2e3) | st.just(math.nan) | st.just(math.inf)
marks = st.builds(
    Span, st.integers(0, 70), st.sampled_from([*NAMES, "parallel 1", "parallel 2", "\x1b[2J"]),
    times, times, st.integers(0, 64),
)  # fmt: skip


@given(st.lists(marks, max_size=30), st.integers(-10, 2000), st.integers(1, 8))
def test_any_marks_make_a_shape_or_are_refused(spans: list[Span], total: int, threads: int) -> None:
    """The candidate's process may write what it likes."""
    try:
        shape = shape_of(Timeline(tuple(spans), total), threads)
    except ValueError:
        return
    assert abs(sum(row.wall_ns for row in shape.rows) - shape.total_ns) < 1e-3
    gantt(shape.pieces, shape.total_ns, threads, 80, letters([row.label for row in shape.rows]))
