"""Who is paused and who waits, as screens and scripts see it: agents by their state, kernels by a mark."""

from collections.abc import Collection, Mapping
from typing import Final

from sqlmodel import Session, select

from store import kernel_states
from store.clock import now
from store.tables import AgentRow, KernelStateRow

LIVE: Final = ("working", "waiting", "pausing", "paused")


def keep(s: Session, campaign_id: int, standing: Mapping[str, str], kernels: Collection[str]) -> None:
    """standing: one of LIVE by the name of an agent; one that is not named stays as it is. kernels: the paused ones."""
    for row in _moved(s, campaign_id, standing):
        row.state, row.since = standing[row.name], now()
        s.add(row)
    for kernel in _turned(s, campaign_id, kernels):
        kernel_states.update(s, campaign_id, kernel.kernel, paused=not kernel.paused)


def differ(s: Session, campaign_id: int, standing: Mapping[str, str], kernels: Collection[str]) -> bool:
    """Whether `keep` would change something."""
    return bool(_moved(s, campaign_id, standing) or _turned(s, campaign_id, kernels))


def _moved(s: Session, campaign_id: int, standing: Mapping[str, str]) -> list[AgentRow]:
    found = s.exec(select(AgentRow).where(AgentRow.campaign_id == campaign_id))
    return [row for row in found if row.state in LIVE and standing.get(row.name, row.state) != row.state]


def _turned(s: Session, campaign_id: int, kernels: Collection[str]) -> list[KernelStateRow]:
    return [row for row in kernel_states.of(s, campaign_id) if row.paused != (row.kernel in kernels)]
