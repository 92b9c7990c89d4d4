"""The bytes that a part of a kernel has to move, from the contract and from what its source touches."""

from collections.abc import Iterable, Sequence
from typing import Final

from kernels.profiling.flow import flow_of
from kernels.profiling.flow_values import Flow, Touched
from kernels.profiling.join import Planned
from kernels.profiling.shape import Row, Shape
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec

UNKNOWN: Final = Planned()


def flow_in(candidate: Candidate, spec: KernelSpec) -> Flow | None:
    """What the source of a candidate touches where; None when it cannot be followed."""
    return flow_of(candidate.source, spec.entry, tuple(a.name if a.shape else "" for a in spec.arguments))


def planned_rows(shape: Shape, spec: KernelSpec, flow: Flow | None) -> list[Planned]:
    """For each row of a shape."""
    if flow is None:
        return [UNKNOWN] * len(shape.rows)
    whole = _explains(flow, spec)
    found = [touched_by(row, shape, flow) for row in shape.rows]
    return [UNKNOWN if t is None or not (t.both or whole) else planned(spec, t) for t in found]


def planned(spec: KernelSpec, touched: Touched) -> Planned:
    """Of an array of which only some rows change nothing is counted: how many is not known."""
    known = [a for a in spec.arguments if a.shape and not _rows_only(spec, a.name)]
    nbytes = sum(a.nbytes * ((a.name in touched.reads) + (a.name in touched.writes)) for a in known)
    return Planned(tuple(a.name for a in spec.arguments if a.name in touched.both), nbytes)


def whole_call(spec: KernelSpec) -> int:
    """Bytes of a call: every array once, in both directions where it is changed in place."""
    reads = {a.name for a in spec.arguments if a.role != "output"}
    return planned(spec, Touched(reads, {a.name for a in spec.arguments if a.writable})).nbytes or 0


def touched_by(row: Row, shape: Shape, flow: Flow) -> Touched | None:
    """Matched by their order where every call has the same, else loops by their body and serial time by its mark; None
    where neither fits."""
    ordered = len(flow.loops) == shape.loops and all(loop.sure for loop in flow.loops) and row.count == 1
    if row.kind == "serial":
        known = flow.serial.items()
        return together(t for (mark, at), t in known if mark == row.mark and (at == row.first or not ordered))
    if ordered:
        return flow.loops[row.first].touched
    bodies = list(dict.fromkeys(loop.body for loop in flow.loops))
    number = _number(row.loop)
    if not 0 < number <= len(bodies):
        return None
    return together(loop.touched for loop in flow.loops if loop.body == bodies[number - 1])


def _rows_only(spec: KernelSpec, name: str) -> bool:
    return name in spec.tolerances and spec.tolerances[name].rows_only


def _explains(flow: Flow, spec: KernelSpec) -> bool:
    """Whether every weight, or without weights every array, is touched somewhere: only then what touches nothing really
    touches nothing."""
    seen = together([loop.touched for loop in flow.loops] + list(flow.serial.values())).both
    wanted: Sequence[str] = [a.name for a in spec.weights or spec.arguments if a.shape]
    return seen.issuperset(wanted)


def together(parts: Iterable[Touched]) -> Touched:
    joined = Touched()
    for part in parts:
        joined.reads |= part.reads
        joined.writes |= part.writes
    return joined


def _number(loop: str) -> int:
    """N of the pool's "parallel N": bodies are numbered as they first run. 0 for another text."""
    digits = loop.rpartition(" ")[2]
    return int(digits) if digits.isascii() and digits.isdigit() else 0
