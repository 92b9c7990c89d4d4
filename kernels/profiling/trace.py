"""What a device hands over of profiled calls: the shape and the time of each. With a JSON form for the pipe."""

import statistics
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from kernels.profiling.gantt import thinned
from kernels.profiling.lanes import Piece
from kernels.profiling.shape import Row, Shape, shape_of
from kernels.sandbox.spans import Timeline


@dataclass(frozen=True, slots=True)
class Call:
    """One profiled call. elapsed_ns: by the referee's clock, less the round trip. turn: the round it was made in."""

    turn: int
    elapsed_ns: float
    shape: Shape

    def to_json(self, *, drawn: bool) -> dict[str, Any]:
        """drawn: with the pieces of its picture."""
        raw = asdict(self)
        return raw if drawn else {**raw, "shape": {**raw["shape"], "pieces": []}}

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> "Call":
        shape: dict[str, Any] = dict(raw["shape"])
        shape["rows"] = tuple(_row(row) for row in shape["rows"])
        shape["pieces"] = tuple(Piece(**piece) for piece in shape["pieces"])
        return cls(raw["turn"], raw["elapsed_ns"], Shape(**shape))


def _row(raw: Mapping[str, Any]) -> Row:
    known: dict[str, Any] = dict(raw)
    known["busy_ns"] = tuple(raw["busy_ns"])
    known["parts"] = tuple((str(name), float(ns)) for name, ns in raw["parts"])
    return Row(**known)


@dataclass(frozen=True, slots=True)
class Trace:
    """One side of a profiled run. caught: (kind, reason) when it failed or misbehaved. findings: why calls were left
    out. probe_gbs: what the read probe reached around it, 0 where there is none.
    """

    calls: tuple[Call, ...]
    probe_gbs: float
    mode: str
    round_trip_ns: float = 0.0
    caught: tuple[str, str] = ("", "")
    findings: tuple[str, ...] = ()

    @property
    def median(self) -> Call:
        """The call whose time is the (lower) median. Raises: ValueError when there is none."""
        if not self.calls:
            raise ValueError("; ".join(self.findings) or "no profiled call left a timeline")
        middle = statistics.median_low([call.elapsed_ns for call in self.calls])
        return next(call for call in self.calls if call.elapsed_ns == middle)

    def to_json(self) -> dict[str, Any]:
        """Only the median call keeps its picture."""
        shown = self.median if self.calls else None
        return {**asdict(self), "calls": [call.to_json(drawn=call is shown) for call in self.calls]}

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> "Trace":
        calls = tuple(Call.from_json(one) for one in raw["calls"])
        kind, reason = raw["caught"]
        return cls(
            calls, raw["probe_gbs"], raw["mode"], raw["round_trip_ns"], (kind, reason), tuple(raw["findings"])
        )  # fmt: skip


def call_of(turn: int, elapsed_ns: float, timeline: Timeline, threads: int) -> Call:
    """Raises: ValueError when the marks do not fit the clock of the referee or each other."""
    if timeline.total_ns > 1.05 * elapsed_ns + 10_000:
        raise ValueError(f"the marks tell of {timeline.total_ns} ns, the referee's clock of {elapsed_ns:.0f} ns")
    found = shape_of(timeline, threads)
    pieces = thinned(found.pieces, found.total_ns, threads)
    return Call(turn, elapsed_ns, Shape(found.total_ns, threads, found.rows, pieces, found.loops, found.lost))
