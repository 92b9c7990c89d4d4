"""What is claimed of a target from its documentation, where that stands, and what auditors said."""

from sqlalchemy import UniqueConstraint
from sqlmodel import Field, SQLModel

from store.columns import one_of
from store.tables.base import (
    AUDIT_VERDICTS,
    BOOK_RELEASE,
    CITATION_CHANGES,
    CLAIM,
    CLAIM_STATES,
    SCRIPT_CHECKS,
)


class ClaimRow(SQLModel, table=True):
    """A short statement. release_id: the release it was drawn from. kind: definition, limit, rule or table. drafted:
    its first wording when it had to be rewritten, else "". reason: why it was dropped or is stale."""

    __tablename__ = "claim"
    __table_args__ = (one_of("state", *CLAIM_STATES),)

    id: int = Field(default=None, primary_key=True)
    release_id: int = Field(foreign_key=BOOK_RELEASE, index=True)
    kind: str
    text: str
    drafted: str = ""
    source: str = "offline"
    state: str = Field(default="unaudited", index=True)
    reason: str = ""
    at: float


class CitationRow(SQLModel, table=True):
    """A quoted span of one release that a claim rests on. seq: its place among the claim's citations in this release.
    change: what became of it since the release before, "" for the release that the claim was drawn from; previous_id:
    the citation there. found: the text that stands there now when it changed."""

    __tablename__ = "citation"
    __table_args__ = (
        UniqueConstraint("claim_id", "release_id", "seq"),
        one_of("change", *CITATION_CHANGES),
        one_of("script_check", *SCRIPT_CHECKS),
    )

    id: int = Field(default=None, primary_key=True)
    claim_id: int = Field(foreign_key=CLAIM, index=True)
    release_id: int = Field(foreign_key=BOOK_RELEASE, index=True)
    seq: int
    document: str
    anchor: str
    span: str
    span_sha256: str
    script_check: str
    reason: str = ""
    change: str = ""
    previous_id: int | None = Field(default=None, foreign_key="citation.id")
    found: str = ""


class ClaimAuditRow(SQLModel, table=True):
    """One auditor's word on one wording of a claim. lexical: it compared words only and understood nothing."""

    __tablename__ = "claim_audit"
    __table_args__ = (one_of("verdict", *AUDIT_VERDICTS),)

    id: int = Field(default=None, primary_key=True)
    claim_id: int = Field(foreign_key=CLAIM, index=True)
    auditor: str
    method: str
    lexical: bool
    wording: str
    verdict: str
    reason: str = ""
    at: float
