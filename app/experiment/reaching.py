"""What an arm took to get there: candidate positions and device seconds to 90 % of the best final speedup of all."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from app.bench.search.counting import SHARE, spread, target_of
from app.experiment.spending import spent_curve
from store.reads.experiment_view import TrajectoryView

Found = dict[str, Any]
KINDS: Final = ("positions", "device_seconds")


def to_target(by_arm: Mapping[str, Sequence[TrajectoryView]], speedups: Mapping[int, float]) -> Found:
    """speedups: the final one of each trajectory, by its id. By arm, median and range over its trajectories; None is
    never. Where a promotion stands between start and end is by its own claim, scaled to what was measured."""
    target = target_of(list(speedups.values()))
    if target is None:
        return {"share": SHARE, "target": None, "arms": {}}
    arms = {
        name: {kind: spread([first(view, kind, speedups[view.id], target) for view in own]) for kind in KINDS}
        for name, views in by_arm.items()
        if (own := [view for view in views if view.id in speedups])
    }
    return {"share": SHARE, "target": target, "arms": arms}


def first(view: TrajectoryView, kind: str, speedup: float, target: float) -> float | None:
    """What was spent until the incumbent was that fast; None when it never was."""
    steps = spent_curve(view, kind, speedup, math.inf).steps
    return next((step.spent for step in steps if step.speedup >= target), None)


def text(found: Found) -> Iterator[str]:
    if found["target"] is None:
        return
    told = "; ".join(
        f"{name} {_range(own['positions'])} positions, {_range(own['device_seconds'])} device s"
        for name, own in found["arms"].items()
    )
    yield f"to {found['share']:.0%} of the best final speedup ({found['target']:.2f}x), median (range): {told}"


def _range(found: Found) -> str:
    median, low, high = ("never" if found[end] is None else f"{found[end]:.0f}" for end in ("median", "low", "high"))
    return median if low == median == high else f"{median} ({low} .. {high})"
