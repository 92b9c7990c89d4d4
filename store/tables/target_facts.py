"""What was measured and what was found forbidden on a target: chip facts, legality rules, the checks of rules."""

from typing import Any

from sqlalchemy import Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from store.columns import Json, check, one_of
from store.tables.base import FACT_STATES, RULE, RULE_KINDS, RULE_OUTCOMES, RULE_STATES


class ChipFactRow(SQLModel, table=True):
    """One measurement of one fact. value: median of the readings, in `unit`; low, high: their quartiles. points: the
    medians of a sweep, each [x, value]. fit: what was fitted and how well. probe: hash of definition and source.
    stale: measured under another toolchain or device than the present one."""

    __tablename__ = "chip_fact"
    __table_args__ = (
        one_of("state", *FACT_STATES),
        check("quartiles_in_order", "low <= value AND value <= high"),
    )

    id: int = Field(default=None, primary_key=True)
    target: str
    name: str = Field(index=True)
    fingerprint: str
    state: str = "current"
    title: str = ""
    value: float
    low: float
    high: float
    unit: str
    readings: list[float] = Field(default_factory=list, sa_type=Json)
    points: list[Any] = Field(default_factory=list, sa_type=Json)
    fit: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    probe: str = ""
    environment: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    at: float


class RuleRow(SQLModel, table=True):
    """One legality rule: the smallest forbidden form, the nearest legal one, what the compiler says of the former.

    flags: of the compiler, for both forms. pattern: how the form is found by syntax, {} when it cannot be. evidence:
    where it was met. fingerprint: under which it holds; stale until it was checked under another one. workspace: whose
    rule it is, "" for what ships and what was mined."""

    __tablename__ = "legality_rule"
    __table_args__ = (
        UniqueConstraint("target", "name", "workspace"),
        one_of("kind", *RULE_KINDS),
        one_of("state", *RULE_STATES),
        check("verified_says_where", "state NOT IN ('verified', 'not_enforced') OR fingerprint <> ''"),
    )

    id: int = Field(default=None, primary_key=True)
    target: str
    name: str
    workspace: str = ""
    kind: str
    statement: str
    forbidden: str = Field(sa_type=Text)
    legal: str = Field(sa_type=Text)
    flags: list[str] = Field(default_factory=list, sa_type=Json)
    diagnostic: str = ""
    pattern: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    origin: str = ""
    evidence: list[Any] = Field(default_factory=list, sa_type=Json)
    state: str = Field(default="documented", index=True)
    fingerprint: str = ""
    at: float
    checked_at: float | None = None


class RuleCheckRow(SQLModel, table=True):
    """Both forms of a rule planted once; append-only. found: what the compiler or the run said of the forbidden one."""

    __tablename__ = "rule_check"
    __table_args__ = (one_of("outcome", *RULE_OUTCOMES),)

    id: int = Field(default=None, primary_key=True)
    rule_id: int = Field(foreign_key=RULE, index=True)
    fingerprint: str
    outcome: str
    found: str = ""
    at: float
