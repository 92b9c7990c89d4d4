"""Toolchain changes of a campaign, with what the re-checks came to."""

from typing import Any

from sqlalchemy import RowMapping
from sqlmodel import Session

from store import rechecked, sql
from store.columns import loads
from store.toolchain_views import ToolchainChangeView


def toolchain_changes(s: Session, campaign_id: int) -> tuple[ToolchainChangeView, ...]:
    """Oldest first."""
    found = sql.rows(s, "SELECT * FROM toolchain_change WHERE campaign_id = :campaign ORDER BY id",
                     campaign=campaign_id)  # fmt: skip
    return tuple(_view(s, row) for row in found)


def toolchain_json(s: Session, campaign_id: int) -> list[dict[str, Any]]:
    """Ready for `json.dumps`."""
    return [
        {
            "id": one.id, "at": one.at, "finished_at": one.finished_at, "state": one.state, "text": one.text,
            "former": one.former, "present": one.present, "counts": dict(one.counts), "waiting": dict(one.waiting),
            "notes": list(one.notes),
        }
        for one in toolchain_changes(s, campaign_id)
    ]  # fmt: skip


def _view(s: Session, row: RowMapping) -> ToolchainChangeView:
    waiting = sql.rows(
        s,
        "SELECT kind, count(*) AS n FROM recheck WHERE change_id = :change AND outcome = '' GROUP BY kind"
        " ORDER BY min(id)",
        change=row["id"],
    )
    return ToolchainChangeView(
        row["id"], row["at"], row["finished_at"], row["state"], row["text"], row["former"], row["present"],
        rechecked.counts_of(s, row["id"]), {one["kind"]: int(one["n"]) for one in waiting},
        tuple(str(note) for note in loads(row["notes"], [])),
    )  # fmt: skip
