"""What a person says to agents, and promotions that wait for a person's word."""

from typing import Any

from sqlmodel import Field, SQLModel

from store.columns import Json, check, one_of
from store.tables.base import APPROVAL_STATES, CAMPAIGN, CANDIDATE, MESSAGE_STATES, NODE


class MessageRow(SQLModel, table=True):
    """actor: who wrote it. recipient: an agent, a role, a kernel, or all. file: name of the task file that it came
    from. reader: the agent in whose prompt it stood first; answered_by: an agent, or the offline policy."""

    __tablename__ = "message"
    __table_args__ = (one_of("state", *MESSAGE_STATES), check("has_text", "text <> ''"))

    id: int = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key=CAMPAIGN, index=True)
    at: float
    actor: str
    recipient: str
    text: str
    file: str = ""
    state: str = "waiting"
    reader: str = ""
    read_at: float | None = None
    answer: str = ""
    answered_by: str = ""
    answered_at: float | None = None


class ApprovalRow(SQLModel, table=True):
    """A confirmed candidate that is to become the head, and who said what to it. head_id: what it was tested against.
    evidence: what a promotion is made of, see `store.approvals.Evidence`."""

    __tablename__ = "approval"
    __table_args__ = (one_of("state", *APPROVAL_STATES),)

    id: int = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key=CAMPAIGN, index=True)
    kernel: str
    node_id: int = Field(foreign_key=NODE, index=True)
    candidate_id: str = Field(foreign_key=CANDIDATE, index=True)
    head_id: str = Field(foreign_key=CANDIDATE)
    evidence: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    state: str = "pending"
    at: float
    actor: str = ""
    decided_at: float | None = None
