"""What a kernel with shapes reached at each of them, from the times of pairs. Pure, without SQL."""

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from store.views import PairView, ShapeView

Times = Mapping[str, float]  # nanoseconds by shape


def shapes_of(pairs: Sequence[PairView]) -> tuple[ShapeView, ...]:
    """By the kept ones; () for a kernel of one shape, and without pairs."""
    return shape_views([(p.head_shapes, p.candidate_shapes) for p in pairs if not p.redo_reason])


def shape_views(pairs: Sequence[tuple[Times, Times]]) -> tuple[ShapeView, ...]:
    """pairs: times of head and candidate."""
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


def shapes_json(views: Sequence[ShapeView]) -> dict[str, dict[str, Any]]:
    """By name: the ratio of old over new with its interval, and both times in nanoseconds."""
    return {
        one.name: {"ratio": one.speedup, "interval": [one.low, one.high], "old_ns": one.old_ns, "new_ns": one.new_ns}
        for one in views
    }
