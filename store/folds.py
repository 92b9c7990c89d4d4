"""What is known of folds that were found: for the guard, the brain and the reader."""

from dataclasses import dataclass

from sqlmodel import Session

from kernels.values.verdict import GateReport, GateState
from store import sql


@dataclass(frozen=True, slots=True)
class Tainted:
    """A promotion that does not count any more. lever: of its node; why: what was found."""

    promotion: int
    kernel: str
    node: int
    candidate: str
    lever: str
    why: str


def promotions(s: Session, campaign_id: int) -> tuple[Tainted, ...]:
    """Promotions of tainted nodes, oldest first."""
    found = sql.rows(
        s,
        "SELECT promotion.id, promotion.kernel, node_id, promotion.candidate_id, lever, taint FROM promotion"
        " JOIN node ON node.id = promotion.node_id WHERE promotion.campaign_id = :campaign AND node.tainted"
        " ORDER BY promotion.id",
        campaign=campaign_id,
    )
    return tuple(
        Tainted(row["id"], row["kernel"], row["node_id"], row["candidate_id"], row["lever"], row["taint"])
        for row in found
    )


def candidates(s: Session, campaign_id: int, kernel: str) -> frozenset[str]:
    """Ids of all tainted candidates of a kernel."""
    found = sql.rows(
        s, "SELECT DISTINCT candidate_id FROM node WHERE campaign_id = :campaign AND kernel = :kernel AND tainted"
        " AND candidate_id IS NOT NULL", campaign=campaign_id, kernel=kernel,
    )  # fmt: skip
    return frozenset(str(row["candidate_id"]) for row in found)


def banned(s: Session, campaign_id: int, kernel: str) -> frozenset[tuple[str, str]]:
    """(lever, candidate that it was applied to) of every node that a fold came in with; the baseline where a design
    has no candidate above it."""
    found = sql.rows(
        s,
        "SELECT node.lever, coalesce(above.candidate_id, baseline_id, '') AS base FROM node LEFT JOIN node AS above"
        " ON above.id = node.parent_id JOIN kernel_state ON kernel_state.campaign_id = node.campaign_id"
        " AND kernel_state.kernel = node.kernel WHERE node.campaign_id = :campaign AND node.kernel = :kernel"
        " AND node.taint_root = node.id",
        campaign=campaign_id, kernel=kernel,
    )  # fmt: skip
    return frozenset((str(row["lever"]), str(row["base"])) for row in found)


def fold_in(s: Session, campaign_id: int, *, candidate: str = "", machine_code: str = "") -> GateReport | None:
    """The refusal of a content, or of a machine code, in which a fold was found under this version of the pack."""
    row = sql.first(
        s,
        "SELECT node.id, taint FROM node JOIN candidate ON candidate.id = node.candidate_id JOIN campaign"
        " ON campaign.id = node.campaign_id JOIN campaign AS mine ON mine.id = :campaign"
        " AND mine.pack_digest = campaign.pack_digest WHERE node.taint_root = node.id AND (candidate.id = :candidate"
        " OR (:code <> '' AND candidate.machine_code = :code)) ORDER BY node.id LIMIT 1",
        campaign=campaign_id, candidate=candidate, code=machine_code,
    )  # fmt: skip
    if row is None:
        return None
    return GateReport(
        "correct", GateState.REFUSED, "fold", f"a fold was found in it (node {row['id']}): {row['taint']}"
    )
