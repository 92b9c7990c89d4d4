"""Design Trees as a whole."""

from dataclasses import dataclass

from sqlalchemy import RowMapping
from sqlmodel import Session

from store import kernel_states, promotions, sql
from store.views import NodeView

SELECTED = (
    "node.id, parent_id, kernel, kind, lever, title, state, outcome, verdict, agent, gain, candidate_id,"
    " tainted, taint, created_at, refusal, (SELECT id FROM promotion WHERE promotion.node_id = node.id"
    " AND demoted_at IS NOT NULL LIMIT 1) AS demoted, (SELECT max(id) FROM race WHERE race.node_id = node.id"
    " AND race.state = 'done') AS race"
)
COLUMNS = f"SELECT {SELECTED} FROM node "


@dataclass(frozen=True, slots=True)
class HeadPath:
    """The head's node (None before there is one) and it with all above it."""

    node: int | None
    path: frozenset[int]


def tree(s: Session, campaign_id: int, kernel: str) -> tuple[NodeView, ...]:
    """All nodes in order of creation, so a parent comes before its children. For a screen, see `branch_views`."""
    head = head_path(s, campaign_id, kernel)
    found = sql.rows(
        s, COLUMNS + "WHERE campaign_id = :campaign AND kernel = :kernel ORDER BY id",
        campaign=campaign_id, kernel=kernel,
    )  # fmt: skip
    return tuple(node_view(row, head) for row in found)


def head_path(s: Session, campaign_id: int, kernel: str) -> HeadPath:
    node = head_node(s, campaign_id, kernel)
    if node is None:
        return HeadPath(None, frozenset())
    found = sql.rows(
        s,
        "WITH RECURSIVE up(id, parent_id) AS (SELECT id, parent_id FROM node WHERE id = :node UNION"
        " SELECT node.id, node.parent_id FROM node JOIN up ON node.id = up.parent_id) SELECT id FROM up",
        node=node,
    )
    return HeadPath(node, frozenset(int(row["id"]) for row in found))


def head_node(s: Session, campaign_id: int, kernel: str) -> int | None:
    """The node of the last promotion in force, else the first node that has the baseline."""
    last = promotions.head_promotion(s, campaign_id, kernel)
    if last is not None:
        return last.node_id
    baseline = kernel_states.get(s, campaign_id, kernel).baseline_id
    found = sql.scalar(
        s,
        "SELECT min(id) FROM node WHERE campaign_id = :campaign AND kernel = :kernel AND candidate_id = :baseline",
        campaign=campaign_id, kernel=kernel, baseline=baseline,
    )  # fmt: skip
    return None if found is None else int(found)


def node_view(row: RowMapping, head: HeadPath, *, has_children: bool = False) -> NodeView:
    return NodeView(
        id=row["id"], parent=row["parent_id"], kernel=row["kernel"], kind=row["kind"], lever=row["lever"],
        title=row["title"], outcome=row["outcome"], verdict=row["verdict"], sign=sign_of(
            row["state"], row["outcome"], row["verdict"], bool(row["tainted"]), row["demoted"] is not None
        ), agent=row["agent"],
        gain=row["gain"], candidate_id=row["candidate_id"] or "", is_head=row["id"] == head.node,
        on_head_path=row["id"] in head.path, tainted=bool(row["tainted"]), created_at=row["created_at"],
        taint=row["taint"], race=row["race"], refusal=row["refusal"],
        has_children=has_children,
    )  # fmt: skip


def sign_of(state: str, outcome: str, verdict: str, tainted: bool, demoted: bool) -> str:
    """The mark of `NodeView.sign`."""
    if state in ("queued", "gates", "testing"):
        return "."
    if verdict == "SLOWER" or tainted:
        return "!"
    kept = "-" if demoted else "+"
    by_outcome = {"KEEP": kept, "REJECT": "-", "REVERT": "-", "ACCEPT": "~", "INVALID": "-"}
    return by_outcome.get(outcome, "-" if state == "interrupted" else "~")
