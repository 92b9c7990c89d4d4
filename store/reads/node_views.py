"""One node with everything that is known of it."""

import difflib
from collections.abc import Mapping, Sequence

from sqlalchemy import RowMapping
from sqlmodel import Session

from kernels.judge.expiry import FAR, REJECTIONS
from kernels.values.candidate import Candidate
from store import sql
from store.candidates import get_candidate
from store.columns import loads
from store.designs import get_node
from store.kernel_states import get as kernel_state
from store.reads.race_views import race_of_node
from store.reads.test_views import tests_of_node
from store.reads.tree_views import COLUMNS, head_path, node_view
from store.tables import NodeRow
from store.views import GateView, NodeDetail

DIFF_LINES = 4000


def node_detail(s: Session, node_id: int) -> NodeDetail:
    """With source, diff to the parent's source, gates and tests. Raises: StoreError when there is no such node."""
    node = get_node(s, node_id)
    row = sql.rows(s, COLUMNS + "WHERE node.id = :node", node=node_id)[0]
    candidate = get_candidate(s, node.candidate_id) if node.candidate_id is not None else None
    parent_id = parent_candidate(s, node)
    parent = get_candidate(s, parent_id) if candidate is not None and parent_id is not None else None
    return NodeDetail(
        node=node_view(row, head_path(s, node.campaign_id, node.kernel)), reason=node.reason,
        prediction=node.prediction, flags=candidate.flags if candidate else (), under_parent=_under_parent(s, node),
        source=candidate.source if candidate else "", diff=unified_diff(parent, candidate) if candidate else "",
        gates=gates_of_nodes(s, [node_id]).get(node_id, ()), tests=tests_of_node(s, node_id),
        race=race_of_node(s, node_id),
    )  # fmt: skip


def gates_of(s: Session, campaign_id: int, kernel: str) -> Mapping[int, tuple[GateView, ...]]:
    """Gate reports of every node of a kernel, by node."""
    found = sql.rows(
        s,
        "SELECT gate_report.* FROM gate_report JOIN node ON node.id = gate_report.node_id"
        " WHERE node.campaign_id = :campaign AND node.kernel = :kernel ORDER BY gate_report.id",
        campaign=campaign_id, kernel=kernel,
    )  # fmt: skip
    return _by_node(found)


def gates_of_nodes(s: Session, nodes: Sequence[int]) -> Mapping[int, tuple[GateView, ...]]:
    found = [
        row
        for node in nodes
        for row in sql.rows(s, "SELECT * FROM gate_report WHERE node_id = :node ORDER BY id", node=node)
    ]
    return _by_node(found)


def parent_candidate(s: Session, node: NodeRow) -> str | None:
    """What it was made from: the nearest candidate above it, else the head it was judged against, else the baseline."""
    above = node.parent_id
    while above is not None:
        parent = get_node(s, above)
        if parent.candidate_id is not None:
            return parent.candidate_id
        above = parent.parent_id
    return node.under_parent or kernel_state(s, node.campaign_id, node.kernel).baseline_id


def unified_diff(parent: Candidate | None, candidate: Candidate) -> str:
    """Of all files and of the flags; "" without a parent or a difference. Files above 4000 lines are only named."""
    if parent is None:
        return ""
    parts = []
    for name in sorted({*parent.files, *candidate.files}):
        before, after = parent.files.get(name, "").splitlines(), candidate.files.get(name, "").splitlines()
        if before == after:
            continue
        if max(len(before), len(after)) > DIFF_LINES:
            parts.append(f"{name}: {len(before)} lines before, {len(after)} after: too long to compare here")
            continue
        parts += difflib.unified_diff(before, after, f"parent/{name}", f"candidate/{name}", lineterm="")
    if parent.flags != candidate.flags:
        parts += [f"- flags {' '.join(parent.flags)}", f"+ flags {' '.join(candidate.flags)}"]
    return "\n".join(parts)


def _under_parent(s: Session, node: NodeRow) -> str:
    """What the verdict holds under, and whether it still does, see `kernels.judge.expiry`."""
    if node.under_parent is None or not node.verdict:
        return ""
    said = f"{node.verdict} under parent {node.under_parent[:8]}"
    redesign = _redesign_after(s, node) if node.verdict in REJECTIONS and node.outcome != "KEEP" else None
    return f"{said}; expired: the head was redesigned at node {redesign}" if redesign is not None else said


def _redesign_after(s: Session, node: NodeRow) -> int | None:
    """The last later promotion that moved the head far."""
    found = sql.scalar(
        s,
        "SELECT max(id) FROM node WHERE campaign_id = :campaign AND kernel = :kernel AND id > :node"
        " AND outcome = 'KEEP' AND (kind = 'design' OR gain >= :far)",
        campaign=node.campaign_id, kernel=node.kernel, node=node.id, far=FAR,
    )  # fmt: skip
    return None if found is None else int(found)


def _by_node(rows: Sequence[RowMapping]) -> Mapping[int, tuple[GateView, ...]]:
    found: dict[int, tuple[GateView, ...]] = {}
    for row in rows:
        view = GateView(
            row["gate"], row["state"], row["kind"], row["reason"], row["seconds"], loads(row["facts"], {}),
            tuple(loads(row["findings"], [])),
        )  # fmt: skip
        found[row["node_id"]] = (*found.get(row["node_id"], ()), view)
    return found
