"""Toolchain changes of campaigns, and what a re-check made of each record that they marked stale."""

from typing import Any

from sqlalchemy import UniqueConstraint
from sqlmodel import Field, SQLModel

from store.columns import Json, check, one_of
from store.tables.base import CAMPAIGN, CHANGE_STATES, RECHECK_KINDS, RECHECK_OUTCOMES, TOOLCHAIN_CHANGE


class ToolchainChangeRow(SQLModel, table=True):
    """former, present: fingerprints; former_book, present_book: newest releases of the target's books. text: what
    changed, in words. was_paused: somebody had paused the campaign before. notes: what was tried and what was not."""

    __tablename__ = "toolchain_change"
    __table_args__ = (one_of("state", *CHANGE_STATES), check("says_what", "text <> ''"))

    id: int = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key=CAMPAIGN, index=True)
    target: str
    former: str
    present: str
    former_book: str = ""
    present_book: str = ""
    text: str
    was_paused: bool = False
    state: str = "rechecking"
    notes: list[Any] = Field(default_factory=list, sa_type=Json)
    at: float
    finished_at: float | None = None


class RecheckRow(SQLModel, table=True):
    """One record that a change marked stale. record: its key among those of its kind. was: its state before. outcome:
    "" until it was tried."""

    __tablename__ = "recheck"
    __table_args__ = (
        UniqueConstraint("change_id", "kind", "record"),
        one_of("kind", *RECHECK_KINDS),
        one_of("outcome", *RECHECK_OUTCOMES),
    )

    id: int = Field(default=None, primary_key=True)
    change_id: int = Field(foreign_key=TOOLCHAIN_CHANGE, index=True)
    kind: str
    record: str
    was: str = ""
    outcome: str = ""
    reason: str = ""
    at: float | None = None
