"""Races with their variants."""

import math
from collections.abc import Sequence

from sqlalchemy import RowMapping
from sqlmodel import Session

from store import sql
from store.columns import loads
from store.views import RacedView, RaceView

RACE = (
    "SELECT race.*, (SELECT count(*) FROM race_block WHERE race_id = race.id) AS blocks,"
    " (SELECT count(*) FROM race_block WHERE race_id = race.id AND redo_reason <> '') AS redone FROM race "
)


def races(s: Session, campaign_id: int, kernel: str) -> tuple[RaceView, ...]:
    """Of one kernel, oldest first."""
    found = sql.rows(
        s, RACE + "WHERE campaign_id = :campaign AND kernel = :kernel ORDER BY id", campaign=campaign_id, kernel=kernel
    )
    return tuple(_view(s, row) for row in found)


def race_of_node(s: Session, node_id: int) -> RaceView | None:
    """The race that picked the node's candidate, or that was interrupted; None when there was none."""
    row = sql.first(s, RACE + "WHERE node_id = :node ORDER BY id DESC LIMIT 1", node=node_id)
    return None if row is None else _view(s, row)


def _view(s: Session, row: RowMapping) -> RaceView:
    found = sql.rows(
        s, "SELECT * FROM race_variant WHERE race_id = :race ORDER BY rank IS NULL, rank, id", race=row["id"]
    )
    return RaceView(
        id=row["id"], node=row["node_id"], lever=row["lever"], head_id=row["head_id"], state=row["state"],
        winner=row["winner_id"] or "", grid=row["grid"], readings=row["readings"], blocks=row["blocks"],
        redone=row["redone"], device_seconds=row["device_seconds"], seed=row["seed"], reason=row["reason"],
        variants=_variants(found),
    )  # fmt: skip


def _variants(rows: Sequence[RowMapping]) -> tuple[RacedView, ...]:
    return tuple(
        RacedView(
            row["candidate_id"], loads(row["params"], {}), row["state"], row["rank"],
            None if row["median"] is None else -math.expm1(-row["median"]), row["rounds"], bool(row["tied"]),
            row["gate"], row["kind"], row["reason"],
        )
        for row in rows
    )  # fmt: skip
