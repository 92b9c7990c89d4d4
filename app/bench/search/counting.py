"""What a search took to get there: candidates and device seconds until its head scored so much. Pure."""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

SHARE: Final = 0.9


@dataclass(frozen=True, slots=True)
class Point:
    """Where a search stood after one of its turns: spent until then, and the id of its head."""

    candidates: int
    device_seconds: float
    head: str


def target_of(finals: Sequence[float | None]) -> float | None:
    """90 % of the best final score; None when no search has a score."""
    known = [score for score in finals if score is not None]
    return SHARE * max(known) if known else None


def reached(points: Sequence[Point], scores: Mapping[str, float | None], target: float) -> Point | None:
    """The first point whose head scores the target; None when none does. The first point is the start, at no cost."""
    return next((p for p in points if (score := scores.get(p.head)) is not None and score >= target), None)


def spread(values: Sequence[float | None]) -> dict[str, Any]:
    """Median and range over the seeds; None counts as never. A median or an end that is never is None."""
    if not values:
        return {"median": None, "low": None, "high": None}
    known = [math.inf if value is None else value for value in values]
    found = {"median": statistics.median(known), "low": min(known), "high": max(known)}
    return {name: value if math.isfinite(value) else None for name, value in found.items()}
