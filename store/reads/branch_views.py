"""Design Trees as far as they are open: what is read of a tree is what somebody looks at, however big it is."""

import json
from collections.abc import Collection, Iterable
from typing import Any, Final

from sqlmodel import Session

from store import sql
from store.memo import remembered
from store.reads.search_view import holding
from store.reads.tree_views import SELECTED, HeadPath, head_path, node_view
from store.views import End, NodeView, TreePart

BRANCH: Final = (
    f"SELECT {SELECTED}, EXISTS (SELECT 1 FROM node AS child WHERE child.parent_id = node.id) AS has_children FROM node"
)
TOLD: Final = ("node", "outcome", "promotion", "demotion", "taint", "race", "reconciled", "campaign")
"""Kinds of events one of which is told when a tree reads otherwise than before."""
MOST_FOUND: Final = 2000
"""Nodes with the words of a filter that are shown, the newest."""


def branches(s: Session, campaign_id: int, kernel: str, opened: Collection[int] = ()) -> TreePart:
    """The children of the kernel, of its head and all above it, and of the opened nodes."""
    asked = frozenset(opened)
    return remembered(
        s, f"branches of {kernel}", campaign_id, TOLD, lambda: _branches(s, campaign_id, kernel, asked), also=asked
    )


def _branches(s: Session, campaign_id: int, kernel: str, opened: frozenset[int]) -> TreePart:
    head = head_path(s, campaign_id, kernel)
    of = {"campaign": campaign_id, "kernel": kernel}
    roots = _nodes(s, head, "parent_id IS NULL", **of)
    below = _nodes(
        s, head, "parent_id IN (SELECT value FROM json_each(:open))", open=_numbers(opened | head.path), **of
    )
    return _part(s, campaign_id, kernel, head, [*roots, *below])


def matching(s: Session, campaign_id: int, kernel: str, words: str) -> TreePart:
    """The newest `MOST_FOUND` nodes that have every word, and all above them."""
    holds, values = holding(words)
    of = {"campaign": campaign_id, "kernel": kernel}
    found = sql.tuples(
        s, f"SELECT id FROM node WHERE campaign_id = :campaign AND kernel = :kernel AND {holds} ORDER BY id DESC",
        **of, **values,
    )  # fmt: skip
    head = head_path(s, campaign_id, kernel)
    shown = _numbers(number for (number,) in found[:MOST_FOUND])
    nodes = _nodes(
        s, head, "node.id IN (WITH RECURSIVE up(id) AS (SELECT value FROM json_each(:found) UNION SELECT parent_id"
        " FROM node JOIN up ON node.id = up.id WHERE parent_id IS NOT NULL) SELECT id FROM up)", found=shown, **of,
    )  # fmt: skip
    return _part(s, campaign_id, kernel, head, nodes, left_out=max(0, len(found) - MOST_FOUND))


def lineage(s: Session, node_id: int) -> frozenset[int]:
    """A node and all above it; empty when there is no such node."""
    found = sql.tuples(
        s, "WITH RECURSIVE up(id) AS (SELECT id FROM node WHERE id = :node UNION SELECT parent_id FROM node"
        " JOIN up ON node.id = up.id WHERE parent_id IS NOT NULL) SELECT id FROM up", node=node_id,
    )  # fmt: skip
    return frozenset(int(number) for (number,) in found)


def ends_below(s: Session, node_id: int) -> tuple[End, ...]:
    """How everything under a node ended, itself not counted."""
    found = sql.tuples(
        s, "WITH RECURSIVE down(id) AS (SELECT id FROM node WHERE parent_id = :node UNION SELECT node.id FROM node"
        " JOIN down ON node.parent_id = down.id) SELECT outcome, verdict, refusal, gain FROM node"
        " WHERE id IN (SELECT id FROM down) ORDER BY id", node=node_id,
    )  # fmt: skip
    return tuple(End(*row) for row in found)


def _nodes(s: Session, head: HeadPath, which: str, **values: Any) -> list[NodeView]:
    """A plus keeps SQLite from going through all nodes of the kernel for a few of them."""
    found = sql.rows(s, f"{BRANCH} WHERE {which} AND +campaign_id = :campaign AND +kernel = :kernel", **values)
    return [node_view(row, head, has_children=bool(row["has_children"])) for row in found]


def _part(
    s: Session, campaign_id: int, kernel: str, head: HeadPath, nodes: list[NodeView], left_out: int = 0
) -> TreePart:
    counted = sql.tuples(
        s, "SELECT outcome, count(*) FROM node WHERE campaign_id = :campaign AND kernel = :kernel GROUP BY outcome",
        campaign=campaign_id, kernel=kernel,
    )  # fmt: skip
    return TreePart(tuple(sorted(nodes, key=lambda node: node.id)), dict(counted), head.path, left_out)


def _numbers(numbers: Iterable[int]) -> str:
    return json.dumps(list(numbers))
