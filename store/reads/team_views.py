"""Agents, with their last lines when one is asked for."""

from sqlalchemy import RowMapping
from sqlmodel import Session

from store import sql
from store.views import AgentView


def agents(s: Session, campaign_id: int, lines: int = 0) -> tuple[AgentView, ...]:
    """In the order in which they were started, each with so many of its last lines."""
    found = sql.rows(s, "SELECT * FROM agent WHERE campaign_id = :campaign ORDER BY id", campaign=campaign_id)
    return tuple(_view(row, _said(s, row["id"], lines) if lines else ()) for row in found)


def agent(s: Session, campaign_id: int, name: str, lines: int = 200) -> AgentView | None:
    """With its last lines, oldest first; None when there is none of that name."""
    row = sql.first(
        s, "SELECT * FROM agent WHERE campaign_id = :campaign AND name = :name", campaign=campaign_id, name=name
    )
    if row is None:
        return None
    return _view(row, _said(s, row["id"], lines))


def _said(s: Session, agent_id: int, lines: int) -> tuple[str, ...]:
    """Oldest first."""
    said = sql.tuples(
        s, "SELECT text FROM agent_line WHERE agent_id = :agent ORDER BY id DESC LIMIT :n", agent=agent_id, n=lines
    )
    return tuple(str(text) for (text,) in reversed(said))


def paused_agents(s: Session, campaign_id: int) -> tuple[str, ...]:
    found = sql.tuples(
        s, "SELECT name FROM agent WHERE campaign_id = :campaign AND state IN ('pausing', 'paused') ORDER BY id",
        campaign=campaign_id,
    )  # fmt: skip
    return tuple(str(name) for (name,) in found)


def agent_states(s: Session, campaign_id: int) -> dict[str, int]:
    found = sql.rows(
        s, "SELECT state, count(*) AS n FROM agent WHERE campaign_id = :campaign GROUP BY state ORDER BY state",
        campaign=campaign_id,
    )  # fmt: skip
    return {row["state"]: int(row["n"]) for row in found}


def _view(row: RowMapping, lines: tuple[str, ...]) -> AgentView:
    return AgentView(
        row["name"], row["role"], row["kernel"], row["state"], row["brief"], row["step"], row["since"], row["tokens"],
        row["usd"], lines, row["seen_at"],
    )  # fmt: skip
