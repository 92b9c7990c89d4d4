"""A fold was found: what does not count any more, all history kept.

A fold is in the content of a candidate, so it is in every node of this content or of its machine code, in all campaigns
of the same pack, and in what was made from them.
"""

from sqlmodel import Session

from store import events, sql
from store.promotions import demote
from store.tables import NodeRow

SAME = (
    "SELECT node.id FROM node JOIN campaign ON campaign.id = node.campaign_id"
    " JOIN campaign AS mine ON mine.id = :campaign AND mine.pack_digest = campaign.pack_digest"
    " JOIN candidate ON candidate.id = node.candidate_id JOIN candidate AS one ON one.id = :candidate"
    " WHERE node.kernel = :kernel AND node.kind <> 'idea' AND (candidate.id = one.id"
    " OR (one.machine_code <> '' AND candidate.machine_code = one.machine_code))"
)
BELOW = (
    "WITH RECURSIVE below(id, root) AS (SELECT id, id FROM node WHERE id = :root UNION"
    " SELECT node.id, root FROM node JOIN below ON node.parent_id = below.id) SELECT id FROM below ORDER BY id"
)


def taint(s: Session, node_id: int, why: str) -> tuple[int, ...]:
    """Mark the node, its equals and all below them, their filings and ledger entries; demote their promotions, and
    forget what was learned from them as a win.

    Returns the nodes that this taints, oldest first; those that were tainted before keep their reason.
    """
    first = s.get(NodeRow, node_id)
    if first is None:
        return ()
    fresh: list[NodeRow] = []
    for root in _roots(s, first):
        for row in sql.rows(s, BELOW, root=root):
            fresh += _mark(s, int(row["id"]), root, why)
    s.flush()
    for node in fresh:
        _withdraw(s, node)
    by_campaign: dict[int, list[int]] = {}
    for node in fresh:
        by_campaign.setdefault(node.campaign_id, []).append(node.id)
    for campaign_id, nodes in by_campaign.items():
        events.append(s, campaign_id, "taint", first.kernel, f"node {node_id}: {why}", nodes=nodes, root=node_id)
    return tuple(sorted(node.id for node in fresh))


def _roots(s: Session, node: NodeRow) -> list[int]:
    """The node itself first, then every node with the same content or machine code."""
    if node.candidate_id is None:
        return [node.id]
    same = sql.rows(s, SAME, campaign=node.campaign_id, candidate=node.candidate_id, kernel=node.kernel)
    return [node.id, *(int(row["id"]) for row in same if row["id"] != node.id)]


def _mark(s: Session, node_id: int, root: int, why: str) -> list[NodeRow]:
    row = s.get(NodeRow, node_id)
    if row is None or row.tainted:
        return []
    row.tainted, row.taint_root = True, root
    row.taint = why if node_id == root else f"made from node {root}: {why}"
    s.add(row)
    return [row]


def _withdraw(s: Session, node: NodeRow) -> None:
    sql.run(s, "UPDATE filing SET tainted = 1 WHERE node_id = :node", node=node.id)
    in_force = sql.rows(s, "SELECT id FROM promotion WHERE node_id = :node AND demoted_at IS NULL", node=node.id)
    for promotion in in_force:
        demote(s, promotion["id"], f"tainted: {node.taint}")
    if node.candidate_id is None:
        return
    known = {"campaign": node.campaign_id, "kernel": node.kernel, "candidate": node.candidate_id}
    sql.run(
        s,
        "UPDATE ledger SET tainted = 1 WHERE campaign_id = :campaign AND kernel = :kernel"
        " AND (head_id = :candidate OR (against = 'previous' AND against_id = :candidate))",
        **known,
    )
    sql.run(
        s,
        "DELETE FROM memory WHERE kind = 'win' AND campaign_id = :campaign AND kernel = :kernel"
        " AND candidate_id = :candidate",
        **known,
    )
