"""Who works, on what, at whose word; what happened; what was learned."""

from typing import Any

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from store.columns import Json, check, one_of
from store.tables.base import AGENT_STATES, BRIEF_STATES, CAMPAIGN, CANDIDATE, COMMAND_STATES, MEMORY_STATES


class AgentRow(SQLModel, table=True):
    """A role task, alive or not. since: when it entered its state."""

    __tablename__ = "agent"
    __table_args__ = (
        UniqueConstraint("campaign_id", "name"),
        one_of("state", *AGENT_STATES),
        check("counts_not_negative", "tokens >= 0 AND usd >= 0"),
    )

    id: int = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key=CAMPAIGN)
    name: str
    role: str
    kernel: str = ""
    state: str = "working"
    brief: str = ""
    step: str = ""
    since: float
    seen_at: float
    tokens: int = 0
    usd: float = 0.0


class AgentLineRow(SQLModel, table=True):
    """What an agent said; the last 200 lines of each are kept."""

    __tablename__ = "agent_line"

    id: int = Field(default=None, primary_key=True)
    agent_id: int = Field(foreign_key="agent.id", index=True)
    at: float
    text: str


class BriefRow(SQLModel, table=True):
    """What a worker is told: one kernel, one lever."""

    __tablename__ = "brief"
    __table_args__ = (one_of("state", *BRIEF_STATES),)

    id: int = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key=CAMPAIGN, index=True)
    kernel: str
    lever: str = ""
    params: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    text: str = ""
    author: str = ""
    parent_node_id: int | None = None
    priority: float = 0.0
    state: str = Field(default="queued", index=True)
    agent: str = ""
    result: str = ""
    created_at: float
    taken_at: float | None = None
    finished_at: float | None = None


class CommandRow(SQLModel, table=True):
    """One intervention: who, when, verb, target, state, result."""

    __tablename__ = "command"
    __table_args__ = (one_of("state", *COMMAND_STATES), check("has_verb", "verb <> ''"))

    id: int = Field(default=None, primary_key=True)
    at: float
    actor: str
    verb: str
    target: str = ""
    args: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    state: str = Field(default="queued", index=True)
    result: str = ""
    taken_at: float | None = None
    finished_at: float | None = None


class EventRow(SQLModel, table=True):
    """Something happened; append-only, ids in commit order."""

    __tablename__ = "event"
    __table_args__ = (Index("ix_event_kind", "campaign_id", "kind"), {"sqlite_autoincrement": True})

    id: int = Field(default=None, primary_key=True)
    campaign_id: int | None = Field(default=None, foreign_key=CAMPAIGN)
    at: float
    kind: str
    subject: str = ""
    text: str = ""
    data: dict[str, Any] = Field(default_factory=dict, sa_type=Json)


class MemoryRow(SQLModel, table=True):
    """A conclusion that agents share: what won, what is a trap; by type of kernel. fingerprint: of the toolchain under
    which it holds; stale: not tried under the present one; retired: what it rests on fell."""

    __tablename__ = "memory"
    __table_args__ = (one_of("kind", "win", "trap"), one_of("state", *MEMORY_STATES))

    id: int = Field(default=None, primary_key=True)
    kind: str
    kernel_type: str
    kernel: str = ""
    lever: str = ""
    strategy: str
    reflection: str = ""
    gain: float | None = None
    campaign_id: int | None = Field(default=None, foreign_key=CAMPAIGN)
    candidate_id: str | None = Field(default=None, foreign_key=CANDIDATE)
    state: str = "current"
    fingerprint: str = ""
    at: float
