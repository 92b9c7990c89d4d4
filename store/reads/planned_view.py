"""How the static plans of a kernel's candidates came out, on the device of a campaign."""

from sqlmodel import Session

from kernels.profiling.agreement import NEEDED, agreement, filtered_from
from store import planned
from store.device_views import PlannedView


def planned_view(s: Session, campaign_id: int, kernel: str) -> PlannedView:
    """Of plans by the model of the newest, as the gate takes them. At the wall the plan is the read probe's time: those
    candidates are counted, and left out of the agreement. Raises: StoreError."""
    points = planned.points(s, campaign_id, kernel)
    model = points[-1].model if points else ""
    mine = [point for point in points if point.model == model]
    telling = [point for point in mine if not point.wall]
    count, bound = filtered_from(telling, model)
    found = agreement([p.planned_ns for p in telling], [p.real_ns for p in telling])
    return PlannedView(found, len(mine) - len(telling), count, NEEDED, bound)
