"""Requests to models as shown."""

from dataclasses import dataclass

from sqlalchemy import RowMapping
from sqlmodel import Session

from store import sql

LABELS = {"cut": "cut, may have been paid", "open": "waits for the answer"}


@dataclass(frozen=True, slots=True)
class CallView:
    """One request as shown. label: its state in words."""

    id: int
    agent: str
    role: str
    kernel: str
    provider: str
    model: str
    state: str
    label: str
    stop: str
    reason: str
    input_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    output_tokens: int
    reserved_tokens: int
    reserved_usd: float | None
    usd: float | None
    price: str
    retries: int
    seconds: float
    request: str
    reply: str
    started_at: float
    brief_id: int | None = None


def calls(s: Session, campaign_id: int, *, agent: str | None = None, alive: bool = True) -> tuple[CallView, ...]:
    """In the order in which they were sent. alive: an engine runs; without one, what is open was cut."""
    found = sql.rows(
        s, "SELECT * FROM llm_call WHERE campaign_id = :campaign AND (:agent IS NULL OR agent = :agent) ORDER BY id",
        campaign=campaign_id, agent=agent,
    )  # fmt: skip
    return tuple(_view(row, row["state"] if alive or row["state"] != "open" else "cut") for row in found)


def _view(row: RowMapping, state: str) -> CallView:
    return CallView(
        row["id"], row["agent"], row["role"], row["kernel"], row["provider"], row["model"], state,
        LABELS.get(state, state), row["stop"], row["reason"], row["input_tokens"],
        row["cache_read_tokens"], row["cache_write_tokens"], row["output_tokens"], row["reserved_tokens"],
        row["reserved_usd"], row["usd"], row["price"], row["retries"], row["seconds"], row["request"], row["reply"],
        row["started_at"], row["brief_id"],
    )  # fmt: skip
