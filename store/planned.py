"""What the candidates of a kernel were planned at by their static schedules, and what the device measured.

The plan stands with the report of gate `estimate`, the measurement in the pairs of the acceptance test, or in those of
gate `batch` for who left there. Nothing else is kept, so that both sides can be looked up again.
"""

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlmodel import Session

from kernels.profiling.agreement import Point
from store import campaigns, sql
from store.columns import loads

MOST: Final = 200
"""Newest candidates of a kernel on a device that are looked at."""


def points(s: Session, campaign_id: int, kernel: str, *, alone: bool = False) -> tuple[Point, ...]:
    """Of this kernel on the campaign's device, in all campaigns of this home or in this one alone, oldest first; folds
    are left out.

    Raises: StoreError when there is no such campaign.
    """
    row = campaigns.get(s, campaign_id)
    found = sql.rows(
        s,
        "SELECT plan.node_id AS node, plan.facts AS plan, batch.facts AS batch FROM (SELECT node.id FROM node"
        " JOIN campaign ON campaign.id = node.campaign_id WHERE node.fingerprint = :fingerprint"
        " AND campaign.pack = :pack AND node.kernel = :kernel AND node.under_parent IS NOT NULL AND node.tainted = 0"
        " AND (campaign.id = :campaign OR NOT :alone)"
        " ORDER BY node.id DESC LIMIT :most) AS newest"
        " JOIN gate_report AS plan ON plan.node_id = newest.id AND plan.gate = 'estimate'"
        " LEFT JOIN gate_report AS batch ON batch.node_id = newest.id AND batch.gate = 'batch'"
        " AND batch.state = 'refused' ORDER BY newest.id, plan.id",
        fingerprint=row.fingerprint, pack=row.pack, kernel=kernel, most=MOST, campaign=campaign_id, alone=alone,
    )  # fmt: skip
    newest = {one["node"]: one for one in found}
    tested = _tested(s, list(newest))
    made = (_point(loads(one["plan"], {}), tested.get(node) or _left(one["batch"])) for node, one in newest.items())
    return tuple(point for point in made if point is not None)


def _point(plan: Mapping[str, Any], real: tuple[float, float] | None) -> Point | None:
    """real: nanoseconds, 0 where only the ratio is known, and the ratio to the head's time."""
    if real is None or not plan.get("planned_ns"):
        return None
    ns, ratio = real
    return Point(
        plan["planned_ns"], ns or ratio * plan["head_ns"], plan.get("head_planned_ns"), ratio,
        bool(plan.get("wall")), plan["model"],
    )  # fmt: skip


def _tested(s: Session, nodes: Sequence[int]) -> dict[int, tuple[float, float]]:
    """Medians over the kept pairs of each node's last finished acceptance test, by node."""
    numbers = ", ".join(str(int(node)) for node in nodes)
    rows = sql.rows(
        s,
        "SELECT test.node_id AS node, pair.candidate_ns AS ns, pair.log_ratio AS x FROM test"
        " JOIN pair ON pair.test_id = test.id AND pair.redo_reason = '' WHERE test.id IN (SELECT max(id) FROM test"
        f" WHERE kind = 'acceptance' AND state = 'done' AND verdict <> 'INVALID' AND node_id IN ({numbers})"
        " GROUP BY node_id) ORDER BY pair.id",
    )
    found: dict[int, list[tuple[float, float]]] = {}
    for row in rows:
        if row["ns"] and row["x"] is not None:
            found.setdefault(row["node"], []).append((row["ns"], row["x"]))
    return {
        node: (statistics.median(ns for ns, _ in pairs), math.exp(-statistics.median(x for _, x in pairs)))
        for node, pairs in found.items()
    }


def _left(batch: str | None) -> tuple[float, float] | None:
    """What gate `batch` saw of a candidate that it let go."""
    ratios = loads(batch, {}).get("log_ratios") or ()
    return (0.0, math.exp(-statistics.median(ratios))) if ratios else None
