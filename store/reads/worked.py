"""How long engines had been at work on a campaign at a moment of it: what stands between two of them does not count."""

from dataclasses import dataclass

from sqlmodel import Session

from store import campaigns, sql


@dataclass(frozen=True, slots=True)
class Clock:
    """started_at: UTC seconds; elapsed_s: of work in all. breaks: (when work went on, seconds without an engine)."""

    started_at: float
    elapsed_s: float
    breaks: tuple[tuple[float, float], ...]

    def worked_s(self, at: float) -> float:
        """Seconds of work until then."""
        idle = sum(seconds for until, seconds in self.breaks if until <= at)
        return max(min(at - self.started_at - idle, self.elapsed_s), 0.0)


def clock_of(s: Session, campaign_id: int) -> Clock:
    """Raises: StoreError when there is no such campaign."""
    row = campaigns.get(s, campaign_id)
    breaks = _breaks(s, campaign_id)
    silent = sum(seconds for _, seconds in breaks)
    missing = silent if row.ended_at is None else max(row.ended_at - row.started_at - row.elapsed_s, 0.0)
    share = min(missing / silent, 1.0) if silent > 0 else 0.0
    return Clock(row.started_at, row.elapsed_s, tuple((until, seconds * share) for until, seconds in breaks))


def _breaks(s: Session, campaign_id: int) -> list[tuple[float, float]]:
    """From the last event of one engine to the first of the next. A dead one may have worked on without an event, so
    that together they can be longer than what is missing."""
    found = sql.rows(
        s,
        "SELECT event.at, event.at - (SELECT before.at FROM event AS before WHERE before.campaign_id = :campaign"
        " AND before.id < event.id ORDER BY before.id DESC LIMIT 1) AS seconds FROM event"
        " WHERE campaign_id = :campaign AND (kind = 'reconciled' OR kind = 'campaign'"
        " AND (text = 'running: resumed' OR text LIKE 'taken up again%')) ORDER BY id",
        campaign=campaign_id,
    )
    return [(float(r["at"]), float(r["seconds"])) for r in found if (r["seconds"] or 0.0) > 0]
