"""Events and commands, by id."""

from sqlalchemy import RowMapping
from sqlmodel import Session

from store import sql
from store.columns import loads
from store.views import CommandView, EventView


def events(s: Session, campaign_id: int | None, after: int = 0, limit: int = 500) -> tuple[EventView, ...]:
    """Oldest first: the `limit` next after an id, or, when `after` < 0, the newest `limit`. Those of no campaign
    (commands) are in every one."""
    of = "(:campaign IS NULL OR campaign_id = :campaign OR campaign_id IS NULL)"
    if after < 0:
        statement = f"SELECT * FROM (SELECT * FROM event WHERE {of} ORDER BY id DESC LIMIT :limit) ORDER BY id"
        found = sql.rows(s, statement, campaign=campaign_id, limit=limit)
    else:
        statement = f"SELECT * FROM event WHERE id > :after AND {of} ORDER BY id LIMIT :limit"
        found = sql.rows(s, statement, campaign=campaign_id, after=after, limit=limit)
    return tuple(view_of(row) for row in found)


def last_event(s: Session, campaign_id: int, kind: str) -> EventView | None:
    """The newest of its kind; None when there is none."""
    found = sql.first(
        s, "SELECT * FROM event WHERE campaign_id = :campaign AND kind = :kind ORDER BY id DESC LIMIT 1",
        campaign=campaign_id, kind=kind,
    )  # fmt: skip
    return None if found is None else view_of(found)


def events_of(s: Session, campaign_id: int, kind: str, subject: str, *, limit: int = 500) -> tuple[EventView, ...]:
    """The newest `limit` of one kind about one subject, oldest of them first."""
    found = sql.rows(
        s,
        "SELECT * FROM event WHERE campaign_id = :campaign AND kind = :kind AND subject = :subject"
        " ORDER BY id DESC LIMIT :limit",
        campaign=campaign_id, kind=kind, subject=subject, limit=limit,
    )  # fmt: skip
    return tuple(view_of(row) for row in reversed(found))


def view_of(row: RowMapping) -> EventView:
    return EventView(row["id"], row["at"], row["kind"], row["subject"], row["text"], loads(row["data"], {}))


def commands(s: Session, limit: int = 100) -> tuple[CommandView, ...]:
    """Newest first."""
    found = sql.rows(s, "SELECT * FROM command ORDER BY id DESC LIMIT :limit", limit=limit)
    return tuple(_command(row) for row in found)


def command(s: Session, command_id: int) -> CommandView | None:
    row = sql.first(s, "SELECT * FROM command WHERE id = :id", id=command_id)
    return None if row is None else _command(row)


def _command(row: RowMapping) -> CommandView:
    return CommandView(
        row["id"], row["at"], row["actor"], row["verb"], row["target"], row["state"], row["result"],
        loads(row["args"], {}),
    )  # fmt: skip
