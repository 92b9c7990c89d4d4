"""Joins what was measured of each span with what was planned for it, and says what bounds it.

    planned = max(bytes / probe rate, compute)      ratio = measured / planned      GB/s = bytes / measured

Bytes are the least that the span has to move; the probe rate is what the read probe reaches in the same minute; compute
is the time by a static schedule, where there is one. After: Williams, Waterman and Patterson, "Roofline",
Communications of the ACM 52(4), 2009: attainable = min(peak compute, bandwidth x intensity).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from kernels.profiling.shape import Row, Shape

Bound = Literal["memory wall", "compute", "serial", "imbalance", "not known"]
Compute = Callable[[int], float]
"""Nanoseconds that a static schedule plans for so many bytes."""
AT_THE_WALL: Final = 0.7
"""Of the measured time that one cause has to explain. The best kernels known here read at 0.7 (fast mode of the memory)
to 1.0 (slow mode) of the probe's rate."""
IMPOSSIBLE: Final = 1.6
"""A span that moved its planned bytes at so many times the probe's rate did not move them: the plan is of another."""
CONTRADICTED: Final = 1.05
"""Times the measured time from which a schedule's cycles are none: they are the least that a span can take."""


@dataclass(frozen=True, slots=True)
class Planned:
    """touches: arguments that a row reads or writes, in call order. nbytes: of each once in every direction, the least
    that it can move; None when not known."""

    touches: tuple[str, ...] = ()
    nbytes: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One span of a call, measured and planned, in nanoseconds and bytes.

    wall_ns: of the call's time. waiting_ns: of it, what a thread was idle on average, waiting for the last one or for
    the loop to reach it. imbalance: by how much the busiest thread had more than the mean, as a share of the mean.
    memory_ns, compute_ns: the two terms of the plan. Everything that is not known is None.
    """

    label: str
    kind: Literal["parallel", "serial"]
    count: int
    wall_ns: float
    busy_ns: tuple[float, ...]
    share: float
    waiting_ns: float
    imbalance: float | None
    bound: Bound
    touches: tuple[str, ...] = ()
    nbytes: int | None = None
    memory_ns: float | None = None
    compute_ns: float | None = None
    parts: tuple[tuple[str, float], ...] = ()

    @property
    def planned_ns(self) -> float | None:
        known = [ns for ns in (self.memory_ns, self.compute_ns) if ns is not None]
        return max(known) if known and max(known) > 0 else None

    @property
    def ratio(self) -> float | None:
        """Measured over planned."""
        return None if self.planned_ns is None else self.wall_ns / self.planned_ns

    @property
    def gbs(self) -> float | None:
        """1e9 bytes/s; None where nothing is planned to move."""
        return self.nbytes / self.wall_ns if self.nbytes is not None and self.nbytes > 0 and self.wall_ns > 0 else None


def join(
    shape: Shape, planned: Sequence[Planned], *, probe_gbs: float, compute: Compute | None = None
) -> tuple[Line, ...]:
    """planned: for each row of the shape. probe_gbs: 0 where there is no probe; no time is planned by bytes then.
    compute: of a schedule of the hot loops; it says nothing of serial parts."""
    return tuple(_line(row, shape, plan, probe_gbs, compute) for row, plan in zip(shape.rows, planned, strict=True))


def _line(row: Row, shape: Shape, plan: Planned, probe_gbs: float, compute: Compute | None) -> Line:
    impossible = probe_gbs > 0 and (plan.nbytes or 0) > IMPOSSIBLE * probe_gbs * row.wall_ns
    nbytes = None if impossible else plan.nbytes
    memory_ns = nbytes / probe_gbs if nbytes is not None and probe_gbs > 0 else None
    parallel = row.kind == "parallel"
    compute_ns = compute(nbytes) if parallel and nbytes is not None and compute is not None else None
    if compute_ns is not None and compute_ns > CONTRADICTED * row.wall_ns:
        compute_ns = None
    return Line(
        row.label, row.kind, row.count, row.wall_ns, row.busy_ns, row.wall_ns / shape.total_ns,
        waiting_ns=max(row.wall_ns - row.mean_ns, 0.0) if parallel else 0.0,
        imbalance=imbalance_of(row.busy_ns) if parallel and len(row.busy_ns) > 1 else None,
        bound=bound_of(row, memory_ns, compute_ns),
        touches=plan.touches, nbytes=nbytes, memory_ns=memory_ns, compute_ns=compute_ns, parts=row.parts,
    )  # fmt: skip


def imbalance_of(busy_ns: Sequence[float]) -> float | None:
    """Longest over mean, less one; None when nobody did anything.

    Source: Pearce, Gamblin, de Supinski, Schulz and Amato, "Quantifying the effectiveness of load balance algorithms",
    ICS 2012: lambda = (L_max / L_mean - 1) x 100 %.
    """
    mean = sum(busy_ns) / len(busy_ns)
    return max(busy_ns) / mean - 1.0 if mean > 0 else None


def bound_of(row: Row, memory_ns: float | None, compute_ns: float | None) -> Bound:
    """What a span's time goes into, the first that fits:

    - memory wall: moving its bytes at the probe's rate explains 0.7 of the time (roofline);
    - compute: the schedule's cycles explain 0.7 of the time, and more of it than memory does (roofline);
    - serial: one thread works where there are several; its time stays, however many there are (Amdahl, AFIPS 1967);
    - imbalance: more is lost by waiting for the last thread than is left unexplained otherwise (Pearce 2012);
    - compute: what is left. Without a schedule this includes waiting for single loads.

    Not known where there is no plan of its bytes, unless waiting alone takes half of the time.
    """
    wall, memory, compute = row.wall_ns, memory_ns or 0.0, compute_ns or 0.0
    if max(memory, compute) >= AT_THE_WALL * wall:
        return "compute" if compute > memory else "memory wall"
    if row.kind == "serial" and len(row.busy_ns) > 1:
        return "serial"
    waiting = wall - row.mean_ns if row.kind == "parallel" else 0.0
    if memory_ns is None:
        return "imbalance" if 2 * waiting >= wall else "not known"
    return "imbalance" if waiting > row.mean_ns - max(memory, compute) else "compute"


def shares(lines: Sequence[Line]) -> dict[str, float]:
    """Of the call's time, by what bounds it, the largest first."""
    sums: dict[str, float] = {}
    for line in lines:
        sums[line.bound] = sums.get(line.bound, 0.0) + line.share
    return dict(sorted(sums.items(), key=lambda item: -item[1]))
