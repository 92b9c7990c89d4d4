"""Tests, their pairs as read, and the ledger."""

from typing import Any

from sqlalchemy import Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from store.columns import Json, check, one_of
from store.tables.base import CAMPAIGN, CANDIDATE, NODE, TEST, TEST_KINDS, TEST_STATES, VERDICTS


class TestRow(SQLModel, table=True):
    """One run of the judge. Only this row says that a test is a placebo. seed: of the coin that orders each pair.
    fingerprint: of the toolchain that built both sides."""

    __test__ = False  # not a class of tests
    __tablename__ = "test"
    __table_args__ = (
        one_of("kind", *TEST_KINDS),
        one_of("state", *TEST_STATES),
        one_of("verdict", *VERDICTS),
        check(
            "done_has_verdict_or_is_fixed",
            "state <> 'done' OR verdict <> '' OR kind IN ('ledger', 'calibration', 'batch')",
        ),
        Index("ix_test_count", "campaign_id", "kind", "state", "verdict", "kernel"),
        check("counts_not_negative", "pairs_budget >= 0 AND device_seconds >= 0"),
    )

    id: int = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key=CAMPAIGN, index=True)
    kernel: str
    kind: str
    node_id: int | None = Field(default=None, foreign_key=NODE, index=True)
    candidate_id: str = Field(foreign_key=CANDIDATE, index=True)
    head_id: str = Field(foreign_key=CANDIDATE)
    lever: str = ""
    agent: str = ""
    rule: str = ""
    seed: str = ""
    pairs_budget: int = 0
    state: str = Field(default="running", index=True)
    verdict: str = ""
    no_sign: bool = False
    score: float = 0.0
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    next_look: int | None = None
    device_seconds: float = 0.0
    mode: str = ""
    fingerprint: str = ""
    reason: str = ""
    started_at: float
    finished_at: float | None = None


class PairRow(SQLModel, table=True):
    """One pair, as read; append-only. A pair that was redone stays, with its reason. score: over the kept pairs so far.

    Source of the columns: `kernels.values.reading.Pair`.
    """

    __tablename__ = "pair"
    __table_args__ = (
        UniqueConstraint("test_id", "seq"),
        Index("ix_pair_redone", "test_id", sqlite_where=text("redo_reason <> ''")),
        one_of("first", "head", "candidate"),
        check("seq_not_negative", "seq >= 0"),
        check(
            "kept_is_positive",
            "redo_reason <> '' OR (head_ns IS NOT NULL AND candidate_ns IS NOT NULL AND log_ratio IS NOT NULL"
            " AND head_ns > 0 AND candidate_ns > 0)",
        ),
    )

    id: int = Field(default=None, primary_key=True)
    test_id: int = Field(foreign_key=TEST)
    seq: int
    first: str
    head_ns: float | None
    candidate_ns: float | None
    log_ratio: float | None
    head_reading: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    candidate_reading: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    probe_before_gbs: float = 0.0
    probe_after_gbs: float = 0.0
    mode: str = ""
    redo_reason: str = ""
    environment: dict[str, str] = Field(default_factory=dict, sa_type=Json)
    score: float | None = None
    at: float


class LedgerRow(SQLModel, table=True):
    """A direct measurement of a head against the baseline or an earlier head, kept whatever it says. tainted: one of
    both had a fold. fingerprint: of the toolchain that built both."""

    __tablename__ = "ledger"
    __table_args__ = (
        one_of("against", "baseline", "previous"),
        check("speedup_positive", "speedup > 0 AND low > 0 AND high >= low"),
        check("pairs_positive", "pairs > 0"),
    )

    id: int = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key=CAMPAIGN, index=True)
    kernel: str
    head_id: str = Field(foreign_key=CANDIDATE)
    against: str
    against_id: str = Field(foreign_key=CANDIDATE)
    test_id: int | None = Field(default=None, foreign_key=TEST)
    speedup: float
    low: float
    high: float
    score: float = 0.0
    head_ns: float | None = None
    against_ns: float | None = None
    mode: str = ""
    fingerprint: str = ""
    pairs: int
    tainted: bool = False
    at: float
