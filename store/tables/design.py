"""Design Trees: candidates, nodes, what the gates said, promotions, filings."""

from typing import Any

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from store.columns import Json, check, one_of
from store.tables.base import CAMPAIGN, CANDIDATE, FILING_KINDS, NODE, NODE_KINDS, NODE_STATES, OUTCOMES, TEST, VERDICTS


class CandidateRow(SQLModel, table=True):
    """One source bundle; id is the hash of its content, so it is shared by campaigns. files: artefact hash."""

    __tablename__ = "candidate"
    __table_args__ = (check("id_is_content", "length(id) = 32"),)

    id: str = Field(primary_key=True)
    kernel: str = Field(index=True)
    language: str
    main: str
    flags: list[str] = Field(default_factory=list, sa_type=Json)
    launch: dict[str, str] = Field(default_factory=dict, sa_type=Json)
    files: str
    size: int
    machine_code: str = Field(default="", index=True)
    created_at: float


class NodeRow(SQLModel, table=True):
    """A node of a Design Tree. root_id: its idea card. under_parent: the head it was judged against. refusal: the kind
    of the refusal, else the gate that refused. taint: why it does not count; taint_root: the node of this campaign in
    whose content the fold is: itself, or one that it is made from. fingerprint: of the toolchain that it was judged
    under."""

    __tablename__ = "node"
    __table_args__ = (
        one_of("kind", *NODE_KINDS),
        one_of("state", *NODE_STATES),
        one_of("outcome", *OUTCOMES),
        one_of("verdict", *VERDICTS),
        check("depth_not_negative", "depth >= 0"),
        check("not_its_own_parent", "parent_id IS NULL OR parent_id <> id"),
        Index("ix_node_page", "campaign_id", "kernel", "id"),
        Index("ix_node_count", "campaign_id", "kernel", "outcome", "refusal"),
        check("done_has_outcome", "state <> 'done' OR kind = 'idea' OR candidate_id IS NULL OR outcome <> ''"),
    )

    id: int = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key=CAMPAIGN, index=True)
    kernel: str
    kind: str
    parent_id: int | None = Field(default=None, foreign_key=NODE, index=True)
    root_id: int | None = Field(default=None, foreign_key=NODE)
    depth: int = 0
    candidate_id: str | None = Field(default=None, foreign_key=CANDIDATE, index=True)
    lever: str = ""
    lever_params: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    title: str = ""
    reason: str = ""
    prediction: str = ""
    expected_gain: float | None = None
    expected_chance: float | None = None
    agent: str = ""
    brief_id: int | None = Field(default=None, foreign_key="brief.id")
    state: str = Field(default="queued", index=True)
    outcome: str = ""
    verdict: str = ""
    refusal: str = ""
    under_parent: str | None = Field(default=None, foreign_key=CANDIDATE)
    gain: float | None = None
    low: float | None = None
    high: float | None = None
    tainted: bool = False
    taint: str = ""
    taint_root: int | None = None
    fingerprint: str = ""
    created_at: float
    finished_at: float | None = None


class GateReportRow(SQLModel, table=True):
    """What one gate said of one node."""

    __tablename__ = "gate_report"
    __table_args__ = (
        one_of("gate", "source", "legality", "compile", "estimate", "correct", "trace", "batch"),
        one_of("state", "passed", "refused", "skipped"),
        check("refusal_says_why", "state = 'passed' OR reason <> '' OR kind <> ''"),
        check("seconds_not_negative", "seconds >= 0"),
    )

    id: int = Field(default=None, primary_key=True)
    node_id: int = Field(foreign_key=NODE, index=True)
    gate: str
    state: str
    kind: str = ""
    reason: str = ""
    seconds: float = 0.0
    facts: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    findings: list[str] = Field(default_factory=list, sa_type=Json)
    at: float


class PromotionRow(SQLModel, table=True):
    """A new head. gain, low, high: the acceptance test's (selected); fresh_*: the confirmation's. fingerprint: of the
    toolchain under which these were measured."""

    __tablename__ = "promotion"
    __table_args__ = (
        check("head_moves", "candidate_id <> previous_head"),
        check("demotion_says_why", "demoted_at IS NULL OR demoted_why <> ''"),
    )

    id: int = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key=CAMPAIGN, index=True)
    kernel: str
    candidate_id: str = Field(foreign_key=CANDIDATE)
    node_id: int = Field(foreign_key=NODE, index=True)
    test_id: int | None = Field(default=None, foreign_key=TEST, unique=True)
    previous_head: str = Field(foreign_key=CANDIDATE)
    gain: float | None = None
    low: float | None = None
    high: float | None = None
    fresh_gain: float | None = None
    fresh_low: float | None = None
    fresh_high: float | None = None
    head_ns: float | None = None
    mode: str = ""
    fingerprint: str = ""
    at: float
    demoted_at: float | None = None
    demoted_why: str = ""


class AuditRow(SQLModel, table=True):
    """One audit of a promoted head in a fresh process. swept: calls of the sweep of its domains that are done with it.
    argument, value: where a fold was found, when it was at one value. failed: the process could not be audited."""

    __tablename__ = "audit"
    __table_args__ = (
        one_of("state", "passed", "fold", "failed"),
        check("finding_says_why", "state = 'passed' OR reason <> ''"),
    )

    id: int = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key=CAMPAIGN, index=True)
    kernel: str
    candidate_id: str = Field(foreign_key=CANDIDATE)
    node_id: int = Field(foreign_key=NODE)
    state: str
    kind: str = ""
    reason: str = ""
    seconds: float = 0.0
    swept: int = 0
    argument: str = ""
    value: int | None = None
    facts: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    at: float


class FilingRow(SQLModel, table=True):
    """A promoted head filed with its score, judged again under another toolchain, or sent to an outside board; or,
    without a candidate, imported."""

    __tablename__ = "filing"
    __table_args__ = (
        one_of("kind", *FILING_KINDS),
        check("own_has_candidate", "kind = 'imported' OR candidate_id IS NOT NULL"),
    )

    id: int = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key=CAMPAIGN, index=True)
    kind: str = "promotion"
    kernel: str = Field(index=True)
    node_id: int | None = Field(default=None, foreign_key=NODE)
    promotion_id: int | None = Field(default=None, foreign_key="promotion.id")
    candidate_id: str | None = Field(default=None, foreign_key=CANDIDATE)
    lever: str = Field(default="", index=True)
    filed_at: float = Field(index=True)
    gain: float | None = Field(default=None, index=True)
    low: float | None = None
    high: float | None = None
    ledger_speedup: float | None = Field(default=None, index=True)
    times_peak: float | None = Field(default=None, index=True)
    device: str = ""
    fingerprint: str = ""
    tainted: bool = False
