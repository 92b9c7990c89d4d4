"""A profile: the median of several profiled calls of a kernel, planned and measured; with a JSON form to keep it in."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from kernels.profiling.join import Line, shares
from kernels.profiling.lanes import Piece

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Profile:
    """elapsed_ns: the call by the referee's clock, less the round trip: the median of `calls`; low_ns, high_ns: the
    fastest and the slowest. total_ns: that call by the runner's own clock, which the spans are in. lost: marks that
    were not kept. nbytes, planned_ns: of the whole call. findings: what does not fit together."""

    pack: str
    kernel: str
    candidate: str
    threads: int
    calls: int
    elapsed_ns: float
    low_ns: float
    high_ns: float
    total_ns: float
    probe_gbs: float
    mode: str
    lines: tuple[Line, ...]
    pieces: tuple[Piece, ...]
    nbytes: int
    planned_ns: float | None
    lost: int = 0
    findings: tuple[str, ...] = ()

    @property
    def ratio(self) -> float | None:
        """Measured over planned."""
        return None if self.planned_ns is None else self.elapsed_ns / self.planned_ns

    @property
    def gbs(self) -> float:
        return self.nbytes / self.elapsed_ns if self.elapsed_ns > 0 else 0.0

    @property
    def shares(self) -> dict[str, float]:
        """Of the call's time, by what bounds it."""
        return shares(self.lines)

    @property
    def waiting(self) -> float:
        """Share of all threads' time in which they did nothing: in parallel loops, and while one worked alone."""
        serial = sum(line.wall_ns for line in self.lines if line.kind == "serial") * (self.threads - 1)
        loops = sum(line.waiting_ns for line in self.lines) * self.threads
        return (serial + loops) / (self.total_ns * self.threads)

    def to_json(self) -> dict[str, Any]:
        """With what follows from the rest, for readers of the JSON."""
        lines = [
            {**asdict(line), "planned_ns": line.planned_ns, "ratio": line.ratio, "gbs": line.gbs} for line in self.lines
        ]
        pieces = [[p.thread, p.label, round(p.begin_ns, 1), round(p.end_ns, 1)] for p in self.pieces]
        derived = {"ratio": self.ratio, "gbs": self.gbs, "waiting": self.waiting, "bounds": self.shares}
        return {"version": VERSION, **asdict(self), "lines": lines, "pieces": pieces, **derived}

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> "Profile":
        """Raises: ValueError when it is none, or of another version."""
        try:
            if raw["version"] != VERSION:
                raise ValueError(f"a profile of version {raw['version']}; this program reads {VERSION}")
            known: dict[str, Any] = {name: raw[name] for name in cls.__dataclass_fields__}
            lines = tuple(_line(one) for one in raw["lines"])
            pieces = tuple(Piece(int(t), str(label), float(a), float(b)) for t, label, a, b in raw["pieces"])
            known |= {"lines": lines, "pieces": pieces, "findings": tuple(raw["findings"])}
            found = cls(**known)
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a profile: {type(error).__name__}: {error}") from error
        if not (math.isfinite(found.total_ns) and found.total_ns > 0 and found.threads > 0):
            raise ValueError("a profile of no time")
        return found


def _line(raw: Mapping[str, Any]) -> Line:
    known: dict[str, Any] = {name: raw[name] for name in Line.__dataclass_fields__}
    known["parts"] = tuple((str(name), float(ns)) for name, ns in raw["parts"])
    known |= {name: tuple(raw[name]) for name in ("busy_ns", "touches")}
    return Line(**known)
