"""The engine's sign of life, so that other processes can tell a live engine from a dead one."""

import os
import socket
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Final

from sqlmodel import Session

from store.campaigns import add_elapsed
from store.clock import now
from store.tables import HeartbeatRow
from store.views import EngineView

ALIVE_S = 12.0
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class Due:
    """A measurement that is due after so many more tests or promotions; 0 = now. kernel "": of the campaign."""

    what: str  # placebo, ledger
    kernel: str
    after: int


@dataclass(frozen=True, slots=True)
class Used:
    """One device: requests, seconds in readings, seconds of waiting for other programs. unhealthy: since when and why,
    "" while it is well."""

    name: str
    jobs: int
    busy_s: float
    waited_s: float
    unhealthy: str = ""


@dataclass(frozen=True, slots=True)
class Waiting:
    """What the engine knows of its own queue. device: who waits for the machine now, first come first. used: its
    devices."""

    device: tuple[str, ...] = ()
    due: tuple[Due, ...] = ()
    used: tuple[Used, ...] = ()


OWNER: Final = "its owner"
"""Holder of a machine that was handed back."""
OWNER_OF_PAUSED: Final = f"{OWNER}; the loop is paused"
"""The same while somebody paused the loop, too: a release leaves it so."""


def beat(
    s: Session, campaign_id: int | None, *, started_at: float, loop_lag_ms: float = 0.0, holder: str = "",
    waiting: Waiting | None = None,
) -> None:  # fmt: skip
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
    row.queue = None if waiting is None else asdict(waiting)
    s.add(row)


def lately(beat_at: float, at: float | None = None) -> bool:
    """Whether a beat is so fresh that its engine counts as alive."""
    return (at or now()) - beat_at < ALIVE_S


def engine(s: Session, at: float | None = None) -> EngineView | None:
    """The last engine of this home; None when there was none."""
    row = s.get(HeartbeatRow, 1)
    if row is None:
        return None
    alive = lately(row.at, at) and row.boot_id == boot_id()
    return EngineView(row.pid, row.host, row.started_at, row.at, alive, row.loop_lag_ms)


def waiting(s: Session) -> Waiting:
    """What the last engine of this home waited for at its last beat."""
    row = s.get(HeartbeatRow, 1)
    if row is None or row.queue is None:
        return Waiting()
    used = tuple(Used(**one) for one in row.queue.get("used", ()))
    return Waiting(tuple(row.queue["device"]), tuple(Due(**due) for due in row.queue["due"]), used)


@cache
def boot_id() -> str:
    """Changes with every start of the machine; "" where the system does not say."""
    return BOOT_ID.read_text().strip() if BOOT_ID.exists() else ""
