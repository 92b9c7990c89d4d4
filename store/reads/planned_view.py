"""How the static plans of a kernel's candidates came out, on the device of a campaign."""

from sqlmodel import Session

from kernels.profiling.agreement import NEEDED, agreement, filtered_from
from store import planned
from store.device_views import PlannedView


def planned_view(s: Session, campaign_id: int, kernel: str) -> PlannedView:
    """The filter is told by the model of the newest plan, as the gate does. Raises: StoreError."""
    points = planned.points(s, campaign_id, kernel)
    model = points[-1].model if points else ""
    mine = [point for point in points if point.model == model]
    count, bound = filtered_from(mine, model)
    return PlannedView(
        agreement([p.planned_ns for p in mine], [p.real_ns for p in mine]), sum(p.wall for p in mine), count, NEEDED,
        bound,
    )  # fmt: skip
