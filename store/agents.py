"""Agents with their states and last lines, and the briefs they work on."""

from collections.abc import Mapping
from typing import Any

from sqlmodel import Session, col, select

from store import events, sql
from store.clock import now
from store.errors import StoreError
from store.tables import AgentLineRow, AgentRow, BriefRow
from store.text import clip

LINES_KEPT = 200
LINE_LIMIT = 2000
SAID_BY_SUPERVISORS = {"running": "working", "gave_up": "crashed"}


def upsert_agent(
    s: Session, campaign_id: int, name: str, role: str, *, kernel: str = "", state: str = "working", brief: str = ""
) -> int:
    """The agent of that name, made when it is new; returns its id."""
    row = _find(s, campaign_id, name)
    if row is None:
        row = AgentRow(campaign_id=campaign_id, name=name, role=role, state=state, since=now(), seen_at=now())
    elif row.state != state:
        row.state, row.since = state, now()
    row.role, row.kernel, row.brief, row.seen_at = role, kernel, clip(brief, 400), now()
    s.add(row)
    s.flush()
    return events.need_id(row.id)


def set_agent_state(s: Session, campaign_id: int, name: str, state: str, detail: str = "") -> None:
    """One event when it changes. What a supervisor says is understood: `running` is working, `gave_up` crashed."""
    row = need(s, campaign_id, name)
    row.seen_at = now()
    known = SAID_BY_SUPERVISORS.get(state, state)
    if row.state != known or state == "gave_up":
        row.state, row.since = known, row.seen_at
        text = f"{state}{': ' if detail else ''}{detail}"
        events.append(s, campaign_id, "agent", name, text, state=state, role=row.role, kernel=row.kernel, detail=detail)
    s.add(row)


def set_step(s: Session, campaign_id: int, name: str, step: str, brief: str | None = None) -> None:
    """What the agent does now, and its brief when that is a new one. No event."""
    row = need(s, campaign_id, name)
    row.step, row.seen_at = clip(step, 400), now()
    if brief is not None:
        row.brief = clip(brief, 400)
    s.add(row)


def add_spend(s: Session, campaign_id: int, name: str, *, tokens: int, usd: float) -> None:
    row = need(s, campaign_id, name)
    row.tokens += tokens
    row.usd += usd
    s.add(row)


def add_line(s: Session, campaign_id: int, name: str, text: str) -> None:
    """Append a line; the oldest beyond 200 go."""
    row = need(s, campaign_id, name)
    row.seen_at = now()
    s.add(row)
    s.add(AgentLineRow(agent_id=events.need_id(row.id), at=row.seen_at, text=clip(text, LINE_LIMIT)))
    sql.run(
        s,
        "DELETE FROM agent_line WHERE agent_id = :agent AND id <= (SELECT id FROM agent_line WHERE agent_id = :agent"
        " ORDER BY id DESC LIMIT 1 OFFSET :kept)",
        agent=row.id, kept=LINES_KEPT,
    )  # fmt: skip


def need(s: Session, campaign_id: int, name: str) -> AgentRow:
    """Raises: StoreError when the campaign has no such agent."""
    row = _find(s, campaign_id, name)
    if row is None:
        raise StoreError(
            f"find agent {name!r}", f"campaign {campaign_id} has none of that name", "List them with `agents`"
        )
    return row


def add_brief(
    s: Session, campaign_id: int, kernel: str, *, lever: str = "", params: Mapping[str, Any] | None = None,
    text: str = "", author: str = "", parent_node_id: int | None = None, priority: float = 0.0,
) -> int:  # fmt: skip
    """A brief in the queue; higher priority is taken first. Returns its id."""
    row = BriefRow(
        campaign_id=campaign_id, kernel=kernel, lever=lever, params=dict(params or {}), text=clip(text, 8000),
        author=author, parent_node_id=parent_node_id, priority=priority, created_at=now(),
    )  # fmt: skip
    s.add(row)
    s.flush()
    brief_id = events.need_id(row.id)
    events.append(s, campaign_id, "brief", kernel, clip(text or lever, 400), brief=brief_id, author=author, lever=lever)
    return brief_id


def take_brief(s: Session, campaign_id: int, agent: str, kernel: str | None = None) -> BriefRow | None:
    """The first queued brief (of that kernel), marked as taken; None when there is none."""
    query = select(BriefRow).where(BriefRow.campaign_id == campaign_id, BriefRow.state == "queued")
    if kernel is not None:
        query = query.where(BriefRow.kernel == kernel)
    row = s.exec(query.order_by(col(BriefRow.priority).desc(), col(BriefRow.id)).limit(1)).first()
    if row is not None:
        row.state, row.agent, row.taken_at = "taken", agent, now()
        s.add(row)
        s.flush()
    return row


def finish_brief(s: Session, brief_id: int, state: str = "done", result: str = "") -> None:
    """state: done or dropped."""
    row = s.get(BriefRow, brief_id)
    if row is None:
        raise StoreError(f"finish brief {brief_id}", "there is none", "Take its id from take_brief")
    row.state, row.result, row.finished_at = state, clip(result, 4000), now()
    s.add(row)


def queued_briefs(s: Session, campaign_id: int, kernel: str | None = None) -> int:
    found = sql.scalar(
        s,
        "SELECT count(*) FROM brief WHERE campaign_id = :campaign AND state = 'queued'"
        " AND (:kernel IS NULL OR kernel = :kernel)",
        campaign=campaign_id, kernel=kernel,
    )  # fmt: skip
    return int(found)


def _find(s: Session, campaign_id: int, name: str) -> AgentRow | None:
    return s.exec(select(AgentRow).where(AgentRow.campaign_id == campaign_id, AgentRow.name == name)).first()
