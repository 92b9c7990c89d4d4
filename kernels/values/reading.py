"""Readings and pairs, in nanoseconds; lower is better."""

import math
from dataclasses import dataclass, field
from typing import Literal

First = Literal["head", "candidate"]


@dataclass(frozen=True, slots=True)
class Reading:
    """One job: a warm-up call thrown away, then timed calls, each with its own clock reading by the referee.

    ns: the target's quantile of the calls (cpu-c: lower quartile, minimum below 8 calls), round trip subtracted. Of a
    kernel with shapes: the weighted geometric mean over them, and what it is at each by name in `shapes`.
    """

    ns: float
    calls: int
    minimum_ns: float
    maximum_ns: float
    own_ns: float = 0.0  # the runner's own clock: a diagnostic, never a result
    shapes: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pair:
    """Head and candidate, back to back on one device, in an order drawn by a fair coin.

    probe_before, probe_after: GB/s of the read probe around the pair; they name the device's mode.
    environment: load, realtime or not, clock, sandbox level: the evidence that is kept with the numbers.
    """

    head: Reading
    candidate: Reading
    first: First
    probe_before_gbs: float = 0.0
    probe_after_gbs: float = 0.0
    mode: str = ""
    redo_reason: str = ""
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def valid(self) -> bool:
        return all(math.isfinite(r.ns) and r.ns > 0 for r in (self.head, self.candidate))

    @property
    def log_ratio(self) -> float:
        """log(head / candidate): above 0 the candidate is faster.

        Raises: ValueError when a reading is not a positive finite number.
        """
        if not self.valid:
            raise ValueError(
                f"a reading must be finite and > 0, got head {self.head.ns}, candidate {self.candidate.ns}"
            )
        return math.log(self.head.ns / self.candidate.ns)

    @property
    def shape_ratios(self) -> dict[str, float]:
        """log(head / candidate) at each shape that could be read, by name; their weighted mean is `log_ratio`."""
        sides = {name: (ns, self.candidate.shapes.get(name, math.nan)) for name, ns in self.head.shapes.items()}
        return {name: math.log(head / other) for name, (head, other) in sides.items() if head > 0 and other > 0}


@dataclass(frozen=True, slots=True)
class Block:
    """Head and variants of a race, one reading of each, back to back on the same inputs, by key in their order.

    A reading in quarantine has ns = nan. dropped: (kind, reason) by key of variants that failed in this block or before
    it; they have no reading. The other fields are as in a pair.
    """

    readings: dict[str, Reading]
    dropped: dict[str, tuple[str, str]] = field(default_factory=dict)
    probe_before_gbs: float = 0.0
    probe_after_gbs: float = 0.0
    mode: str = ""
    redo_reason: str = ""
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Estimate:
    """Gain as a share of the head's time (0.01 is one per cent), with its interval."""

    gain: float
    low: float
    high: float
