"""What a kernel with shapes reached at each of them, from the pairs of one test."""

import math
import statistics
from collections.abc import Sequence
from typing import Any

from sqlmodel import Session

from store import sql
from store.columns import loads
from store.views import PairView, ShapeView


def shapes_of_test(s: Session, test_id: int | None) -> tuple[ShapeView, ...]:
    """By the kept pairs of a test; () for a kernel of one shape, and without pairs."""
    found = sql.rows(
        s, "SELECT head_reading, candidate_reading FROM pair WHERE test_id = :test AND redo_reason = '' ORDER BY seq",
        test=test_id,
    )  # fmt: skip
    return _views([(_shapes(row["head_reading"]), _shapes(row["candidate_reading"])) for row in found])


def shapes_of(pairs: Sequence[PairView]) -> tuple[ShapeView, ...]:
    """As `shapes_of_test`, from pairs that were read before."""
    return _views([(p.head_shapes, p.candidate_shapes) for p in pairs if not p.redo_reason])


def shapes_json(views: Sequence[ShapeView]) -> dict[str, dict[str, Any]]:
    """By name: the ratio of old over new with its interval, and both times in nanoseconds."""
    return {
        one.name: {"ratio": one.speedup, "interval": [one.low, one.high], "old_ns": one.old_ns, "new_ns": one.new_ns}
        for one in views
    }


def _shapes(reading: str) -> dict[str, float]:
    return dict(loads(reading, {}).get("shapes", {}))


def _views(pairs: Sequence[tuple[dict[str, float], dict[str, float]]]) -> tuple[ShapeView, ...]:
    names = pairs[0][0] if pairs else {}
    return tuple(
        _view(name, [(head[name], other[name]) for head, other in pairs if name in head and name in other])
        for name in names
    )


def _view(name: str, times: Sequence[tuple[float, float]]) -> ShapeView:
    from kernels.judge.ledger import speedup_of  # numpy, which a kernel of one shape does not need

    found = speedup_of([math.log(head / other) for head, other in times])
    head_ns, ns = (statistics.median(side) for side in zip(*times, strict=True))
    return ShapeView(name, found.speedup, found.low, found.high, head_ns, ns, len(times))
