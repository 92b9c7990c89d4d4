"""Promotions that wait for a person: pending with their evidence; then approved, vetoed, or expired at the end."""

from dataclasses import asdict, dataclass
from typing import Any

from sqlmodel import Session, col, select

from kernels.values.reading import Estimate
from store import events, sql
from store.clock import now
from store.errors import StoreError
from store.scores import finite
from store.tables import ApprovalRow, NodeRow

UNPROMOTED = (
    "approval.campaign_id = :campaign AND approval.state = 'approved' AND NOT EXISTS (SELECT 1 FROM node"
    " WHERE node.campaign_id = :campaign AND node.candidate_id = approval.candidate_id"
    " AND (node.outcome = 'KEEP' OR node.created_at > approval.decided_at))"
)
"""Approved, and neither promoted nor judged again."""
ENDED = "the campaign ended before anybody decided"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a promotion is made of. estimate: by the acceptance pairs, which are selected; fresh: by the confirmation's.
    ns: median of the candidate's readings, in the device mode `mode`."""

    test_id: int | None
    estimate: Estimate | None
    fresh: Estimate | None
    ns: float
    mode: str = ""

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "estimate": _parts(self.estimate), "fresh": _parts(self.fresh)}

    @classmethod
    def from_json(cls, raw: dict[str, Any]) -> "Evidence":
        made = {name: Estimate(*raw[name]) if raw[name] else None for name in ("estimate", "fresh")}
        return cls(raw["test_id"], made["estimate"], made["fresh"], raw["ns"], raw["mode"])

    @property
    def text(self) -> str:
        """`+5.2 % (+4.1..+6.3) by fresh pairs`."""
        shown = self.fresh or self.estimate
        if shown is None:
            return "no estimate"
        pairs = "fresh" if self.fresh else "selected"
        gain, low, high = (100 * share for share in (shown.gain, shown.low, shown.high))
        return f"{gain:+.1f} % ({low:+.1f}..{high:+.1f}) by {pairs} pairs"


@dataclass(frozen=True, slots=True)
class Waiting:
    """One as shown. node: the id that `approve` and `veto` take."""

    node: int
    kernel: str
    title: str
    candidate: str
    head: str
    evidence: Evidence
    at: float
    state: str
    actor: str
    decided_at: float | None


def ask(s: Session, node_id: int, head_id: str, evidence: Evidence) -> None:
    """Raises: StoreError for a node without a candidate."""
    node = s.get(NodeRow, node_id)
    if node is None or node.candidate_id is None:
        raise StoreError(f"ask about node {node_id}", "it has no candidate", "Give one that was tested")
    s.add(
        ApprovalRow(
            campaign_id=node.campaign_id, kernel=node.kernel, node_id=node_id, candidate_id=node.candidate_id,
            head_id=head_id, evidence=evidence.to_json(), at=now(),
        )
    )  # fmt: skip
    text = f"node {node_id} waits for your word: {node.title} {evidence.text}; `approve {node_id}` or `veto {node_id}`"
    events.append(s, node.campaign_id, "approval", node.kernel, text, node=node_id, state="pending")


def pending(s: Session, campaign_id: int) -> list[Waiting]:
    """Oldest first."""
    return [one for one in listing(s, campaign_id) if one.state == "pending"]


def listing(s: Session, campaign_id: int) -> list[Waiting]:
    found = select(ApprovalRow, NodeRow).where(
        ApprovalRow.campaign_id == campaign_id, ApprovalRow.node_id == NodeRow.id
    )
    return [_waiting(row, node) for row, node in s.exec(found.order_by(col(ApprovalRow.id))).all()]


def decide(s: Session, campaign_id: int, node_id: int, state: str, actor: str) -> Waiting:
    """state: approved or vetoed. Raises: StoreError when this node does not wait; says which do."""
    found = select(ApprovalRow).where(
        ApprovalRow.campaign_id == campaign_id, ApprovalRow.node_id == node_id, ApprovalRow.state == "pending"
    )
    row, node = s.exec(found).first(), s.get(NodeRow, node_id)
    if row is None or node is None:
        waiting = ", ".join(str(one.node) for one in pending(s, campaign_id)) or "none"
        raise StoreError(f"decide on node {node_id}", "it does not wait for a decision", f"These nodes do: {waiting}")
    row.state, row.actor, row.decided_at = state, actor, now()
    s.add(row)
    s.flush()
    text = f"node {node_id} {state} by {actor}: {node.title}"
    events.append(s, campaign_id, "approval", node.kernel, text, node=node_id, state=state, actor=actor)
    return _waiting(row, node)


def reopen(s: Session, campaign_id: int, node_id: int, why: str) -> None:
    """An approved one that could not be promoted waits again."""
    found = select(ApprovalRow).where(
        ApprovalRow.campaign_id == campaign_id, ApprovalRow.node_id == node_id, ApprovalRow.state == "approved"
    )
    row = s.exec(found.order_by(col(ApprovalRow.id).desc())).first()
    if row is None:
        raise StoreError(f"ask again about node {node_id}", "it was not approved", "Approve it first")
    row.state, row.decided_at = "pending", None
    s.add(row)
    text = f"node {node_id} waits again: {why}"
    events.append(s, campaign_id, "approval", row.kernel, text, node=node_id, state="pending")


def is_approved(s: Session, campaign_id: int, candidate: str) -> bool:
    """Whether somebody approved this content."""
    found = sql.scalar(
        s,
        "SELECT 1 FROM approval WHERE campaign_id = :campaign AND candidate_id = :candidate AND state = 'approved'",
        campaign=campaign_id, candidate=candidate,
    )  # fmt: skip
    return bool(found)


def expire(s: Session, campaign_id: int, why: str = ENDED) -> int:
    """No promotion is made after the end; each that still waits, for a word or for its turn after one, is said. Returns
    how many."""
    sql.run(s, f"UPDATE approval SET state = 'pending' WHERE {UNPROMOTED}", campaign=campaign_id)
    s.expire_all()
    waiting = pending(s, campaign_id)
    for one in waiting:
        text = f"node {one.node} was not promoted: {why}; {one.title} {one.evidence.text}"
        events.append(s, campaign_id, "attention", one.kernel, text, node=one.node, state="expired")
    sql.run(
        s, "UPDATE approval SET state = 'expired', decided_at = :now WHERE campaign_id = :campaign"
        " AND state = 'pending'",
        now=now(), campaign=campaign_id,
    )  # fmt: skip
    return len(waiting)


def veto_on(s: Session, campaign_id: int, *, candidate: str, machine_code: str = "") -> str:
    """Who vetoed this content, or what compiles to the same machine code; "" when nobody did."""
    row = sql.first(
        s,
        "SELECT approval.node_id, approval.actor FROM approval JOIN candidate ON candidate.id = approval.candidate_id"
        " WHERE approval.campaign_id = :campaign AND approval.state = 'vetoed' AND (candidate.id = :candidate"
        " OR (:code <> '' AND candidate.machine_code = :code)) LIMIT 1",
        campaign=campaign_id,
        candidate=candidate,
        code=machine_code,
    )
    return "" if row is None else f"vetoed by {row['actor']} as node {row['node_id']}"


def _parts(estimate: Estimate | None) -> list[float] | None:
    if estimate is None:
        return None
    bounded = finite(estimate)
    return [bounded.gain, bounded.low, bounded.high]


def _waiting(row: ApprovalRow, node: NodeRow) -> Waiting:
    return Waiting(
        row.node_id, row.kernel, node.title or node.lever, row.candidate_id, row.head_id,
        Evidence.from_json(row.evidence), row.at, row.state, row.actor, row.decided_at,
    )  # fmt: skip
