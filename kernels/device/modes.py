"""Modes of a device, from the GB/s of its read probe.

A device may flip between levels of bandwidth by itself (cpu-c with two threads: about 33 and about 55 GB/s, for seconds
to minutes). A mode is a level that three probes in a row agreed on; its name never changes once it is given. A value
near no level counts to the nearest one.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

NEAR: Final = math.log(1.25)  # two levels differ by more than 25 %
AGREE: Final = 3  # probes in a row that make a level
LIMIT: Final = 4
UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True)
class Mode:
    name: str
    gbs: float


def distance(a: float, b: float) -> float:
    """|log(a / b)|; infinite when one of them is not positive."""
    return abs(math.log(a / b)) if a > 0 and b > 0 else math.inf


class Modes:
    """Levels seen so far on one device, in the order of their discovery."""

    def __init__(self, known: Sequence[Mode] = ()) -> None:
        self.known = list(known)
        self._strange: list[float] = []

    def observe(self, gbs: float) -> str:
        """Count one probe in and name the mode it belongs to. Source of the rule: this file's docstring."""
        if gbs <= 0:
            return UNKNOWN
        nearest = min(self.known, key=lambda mode: distance(mode.gbs, gbs), default=None)
        if nearest is not None and distance(nearest.gbs, gbs) <= NEAR:
            self._strange = []
            return nearest.name
        self._strange = [*[v for v in self._strange if distance(v, gbs) <= NEAR][-AGREE:], gbs]
        enough = AGREE if self.known else 1
        if len(self._strange) >= enough and len(self.known) < LIMIT:
            return self._add(statistics.median(self._strange)).name
        return nearest.name if nearest is not None else UNKNOWN

    def name(self, gbs: float) -> str:
        """The level that is within 25 % of this value; `UNKNOWN` when there is none. Counts nothing."""
        near = [mode for mode in self.known if distance(mode.gbs, gbs) <= NEAR]
        return min(near, key=lambda mode: distance(mode.gbs, gbs)).name if near else UNKNOWN

    def _add(self, gbs: float) -> Mode:
        self._strange = []
        others = [mode.gbs for mode in self.known]
        prefix = "" if not others else "fast " if gbs > max(others) else "slow " if gbs < min(others) else "middle "
        mode = Mode(f"{prefix}{gbs:.0f} GB/s", gbs)
        self.known.append(mode)
        return mode

    def to_json(self) -> list[dict[str, Any]]:
        return [{"name": mode.name, "gbs": mode.gbs} for mode in self.known]

    @classmethod
    def from_json(cls, raw: Sequence[dict[str, Any]]) -> "Modes":
        return cls([Mode(str(one["name"]), float(one["gbs"])) for one in raw])
