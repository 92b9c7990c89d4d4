"""What was tried before, as plain values for a policy."""

from dataclasses import dataclass, field

from sqlalchemy import RowMapping
from sqlmodel import Session

from kernels.values.verdict import GateReport, GateState
from store import races, sql
from store.columns import loads
from store.folds import fold_in


@dataclass(frozen=True, slots=True)
class Attempt:
    """One judged or waiting node. under_parent: the head it was judged against; gain: of the head's time.
    former: it was judged under another toolchain than the present one. refusal: why a gate stopped it,
    "" if none did."""

    node_id: int
    parent: int | None
    kind: str
    state: str
    candidate_id: str
    lever: str
    params: dict[str, object] = field(default_factory=dict)
    outcome: str = ""
    verdict: str = ""
    no_sign: bool = False
    under_parent: str = ""
    gain: float | None = None
    agent: str = ""
    tainted: bool = False
    former: bool = False
    refusal: str = ""


def attempts(
    s: Session, campaign_id: int, kernel: str, *, after_id: int = 0, limit: int | None = None
) -> tuple[Attempt, ...]:
    """Every node with a candidate, in order of creation, placebos left out. after_id, limit: a page of them."""
    found = sql.rows(
        s,
        "SELECT node.*, coalesce((SELECT test.no_sign FROM test WHERE test.node_id = node.id"
        " AND test.kind = 'acceptance' ORDER BY test.id DESC LIMIT 1), 0) AS no_sign, node.fingerprint <>"
        " (SELECT fingerprint FROM campaign WHERE campaign.id = :campaign) AS former"
        " FROM node WHERE campaign_id = :campaign AND kernel = :kernel AND id > :after AND candidate_id IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM test WHERE test.node_id = node.id AND test.kind = 'placebo')"
        " ORDER BY id LIMIT :limit",
        campaign=campaign_id, kernel=kernel, after=after_id, limit=-1 if limit is None else limit,
    )  # fmt: skip
    return tuple(_attempt(row) for row in found)


def finished_attempts(s: Session, campaign_id: int) -> int:
    """Judged candidates, by which a budget of candidates is counted: no baselines, no placebos, nothing INVALID. All
    variants of a finished race count; one of them is its node's."""
    found = sql.scalar(
        s,
        "SELECT (SELECT count(*) FROM node WHERE campaign_id = :campaign"
        " AND outcome IN ('REJECT', 'REVERT', 'ACCEPT', 'KEEP')) - (SELECT count(DISTINCT node.id) FROM test JOIN node"
        " ON node.id = test.node_id WHERE test.campaign_id = :campaign AND test.kind = 'placebo'"
        " AND outcome IN ('REJECT', 'REVERT', 'ACCEPT', 'KEEP'))",
        campaign=campaign_id,
    )
    return int(found) + sum(races.raced_beside(s, campaign_id).values())


def refused_before(s: Session, campaign_id: int, candidate_id: str) -> GateReport | None:
    """The final refusal of this content, by the gates source, legality, compile or correct, under the same version of
    the pack and the same toolchain, in any campaign or race, or a fold that was found in it; else None."""
    row = sql.first(
        s,
        "SELECT gate_report.* FROM gate_report JOIN node ON node.id = gate_report.node_id"
        " JOIN campaign ON campaign.id = node.campaign_id JOIN campaign AS mine ON mine.id = :campaign"
        " AND mine.pack_digest = campaign.pack_digest AND mine.fingerprint = node.fingerprint"
        " WHERE node.candidate_id = :candidate AND gate_report.state = 'refused'"
        " AND gate_report.gate IN ('source', 'legality', 'compile', 'correct') AND node.outcome <> 'INVALID'"
        " ORDER BY gate_report.id LIMIT 1",
        campaign=campaign_id, candidate=candidate_id,
    )  # fmt: skip
    if row is not None:
        return gate_report(row)
    return races.refused_in(s, campaign_id, candidate_id) or fold_in(s, campaign_id, candidate=candidate_id)


def lineage(s: Session, node_id: int) -> tuple[int, ...]:
    """Node ids from the idea card down to this node."""
    found = sql.rows(
        s,
        "WITH RECURSIVE up(id, parent_id, depth) AS (SELECT id, parent_id, depth FROM node WHERE id = :node UNION ALL"
        " SELECT node.id, node.parent_id, node.depth FROM node JOIN up ON node.id = up.parent_id)"
        " SELECT id FROM up ORDER BY depth",
        node=node_id,
    )
    return tuple(int(row["id"]) for row in found)


def gate_report(row: RowMapping) -> GateReport:
    return GateReport(
        row["gate"], GateState(row["state"]), row["kind"], row["reason"], row["seconds"], loads(row["facts"], {}),
        tuple(loads(row["findings"], [])),
    )  # fmt: skip


def _attempt(row: RowMapping) -> Attempt:
    return Attempt(
        row["id"], row["parent_id"], row["kind"], row["state"], row["candidate_id"], row["lever"],
        loads(row["lever_params"], {}), row["outcome"], row["verdict"], bool(row["no_sign"]), row["under_parent"] or "",
        row["gain"], row["agent"], bool(row["tainted"]), bool(row["former"]),
        row["refusal"],
    )  # fmt: skip
