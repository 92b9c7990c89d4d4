"""Experiments: the same search run again and again under several settings."""

from typing import Any

from sqlalchemy import UniqueConstraint
from sqlmodel import Field, SQLModel

from store.columns import Json, check, one_of
from store.tables.base import CAMPAIGN, EXPERIMENT, EXPERIMENT_STATES


class ExperimentRow(SQLModel, table=True):
    """plan: what its file says, with all settings of every arm; digest: of the plan, by which a start finds it again.
    done: everything that its figures are made of was measured."""

    __tablename__ = "experiment"
    __table_args__ = (one_of("state", *EXPERIMENT_STATES),)

    id: int = Field(default=None, primary_key=True)
    name: str
    digest: str = Field(index=True)
    plan: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    pack: str
    pack_digest: str
    target: str
    fingerprint: str
    device: str = ""
    toolchain: str = ""
    state: str = "running"
    started_at: float
    ended_at: float | None = None


class TrajectoryRow(SQLModel, table=True):
    """One run of one arm: a campaign, once it has begun. number: from 0 within its arm. finals: by kernel what the
    final block measured of its head, see `store.experiments.Final`; empty before that."""

    __tablename__ = "trajectory"
    __table_args__ = (
        UniqueConstraint("experiment_id", "arm", "number"),
        check("number_not_negative", "number >= 0"),
    )

    id: int = Field(default=None, primary_key=True)
    experiment_id: int = Field(foreign_key=EXPERIMENT)
    arm: str
    number: int
    seed: int
    campaign_id: int | None = Field(default=None, foreign_key=CAMPAIGN, index=True)
    finals: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
