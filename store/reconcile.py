"""After a crash: what was in flight is closed as interrupted, so that nothing is "running" for ever."""

from sqlmodel import Session

from store import events, sql
from store.approvals import UNPROMOTED
from store.errors import StoreError
from store.tables import CampaignRow

IN_FLIGHT = {
    "nodes": "UPDATE node SET state = 'interrupted', finished_at = :now WHERE campaign_id = :campaign"
    " AND state IN ('queued', 'gates', 'testing')",
    "tests": "UPDATE test SET state = 'interrupted', verdict = 'INVALID', reason = 'interrupted', finished_at = :now"
    " WHERE campaign_id = :campaign AND state = 'running'",
    "races": "UPDATE race SET state = 'interrupted', reason = 'the engine ended in the race', finished_at = :now"
    " WHERE campaign_id = :campaign AND state = 'running'",
    "agents": "UPDATE agent SET state = 'interrupted', since = :now WHERE campaign_id = :campaign"
    " AND state IN ('working', 'waiting', 'pausing', 'paused')",
    "briefs": "UPDATE brief SET state = 'interrupted', finished_at = :now WHERE campaign_id = :campaign"
    " AND state = 'taken'",
    "model calls": "UPDATE llm_call SET state = 'cut', stop = '', finished_at = :now,"
    " reason = 'the engine ended before the answer was whole; it may have been paid'"
    " WHERE campaign_id = :campaign AND state = 'open'",
    "approvals": f"UPDATE approval SET state = 'pending', decided_at = NULL WHERE {UNPROMOTED} AND :now > 0",
    "commands": "UPDATE command SET state = 'interrupted', finished_at = :now,"
    " result = 'the engine ended before it was done' WHERE state = 'taken' AND :campaign > 0",
}

AT_WORK = ("tests", "races")


def close_work(s: Session, campaign_id: int, at: float) -> None:
    """At a campaign's end: what a role could not close itself, as on a full disk, is interrupted."""
    for name in AT_WORK:
        sql.run(s, IN_FLIGHT[name], now=at, campaign=campaign_id)


def reconcile(s: Session, campaign_id: int) -> dict[str, int]:
    """Counts by kind of what was closed. For the owner of the engine lock, before it starts anything.

    A campaign that was paused, or about to be, is paused; any other unfinished one becomes `interrupted` until it is
    started again.
    """
    campaign = s.get(CampaignRow, campaign_id)
    if campaign is None:
        raise StoreError(f"reconcile campaign {campaign_id}", "there is none", "List them with `status`")
    at = _last_sign_of_life(s, campaign_id, campaign.started_at)
    counts = {name: sql.run(s, statement, now=at, campaign=campaign_id) for name, statement in IN_FLIGHT.items()}
    sql.run(s, "UPDATE kernel_state SET status = 'idle' WHERE campaign_id = :campaign", campaign=campaign_id)
    sql.run(
        s,
        "UPDATE campaign SET state = CASE state WHEN 'pausing' THEN 'paused' ELSE 'interrupted' END"
        " WHERE id = :campaign AND state NOT IN ('finished', 'paused')",
        campaign=campaign_id,
    )
    s.expire_all()
    if any(counts.values()):
        what = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
        events.append(s, campaign_id, "reconciled", "engine", f"interrupted: {what}", **counts)
    return counts


def _last_sign_of_life(s: Session, campaign_id: int, started_at: float) -> float:
    """When the dead engine was last seen; the work ended about then, not now."""
    beat = sql.scalar(s, "SELECT at FROM heartbeat WHERE campaign_id = :campaign", campaign=campaign_id)
    return max(float(beat or 0.0), started_at)
