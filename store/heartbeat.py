"""The engine's sign of life, so that other processes can tell a live engine from a dead one."""

import os
import socket
from pathlib import Path

from sqlmodel import Session

from store.campaigns import add_elapsed
from store.clock import now
from store.tables import HeartbeatRow
from store.views import EngineView

ALIVE_S = 12.0
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def beat(s: Session, campaign_id: int | None, *, started_at: float, loop_lag_ms: float = 0.0, holder: str = "") -> None:
    """Every few seconds. The time since the last beat of this process counts as the campaign's elapsed time."""
    at, pid = now(), os.getpid()
    row = s.get(HeartbeatRow, 1)
    if row and campaign_id is not None and (row.pid, row.campaign_id) == (pid, campaign_id):
        add_elapsed(s, campaign_id, min(at - row.at, ALIVE_S))
    elif campaign_id is not None:
        add_elapsed(s, campaign_id, min(at - started_at, ALIVE_S))
    row = row or HeartbeatRow(pid=pid, host="", boot_id="", started_at=started_at, at=at)
    row.campaign_id, row.pid, row.host, row.boot_id = campaign_id, pid, socket.gethostname(), boot_id()
    row.started_at, row.at, row.loop_lag_ms, row.holder = started_at, at, loop_lag_ms, holder
    s.add(row)


def engine(s: Session, at: float | None = None) -> EngineView | None:
    """The last engine of this home; None when there was none."""
    row = s.get(HeartbeatRow, 1)
    if row is None:
        return None
    alive = (at or now()) - row.at < ALIVE_S and row.boot_id == boot_id()
    return EngineView(row.pid, row.host, row.started_at, row.at, alive, row.loop_lag_ms)


def boot_id() -> str:
    """Changes with every start of the machine; "" where the system does not say."""
    return BOOT_ID.read_text().strip() if BOOT_ID.exists() else ""
