"""Which waiting promotion a word is about: the selected one, else the oldest; and what the dialog says of it."""

from collections.abc import Sequence

from app.messages import Target
from app.views import Line
from store.views import PendingView

LISTED = 5


def chosen(waiting: Sequence[PendingView], selected: Sequence[Target]) -> PendingView | None:
    """waiting: oldest first. Of the selected node, else the oldest of a selected kernel, else the oldest; None when
    nothing waits."""
    nodes = {target.node for target in selected if target.node is not None}
    kernels = {target.name for target in selected if target.kind == "kernel"}
    of_node = [one for one in waiting if one.node in nodes]
    of_kernel = [one for one in waiting if one.kernel in kernels]
    return next(iter([*of_node, *of_kernel, *waiting]), None)


def after(waiting: Sequence[PendingView], one: PendingView) -> PendingView:
    """The next that waits, from the last one the first."""
    nodes = [other.node for other in waiting]
    return waiting[(nodes.index(one.node) + 1) % len(waiting)] if one.node in nodes else one


def decision_lines(one: PendingView, waiting: Sequence[PendingView]) -> list[Line]:
    """What is decided, by which evidence, and what else waits."""
    others = [f"node {other.node} on {other.kernel}" for other in waiting if other.node != one.node]
    listed = ", ".join(others[:LISTED]) + (f" and {len(others) - LISTED} more" if len(others) > LISTED else "")
    words = [f"Node {one.node} was confirmed and checked. A veto binds this content for the campaign."]
    words += [f"Waiting too: {listed}."] if others else []
    about: list[Line] = [((f"{one.kernel}: {one.title}", ""),), ((one.evidence, "strong"),), (("", ""),)]
    return [*about, *(((text, "dim"),) for text in words)]
