"""Who is paused, as screens and scripts see it: agents by their state, kernels by a mark."""

from collections.abc import Callable, Collection
from typing import Final

from sqlmodel import Session, select

from store import kernel_states
from store.clock import now
from store.tables import AgentRow

PAUSES: Final = ("pausing", "paused")
LIVE: Final = ("working", "waiting", *PAUSES)


def keep(s: Session, campaign_id: int, standing: Callable[[str], str], kernels: Collection[str]) -> None:
    """standing: "pausing" or "paused" by the name of an agent, "" for one that may go on. kernels: the paused ones."""
    for row in s.exec(select(AgentRow).where(AgentRow.campaign_id == campaign_id)):
        state = standing(row.name) or ("working" if row.state in PAUSES else row.state)
        if row.state in LIVE and row.state != state:
            row.state, row.since = state, now()
            s.add(row)
    for kernel in kernel_states.of(s, campaign_id):
        if kernel.paused != (kernel.kernel in kernels):
            kernel_states.update(s, campaign_id, kernel.kernel, paused=not kernel.paused)
