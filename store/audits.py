"""Audits of promoted heads: what was looked at, what was found, and whose turn it is."""

from dataclasses import dataclass, field
from typing import Any, Literal

from sqlmodel import Session

from store import events, sql
from store.clock import now
from store.columns import loads
from store.tables import AuditRow

State = Literal["passed", "fold", "failed"]


@dataclass(frozen=True, slots=True)
class Promoted:
    """A promotion in force, with its audits. audited_at: UTC seconds; None when it was never audited. swept: calls of
    the sweep of its domains that are done."""

    id: int
    kernel: str
    candidate: str
    node: int
    is_head: bool
    audited_at: float | None
    swept: int


@dataclass(frozen=True, slots=True)
class Found:
    """Result of one audit. swept: as in `Promoted`, after it; point: argument and value at which a fold was found."""

    state: State
    kind: str = ""
    reason: str = ""
    seconds: float = 0.0
    swept: int = 0
    point: tuple[str, int] | None = None
    facts: dict[str, Any] = field(default_factory=dict)


def add(s: Session, campaign_id: int, of: Promoted, found: Found) -> int:
    """Row and event in one transaction; returns the row's id."""
    argument, value = found.point or ("", None)
    row = AuditRow(
        campaign_id=campaign_id, kernel=of.kernel, candidate_id=of.candidate, node_id=of.node, state=found.state,
        kind=found.kind, reason=found.reason, seconds=found.seconds, swept=max(found.swept, of.swept),
        argument=argument, value=value, facts=found.facts, at=now(),
    )  # fmt: skip
    s.add(row)
    s.flush()
    text = f"{'head' if of.is_head else 'former head'} {of.candidate[:8]}: {told(found)}"
    events.append(
        s, campaign_id, "audit", of.kernel, text, node=of.node, state=found.state, ok=found.state == "passed",
        seconds=found.seconds, **found.facts,
    )  # fmt: skip
    return events.need_id(row.id)


def told(found: Found) -> str:
    """One line."""
    if found.state != "passed":
        return f"{'a fold' if found.state == 'fold' else 'could not be audited'}: {found.kind}: {found.reason}"
    sweep = found.facts.get("sweep")
    part = f", {sweep['to']} of {sweep['of']} calls of its domains" if sweep else ""
    return f"passed on new seeds in a fresh process{part}"


def promoted(s: Session, campaign_id: int) -> tuple[Promoted, ...]:
    """Every promotion in force, oldest first."""
    found = sql.rows(
        s,
        "SELECT promotion.id, promotion.kernel, promotion.candidate_id, promotion.node_id,"
        " promotion.id = (SELECT max(id) FROM promotion AS p WHERE p.campaign_id = promotion.campaign_id"
        " AND p.kernel = promotion.kernel AND p.demoted_at IS NULL) AS is_head, max(audit.at) AS audited_at,"
        " coalesce(max(audit.swept), 0) AS swept"
        " FROM promotion LEFT JOIN audit ON audit.campaign_id = promotion.campaign_id"
        " AND audit.candidate_id = promotion.candidate_id WHERE promotion.campaign_id = :campaign"
        " AND promotion.demoted_at IS NULL GROUP BY promotion.id ORDER BY promotion.id",
        campaign=campaign_id,
    )
    return tuple(
        Promoted(
            row["id"], row["kernel"], row["candidate_id"], row["node_id"], bool(row["is_head"]), row["audited_at"],
            row["swept"],
        )
        for row in found
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the audits of one kernel came to: how many, and how far its head's domains are gone through. of: calls in
    all, 0 for a kernel without a domain."""

    kernel: str
    audits: int
    swept: int
    of: int

    @property
    def text(self) -> str:
        return f"{self.kernel} {self.audits}{f', {self.swept} of {self.of} calls of its domains' if self.of else ''}"


def coverage(s: Session, campaign_id: int) -> tuple[Coverage, ...]:
    """Of every kernel that was audited."""
    found = sql.rows(
        s,
        "SELECT kernel, count(*) AS n, (SELECT facts FROM audit AS last WHERE last.campaign_id = audit.campaign_id"
        " AND last.kernel = audit.kernel AND facts LIKE '%\"sweep\"%' ORDER BY id DESC LIMIT 1) AS facts FROM audit"
        " WHERE campaign_id = :campaign GROUP BY kernel ORDER BY kernel",
        campaign=campaign_id,
    )
    heads = {p.kernel: p.swept for p in promoted(s, campaign_id) if p.is_head}
    calls = {row["kernel"]: loads(row["facts"], {}).get("sweep", {}).get("of", 0) for row in found}
    return tuple(Coverage(r["kernel"], r["n"], heads.get(r["kernel"], 0), calls[r["kernel"]]) for r in found)


def points(s: Session, campaign_id: int, kernel: str) -> tuple[tuple[str, int], ...]:
    """Argument and value of every fold that was found in this kernel under this version of the pack."""
    found = sql.rows(
        s,
        "SELECT DISTINCT argument, value FROM audit JOIN campaign ON campaign.id = audit.campaign_id JOIN campaign"
        " AS mine ON mine.id = :campaign AND mine.pack_digest = campaign.pack_digest WHERE audit.kernel = :kernel"
        " AND value IS NOT NULL ORDER BY argument, value",
        campaign=campaign_id,
        kernel=kernel,
    )
    return tuple((str(row["argument"]), int(row["value"])) for row in found)
