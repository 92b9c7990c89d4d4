"""Heads: the last promotion that was not demoted, else the baseline."""

from sqlmodel import Session, col, select

from kernels.values.reading import Estimate
from kernels.values.verdict import Outcome, Verdict
from store import events, filings, kernel_states
from store.campaigns import fingerprint_of
from store.clock import now
from store.errors import StoreError
from store.scores import finite
from store.tables import NodeRow, PromotionRow, TestRow


def head(s: Session, campaign_id: int, kernel: str) -> str | None:
    """Candidate id of the head; None before there is a baseline."""
    last = head_promotion(s, campaign_id, kernel)
    return last.candidate_id if last else kernel_states.get(s, campaign_id, kernel).baseline_id


def head_promotion(s: Session, campaign_id: int, kernel: str) -> PromotionRow | None:
    query = select(PromotionRow).where(
        PromotionRow.campaign_id == campaign_id, PromotionRow.kernel == kernel, col(PromotionRow.demoted_at).is_(None)
    )
    return s.exec(query.order_by(col(PromotionRow.id).desc()).limit(1)).first()


def get(s: Session, promotion_id: int) -> PromotionRow:
    """Raises: StoreError when there is none."""
    row = s.get(PromotionRow, promotion_id)
    if row is None:
        raise StoreError(f"find promotion {promotion_id}", "there is none", "Look at the filings")
    return row


def fallen_since(s: Session, campaign_id: int, at: float) -> list[PromotionRow]:
    """Promotions that were taken back then or later, oldest first. at: seconds since the epoch."""
    query = select(PromotionRow).where(PromotionRow.campaign_id == campaign_id, col(PromotionRow.demoted_at) >= at)
    return list(s.exec(query.order_by(col(PromotionRow.id))).all())


def node_of(s: Session, campaign_id: int, kernel: str, candidate_id: str) -> int | None:
    """The node with which this candidate was promoted; None when it never was."""
    query = select(PromotionRow).where(
        PromotionRow.campaign_id == campaign_id, PromotionRow.kernel == kernel,
        PromotionRow.candidate_id == candidate_id,
    )  # fmt: skip
    last = s.exec(query.order_by(col(PromotionRow.id).desc()).limit(1)).first()
    return None if last is None else last.node_id


def promote(
    s: Session, node_id: int, *, test_id: int | None, estimate: Estimate | None, fresh: Estimate | None,
    head_ns: float | None, mode: str = "",
) -> int:  # fmt: skip
    """Make the node's candidate the head: promotion, outcome KEEP, plateau 0, filing and event in one transaction.

    test_id: the acceptance test; estimate is its (selected) one, fresh the confirmation's. Returns the promotion's id.
    Raises: StoreError when the node has no candidate, is tainted, is the head already, or was a placebo.
    """
    node, candidate, previous = _promotable(s, node_id, test_id)
    row = PromotionRow(
        campaign_id=node.campaign_id, kernel=node.kernel, candidate_id=candidate, node_id=node_id,
        test_id=test_id, previous_head=previous, head_ns=head_ns, mode=mode, at=now(),
        fingerprint=fingerprint_of(s, node.campaign_id),
    )  # fmt: skip
    estimate, fresh = (finite(found) if found else None for found in (estimate, fresh))
    if estimate:
        row.gain, row.low, row.high = estimate.gain, estimate.low, estimate.high
    if fresh:
        row.fresh_gain, row.fresh_low, row.fresh_high = fresh.gain, fresh.low, fresh.high
    s.add(row)
    _keep(s, node, estimate, previous)
    kernel_states.update(s, node.campaign_id, node.kernel, plateau=0, head_ns=head_ns or _head_ns(s, node))
    s.flush()
    filings.file_promotion(s, row, node.lever)
    gain = fresh or estimate
    events.append(
        s, node.campaign_id, "promotion", node.kernel, f"{node.title}{f' {gain.gain:+.2%}' if gain else ''}",
        node=node_id, candidate=candidate, previous=previous, gain=gain.gain if gain else None,
        lever=node.lever, agent=node.agent, head_ns=head_ns,
    )  # fmt: skip
    return events.need_id(row.id)


def _promotable(s: Session, node_id: int, test_id: int | None) -> tuple[NodeRow, str, str]:
    """The node, its candidate, and the head that it follows. Raises: StoreError."""
    node = s.get(NodeRow, node_id)
    _refuse(s, node_id, node, test_id)
    if node is None or node.candidate_id is None:
        raise StoreError(f"promote node {node_id}", "it has no candidate", "Give a node that was tested")
    previous = head(s, node.campaign_id, node.kernel)
    if previous is None or previous == node.candidate_id:
        found = "there is no baseline" if previous is None else "it is the head already"
        raise StoreError(f"promote node {node_id}", found, "Set the baseline first, and test against the head")
    return node, node.candidate_id, previous


def demote(s: Session, promotion_id: int, why: str) -> str | None:
    """Take a promotion back, history kept; returns the head after it, whose time is unknown when it was measured under
    another toolchain.

    Raises: StoreError when there is no such promotion in force.
    """
    row = s.get(PromotionRow, promotion_id)
    if row is None or row.demoted_at is not None:
        raise StoreError(f"demote promotion {promotion_id}", "there is none in force", "Look at the filings")
    row.demoted_at, row.demoted_why = now(), why or "no reason given"
    s.add(row)
    s.flush()
    last = head_promotion(s, row.campaign_id, row.kernel)
    state = kernel_states.get(s, row.campaign_id, row.kernel)
    known = last is not None and last.fingerprint == fingerprint_of(s, row.campaign_id)
    time = state.baseline_ns if last is None else last.head_ns if known else None
    kernel_states.update(s, row.campaign_id, row.kernel, head_ns=time)
    now_head = last.candidate_id if last else state.baseline_id
    events.append(
        s, row.campaign_id, "demotion", row.kernel, f"node {row.node_id}: {row.demoted_why}", node=row.node_id,
        promotion=promotion_id, candidate=row.candidate_id, head=now_head,
    )  # fmt: skip
    return now_head


def _refuse(s: Session, node_id: int, node: NodeRow | None, test_id: int | None) -> None:
    if node is not None and node.tainted:
        raise StoreError(f"promote node {node_id}", f"it is tainted by a fold: {node.taint}", "Give a clean node")
    test = s.get(TestRow, test_id) if test_id is not None else None
    if test is not None and test.kind == "placebo":
        raise StoreError(f"promote node {node_id}", "its test was a placebo", "A placebo is never promoted")


def _keep(s: Session, node: NodeRow, estimate: Estimate | None, previous: str) -> None:
    node.state, node.outcome, node.verdict, node.finished_at = "done", str(Outcome.KEEP), str(Verdict.FASTER), now()
    node.under_parent = node.under_parent or previous
    if estimate:
        node.gain, node.low, node.high = estimate.gain, estimate.low, estimate.high
    s.add(node)


def _head_ns(s: Session, node: NodeRow) -> float | None:
    return kernel_states.get(s, node.campaign_id, node.kernel).head_ns
