"""What a screen or a command gets of toolchain changes. Times are UTC seconds since the epoch."""

from collections.abc import Mapping
from dataclasses import dataclass

from knowledge.recheck import Counts, told


@dataclass(frozen=True, slots=True)
class ToolchainChangeView:
    """counts: by kind of record what became of those that were tried; waiting: by kind how many were not tried yet.
    state: rechecking, done or superseded. former, present: fingerprints."""

    id: int
    at: float
    finished_at: float | None
    state: str
    text: str
    former: str
    present: str
    counts: Counts
    waiting: Mapping[str, int]
    notes: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        return said(self.counts, self.waiting)


def said(counts: Counts, waiting: Mapping[str, int]) -> str:
    """`12 rules: 10 re-verified, 2 retired; waiting: 3 claim`."""
    left = ", ".join(f"{n} {kind}" for kind, n in waiting.items())
    done = told(counts) if counts or not left else ""
    return "; ".join(part for part in (done, f"waiting: {left}" if left else "") if part)
