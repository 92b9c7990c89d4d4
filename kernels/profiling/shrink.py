"""Whether the loops that a lever aimed at became shorter: candidate against head, turn by turn of one profiled run."""

import statistics
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from kernels.profiling.against import large_arrays
from kernels.profiling.flow_values import Flow
from kernels.profiling.planned import touched_by
from kernels.profiling.shape import Shape
from kernels.profiling.trace import Trace
from kernels.values.kernel import KernelSpec

BAND: Final = 0.10
"""Growth from which a span is clearly longer, when it is longer in every turn. Two runs of one program differ by up to
5 % here for as long as their processes live."""
TURNS: Final = 5
"""Turns that are needed: all of five are longer by chance in 1 of 32 runs, and by a tenth hardly ever."""


class NotComparable(Exception):
    """The aimed loops have no counterpart of their own on one side."""


@dataclass(frozen=True, slots=True)
class Growth:
    """Candidate over head by turn: of the aimed loops, and of the whole call. head_ns, ns: medians of the loops."""

    spans: tuple[float, ...]
    calls: tuple[float, ...]
    head_ns: float
    ns: float

    @property
    def ratio(self) -> float:
        return statistics.median(self.spans)

    @property
    def clear(self) -> bool:
        """Longer in each of enough turns, by more than the band in the median, and the whole call is no faster: then it
        was not moved elsewhere to good effect."""
        enough = len(self.spans) >= TURNS and min(self.spans) > 1.0
        return enough and self.ratio > 1.0 + BAND and statistics.median(self.calls) > 1.0


def refuse_incomparable(flow: Flow, spec: KernelSpec, aim: Collection[str]) -> None:
    """By the source alone, before anything is measured. Raises: NotComparable as `aimed_ns`."""
    large, wanted = large_arrays(spec), frozenset(aim)
    alone = frozenset[str]().union(*(touched.both for touched in flow.serial.values())) & wanted
    if alone:
        raise NotComparable(f"{', '.join(sorted(alone))} is read outside of parallel loops")
    reads = [loop.touched.both & large for loop in flow.loops if loop.touched.both & wanted]
    for one in reads:
        if not one <= wanted:
            raise NotComparable(f"one loop reads {', '.join(sorted(one))}")
    if not reads:
        raise NotComparable(f"no loop reads {', '.join(sorted(wanted))}")


def growth(head: Trace, candidate: Trace, flows: tuple[Flow, Flow], spec: KernelSpec, aim: Collection[str]) -> Growth:
    """flows: of head and candidate. aim: large arrays. Raises: NotComparable."""
    sides = [_turns(trace, flow, spec, aim) for trace, flow in zip((head, candidate), flows, strict=True)]
    turns = sorted(sides[0].keys() & sides[1].keys())
    if not turns:
        raise NotComparable("no turn left a timeline on both sides")
    pairs = [(sides[0][turn], sides[1][turn]) for turn in turns]
    return Growth(
        tuple(mine[0] / its[0] for its, mine in pairs), tuple(mine[1] / its[1] for its, mine in pairs),
        statistics.median(its[0] for its, _ in pairs), statistics.median(mine[0] for _, mine in pairs),
    )  # fmt: skip


def _turns(trace: Trace, flow: Flow, spec: KernelSpec, aim: Collection[str]) -> dict[int, tuple[float, float]]:
    """The shortest of each turn's calls: nanoseconds of the aimed loops and of the whole call."""
    found: dict[int, tuple[float, float]] = {}
    for call in trace.calls:
        now = (aimed_ns(call.shape, flow, spec, aim), max(call.elapsed_ns, 1.0))
        before = found.get(call.turn, now)
        found[call.turn] = (min(before[0], now[0]), min(before[1], now[1]))
    return found


def aimed_ns(shape: Shape, flow: Flow, spec: KernelSpec, aim: Collection[str]) -> float:
    """Of the loops over the aimed arrays. Raises: NotComparable when they read other large arrays as well, or when the
    aimed ones are read outside of parallel loops."""
    large, wanted, ns = large_arrays(spec), frozenset(aim), 0.0
    for row in shape.rows:
        touched = touched_by(row, shape, flow)
        reads = frozenset[str]() if touched is None else touched.both & large
        if not reads & wanted:
            continue
        if row.kind == "serial":
            raise NotComparable(f"{', '.join(sorted(reads & wanted))} is read outside of parallel loops")
        if not reads <= wanted:
            raise NotComparable(f"one loop reads {', '.join(sorted(reads))}")
        ns += row.wall_ns
    if ns <= 0:
        raise NotComparable(f"no loop reads {', '.join(sorted(wanted))}")
    return ns
