"""Design Trees, a page at a time."""

from dataclasses import dataclass

from sqlalchemy import RowMapping
from sqlmodel import Session

from store import kernel_states, promotions, sql
from store import tree_nodes as tree_columns
from store.memo import remembered
from store.tree_nodes import TreeNodes, sign_of
from store.views import NodeView

COLUMNS = (
    "SELECT node.id, parent_id, kernel, kind, lever, title, state, outcome, verdict, agent, gain, candidate_id,"
    " tainted, taint, created_at, refusal, (SELECT id FROM promotion WHERE promotion.node_id = node.id"
    " AND demoted_at IS NOT NULL LIMIT 1) AS demoted, (SELECT max(id) FROM race WHERE race.node_id = node.id"
    " AND race.state = 'done') AS race FROM node "
)


TOLD = ("node", "outcome", "promotion", "demotion", "taint", "race", "reconciled", "campaign")
"""Kinds of events one of which is told when a tree reads otherwise than before."""
PAGE = 2000
"""Rows that are held as rows while a tree is read."""


@dataclass(frozen=True, slots=True)
class HeadPath:
    """The head's node (None before there is one) and it with all above it."""

    node: int | None
    path: frozenset[int]


def tree(
    s: Session, campaign_id: int, kernel: str, *, after: int = 0, limit: int | None = None, text: str = ""
) -> tuple[NodeView, ...]:
    """Nodes in order of creation, so a parent comes before its children.

    after, limit: a page, by the id of the last node of the page before; text: words that lever, title, outcome,
    verdict or agent contain.
    """
    head = head_path(s, campaign_id, kernel)
    found = sql.rows(
        s,
        COLUMNS + "WHERE campaign_id = :campaign AND kernel = :kernel AND id > :after AND (:text = '' OR"
        " instr(lower(lever || ' ' || title || ' ' || outcome || ' ' || verdict || ' ' || agent), :text) > 0)"
        " ORDER BY id LIMIT :limit",
        campaign=campaign_id, kernel=kernel, after=after, text=text.lower(), limit=-1 if limit is None else limit,
    )  # fmt: skip
    return tuple(node_view(row, head) for row in found)


def tree_nodes(s: Session, campaign_id: int, kernel: str) -> TreeNodes:
    """All nodes as `tree` gives them but for what only a detail shows, each made when it is looked at."""
    return remembered(s, f"tree {kernel}", campaign_id, TOLD, lambda: _nodes(s, campaign_id, kernel))


def _nodes(s: Session, campaign_id: int, kernel: str) -> TreeNodes:
    of = {"campaign": campaign_id, "kernel": kernel}
    columns = ", ".join(map(tree_columns.selected, tree_columns.COLUMNS))
    pages = sql.pages(
        s, f"SELECT {columns} FROM node WHERE campaign_id = :campaign AND kernel = :kernel ORDER BY id", PAGE, **of
    )
    demoted = sql.tuples(
        s, "SELECT node_id FROM promotion WHERE campaign_id = :campaign AND kernel = :kernel"
        " AND demoted_at IS NOT NULL", **of,
    )  # fmt: skip
    head = head_path(s, campaign_id, kernel)
    return TreeNodes(pages, kernel=kernel, head=head.node, path=head.path, demoted=frozenset(row[0] for row in demoted))


def tree_size(s: Session, campaign_id: int, kernel: str) -> int:
    found = sql.scalar(
        s, "SELECT count(*) FROM node WHERE campaign_id = :campaign AND kernel = :kernel",
        campaign=campaign_id, kernel=kernel,
    )  # fmt: skip
    return int(found)


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


def node_view(row: RowMapping, head: HeadPath) -> NodeView:
    return NodeView(
        id=row["id"], parent=row["parent_id"], kernel=row["kernel"], kind=row["kind"], lever=row["lever"],
        title=row["title"], outcome=row["outcome"], verdict=row["verdict"], sign=sign_of(
            row["state"], row["outcome"], row["verdict"], bool(row["tainted"]), row["demoted"] is not None
        ), agent=row["agent"],
        gain=row["gain"], candidate_id=row["candidate_id"] or "", is_head=row["id"] == head.node,
        on_head_path=row["id"] in head.path, tainted=bool(row["tainted"]), created_at=row["created_at"],
        taint=row["taint"], race=row["race"], refusal=row["refusal"],
    )  # fmt: skip
