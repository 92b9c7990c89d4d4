"""Design Trees: nodes, what the gates said of them, and how they ended. Promotions are in `promotions.py`."""

from collections.abc import Mapping
from typing import Any

from sqlmodel import Session

from kernels.values.prediction import NOTHING, Prediction
from kernels.values.reading import Estimate
from kernels.values.verdict import GateReport, Outcome
from store import events, kernel_states, sql
from store.attempts import Attempt, attempts, finished_attempts, lineage, refused_before
from store.campaigns import fingerprint_of
from store.candidates import add_candidate, find_id, get_candidate, set_machine_code
from store.clock import now
from store.errors import StoreError
from store.promotions import demote, head, promote
from store.scores import finite
from store.tables import GateReportRow, NodeRow
from store.taint import taint

__all__ = [
    "Attempt",
    "add_candidate",
    "add_gate_report",
    "add_node",
    "attempts",
    "demote",
    "find_id",
    "finish_node",
    "finished_attempts",
    "get_candidate",
    "get_node",
    "head",
    "lineage",
    "promote",
    "refused_before",
    "set_machine_code",
    "set_node",
    "taint",
]


def add_node(
    s: Session, campaign_id: int, kernel: str, kind: str, *, parent: int | None = None, candidate_id: str | None = None,
    lever: str = "", params: Mapping[str, Any] | None = None, title: str = "", reason: str = "",
    prediction: Prediction = NOTHING, agent: str = "", brief_id: int | None = None, state: str | None = None,
) -> int:  # fmt: skip
    """A new node; returns its id. kind: idea, design or variant. state: `queued`, or `done` for what is not
    judged: an idea card (the baseline's has its candidate), a node without a candidate."""
    above = get_node(s, parent) if parent is not None else None
    judged = candidate_id is not None and kind != "idea"
    row = NodeRow(
        campaign_id=campaign_id, kernel=kernel, kind=kind, parent_id=parent, depth=above.depth + 1 if above else 0,
        root_id=(above.root_id or above.id) if above else None, candidate_id=candidate_id, lever=lever,
        lever_params=dict(params or {}), title=title or lever, reason=reason, prediction=prediction.text,
        expected_gain=prediction.gain, expected_chance=prediction.chance, agent=agent, brief_id=brief_id,
        state=state or ("queued" if judged else "done"), created_at=now(),
        tainted=above.tainted if above else False, taint=_inherited(above),
        taint_root=above.taint_root if above else None, fingerprint=fingerprint_of(s, campaign_id),
    )  # fmt: skip
    s.add(row)
    s.flush()
    node_id = events.need_id(row.id)
    events.append(
        s, campaign_id, "node", kernel, f"{kind} {title or lever}".strip(), node=node_id, agent=agent, lever=lever
    )
    return node_id


def _inherited(above: NodeRow | None) -> str:
    if above is None or not above.tainted:
        return ""
    return above.taint if above.taint_root != above.id else f"made from node {above.id}: {above.taint}"


def get_node(s: Session, node_id: int) -> NodeRow:
    """Raises: StoreError when there is none."""
    row = s.get(NodeRow, node_id)
    if row is None:
        raise StoreError(f"find node {node_id}", "there is none", "Take its id from a tree")
    return row


def set_node(s: Session, node_id: int, **changes: Any) -> None:
    """Change state, candidate_id, lever, lever_params, under_parent, reason, title, agent, brief_id.

    Raises: StoreError for others.
    """
    known = {
        "state", "candidate_id", "lever", "lever_params", "under_parent", "reason", "title", "agent",
        "brief_id",
    }  # fmt: skip
    if unknown := changes.keys() - known:
        raise StoreError("change a node", f"{sorted(unknown)} cannot change so", f"Known are {sorted(known)}")
    row = get_node(s, node_id)
    for name, value in changes.items():
        setattr(row, name, value)
    s.add(row)
    s.flush()


def add_gate_report(s: Session, node_id: int, report: GateReport) -> int:
    """All reports are kept, in order; returns the row's id."""
    row = GateReportRow(
        node_id=node_id, gate=report.gate, state=str(report.state), kind=report.kind, reason=report.reason,
        seconds=report.seconds, facts=dict(report.facts), findings=list(report.findings), at=now(),
    )  # fmt: skip
    s.add(row)
    s.flush()
    return events.need_id(row.id)


def finish_node(
    s: Session, node_id: int, outcome: Outcome, verdict: str = "", *, estimate: Estimate | None = None,
    under_parent: str = "", text: str = "",
) -> None:  # fmt: skip
    """The guard's word on a node, and the plateau counter with it: +1 by ACCEPT and REVERT, else untouched.

    under_parent: the head it was judged against (default: what the node says, else the head now). KEEP is `promote`'s.
    """
    if outcome is Outcome.KEEP:
        raise StoreError(f"finish node {node_id} as KEEP", "a kept node is a promotion", "Call promote")
    row = get_node(s, node_id)
    row.state, row.outcome, row.verdict, row.finished_at = "done", str(outcome), str(verdict), now()
    row.refusal = _refusal(s, node_id) if outcome in (Outcome.REJECT, Outcome.REVERT) else ""
    row.under_parent = under_parent or row.under_parent or head(s, row.campaign_id, row.kernel)
    if estimate:
        bounded = finite(estimate)
        row.gain, row.low, row.high = bounded.gain, bounded.low, bounded.high
    s.add(row)
    if outcome in (Outcome.ACCEPT, Outcome.REVERT) and not _has_placebo(s, node_id):
        state = kernel_states.get(s, row.campaign_id, row.kernel)
        kernel_states.update(s, row.campaign_id, row.kernel, plateau=state.plateau + 1)
    events.append(
        s, row.campaign_id, "outcome", row.kernel, text or f"{outcome} {verdict} {row.title}".replace("  ", " "),
        node=node_id, outcome=str(outcome), verdict=str(verdict), lever=row.lever, agent=row.agent, gain=row.gain,
    )  # fmt: skip


def _refusal(s: Session, node_id: int) -> str:
    found = sql.scalar(
        s,
        "SELECT coalesce(nullif(kind, ''), gate) FROM gate_report WHERE node_id = :node AND state = 'refused'"
        " ORDER BY id LIMIT 1",
        node=node_id,
    )
    return str(found or "")


def _has_placebo(s: Session, node_id: int) -> bool:
    return bool(sql.scalar(s, "SELECT 1 FROM test WHERE node_id = :node AND kind = 'placebo' LIMIT 1", node=node_id))
