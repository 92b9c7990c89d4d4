"""Races of generated variants: who took part, the blocks as read, how it ended."""

from typing import Any

from sqlalchemy import UniqueConstraint
from sqlmodel import Field, SQLModel

from store.columns import Json, check, one_of
from store.tables.base import CAMPAIGN, CANDIDATE, NODE, RACE, RACE_STATES, TEST_STATES


class RaceRow(SQLModel, table=True):
    """One race of one proposal's variants. seed: of the draw; the next one is that of the order inside the blocks.
    grid: variants in all. node_id: the attempt that the winner goes on as. device_seconds: of its blocks."""

    __tablename__ = "race"
    __table_args__ = (
        one_of("state", *TEST_STATES),
        check("done_or_no_winner", "state = 'done' OR winner_id IS NULL"),
        check("counts_not_negative", "grid > 0 AND readings >= 0 AND device_seconds >= 0"),
    )

    id: int = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key=CAMPAIGN, index=True)
    kernel: str
    node_id: int = Field(foreign_key=NODE, index=True)
    head_id: str = Field(foreign_key=CANDIDATE)
    lever: str = ""
    agent: str = ""
    seed: str = ""
    grid: int
    state: str = Field(default="running", index=True)
    winner_id: str | None = Field(default=None, foreign_key=CANDIDATE)
    readings: int = 0
    device_seconds: float = 0.0
    reason: str = ""
    started_at: float
    finished_at: float | None = None


class RaceVariantRow(SQLModel, table=True):
    """One variant of a race, in the order of the draw. state: `entered`, `refused` before any reading, `caught` in the
    race, `ranked`. gate, kind, reason: why it dropped out; gate "race" for what came after the gates. median: of
    log(head / variant) over its blocks; rounds: that it was in."""

    __tablename__ = "race_variant"
    __table_args__ = (
        UniqueConstraint("race_id", "candidate_id"),
        one_of("state", *RACE_STATES),
        check("drop_says_why", "state NOT IN ('refused', 'caught') OR kind <> ''"),
    )

    id: int = Field(default=None, primary_key=True)
    race_id: int = Field(foreign_key=RACE)
    candidate_id: str = Field(foreign_key=CANDIDATE, index=True)
    params: dict[str, str] = Field(default_factory=dict, sa_type=Json)
    state: str = "entered"
    gate: str = ""
    kind: str = ""
    reason: str = ""
    rank: int | None = None
    median: float | None = None
    blocks: int = 0
    rounds: int = 0
    tied: bool = False


class RaceBlockRow(SQLModel, table=True):
    """One block as read; append-only. readings: candidate ids with their readings, in the order in which they were
    taken, the head's among them. A block that was taken again stays, with its reason."""

    __tablename__ = "race_block"
    __table_args__ = (UniqueConstraint("race_id", "seq"), check("seq_not_negative", "seq >= 0"))

    id: int = Field(default=None, primary_key=True)
    race_id: int = Field(foreign_key=RACE)
    seq: int
    readings: list[Any] = Field(default_factory=list, sa_type=Json)
    dropped: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    probe_before_gbs: float = 0.0
    probe_after_gbs: float = 0.0
    mode: str = ""
    redo_reason: str = ""
    environment: dict[str, str] = Field(default_factory=dict, sa_type=Json)
    at: float
