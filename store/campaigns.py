"""Campaigns: their life, their budgets, what they spent, and what a dead engine left behind."""

from collections.abc import Sequence
from typing import Any

from sqlmodel import Session, col, select

from store import events, sql
from store.attempts import finished_attempts
from store.clock import now
from store.errors import StoreError
from store.reconcile import close_work, reconcile
from store.tables import CampaignRow, KernelStateRow, TrajectoryRow

__all__ = [
    "BY_HAND",
    "IMPORTED",
    "NOT_RUN",
    "add_elapsed",
    "add_usage",
    "create",
    "device_seconds",
    "fingerprint_of",
    "finish",
    "finished_attempts",
    "get",
    "is_empty",
    "latest",
    "latest_unfinished",
    "leave_resumable",
    "listing",
    "reconcile",
    "set_facts",
    "set_state",
    "unfinished",
]

SEED_MASK = (1 << 63) - 1
BY_HAND = "by hand"
"""Brain of the campaigns that hold the tests of the command line; they are never run, only added to."""
IMPORTED = "imported"
"""Brain of the campaigns that hold filings from elsewhere."""
NOT_RUN = (BY_HAND, IMPORTED)
"""No engine ever ran these."""


def create(
    s: Session, *, pack: str, pack_digest: str, target: str, fingerprint: str, kernels: Sequence[str],
    toolchain: str = "", book: str = "", device: str = "", brain: str = "offline", seed: int = 0,
    minutes: float = 0.0, candidates_budget: int = 0, usd: float = 0.0, tokens: int = 0, sandbox_level: str = "",
    options: dict[str, Any] | None = None,
) -> int:  # fmt: skip
    """A new campaign in state `running`; returns its id. Budgets of 0 are unbounded."""
    row = CampaignRow(
        pack=pack, pack_digest=pack_digest, target=target, fingerprint=fingerprint, toolchain=toolchain, book=book,
        device=device, brain=brain, seed=seed & SEED_MASK, minutes=minutes, candidates_budget=candidates_budget,
        usd_budget=usd, tokens_budget=tokens, sandbox_level=sandbox_level, options=options or {}, started_at=now(),
    )  # fmt: skip
    s.add(row)
    s.flush()
    campaign_id = events.need_id(row.id)
    s.add_all(KernelStateRow(campaign_id=campaign_id, kernel=name, position=i) for i, name in enumerate(kernels))
    events.append(
        s, campaign_id, "campaign", pack, f"campaign {campaign_id} on {pack}, target {target}", state="running"
    )
    return campaign_id


def get(s: Session, campaign_id: int) -> CampaignRow:
    """Raises: StoreError when there is none."""
    row = s.get(CampaignRow, campaign_id)
    if row is None:
        raise StoreError(f"find campaign {campaign_id}", "there is none", "List them with `status`")
    return row


def fingerprint_of(s: Session, campaign_id: int | None) -> str:
    """Of the toolchain that it runs under now; "" without a campaign."""
    row = s.get(CampaignRow, campaign_id) if campaign_id is not None else None
    return "" if row is None else row.fingerprint


def listing(s: Session) -> list[CampaignRow]:
    """Newest first."""
    return list(s.exec(select(CampaignRow).order_by(col(CampaignRow.id).desc())).all())


def latest(s: Session) -> CampaignRow | None:
    """The newest that an engine ran; tests from the command line (`store.by_hand`) and imported filings only when there
    is no other."""
    not_run = col(CampaignRow.brain).in_(NOT_RUN)
    return s.exec(select(CampaignRow).order_by(not_run, col(CampaignRow.id).desc()).limit(1)).first()


def unfinished(s: Session) -> list[CampaignRow]:
    """Newest first."""
    found = select(CampaignRow).where(CampaignRow.state != "finished")
    return list(s.exec(found.order_by(col(CampaignRow.id).desc())).all())


def latest_unfinished(s: Session, *, pack: str = "", target: str = "", seed: int | None = None) -> CampaignRow | None:
    """What the next start resumes: the newest on this pack and target with this seed, each when it is given. What an
    experiment runs, it goes on with itself."""
    found = select(TrajectoryRow.campaign_id).where(col(TrajectoryRow.campaign_id).is_not(None))
    of_experiments = set(s.exec(found).all())

    def fits(row: CampaignRow) -> bool:
        same_seed = seed is None or row.seed == seed & SEED_MASK
        free = row.id not in of_experiments
        return free and pack in ("", row.pack) and target in ("", row.target) and same_seed

    return next((row for row in unfinished(s) if fits(row)), None)


def is_empty(s: Session, campaign_id: int) -> bool:
    """Whether nothing was judged or tested in it yet."""
    tests = sql.scalar(s, "SELECT count(*) FROM test WHERE campaign_id = :campaign", campaign=campaign_id)
    return int(tests) == 0 and finished_attempts(s, campaign_id) == 0


def set_state(s: Session, campaign_id: int, state: str, why: str = "") -> None:
    """One event when it changes. One that runs again has not stopped."""
    row = get(s, campaign_id)
    if row.state == state:
        return
    row.state = state
    row.stopped_because = "" if state == "running" else row.stopped_because
    s.add(row)
    events.append(s, campaign_id, "campaign", row.pack, f"{state}{': ' if why else ''}{why}", state=state, why=why)


def set_facts(s: Session, campaign_id: int, **facts: Any) -> None:
    """Change columns that a resume may change: minutes, candidates_budget, usd_budget, sandbox_level, device, brain,
    toolchain, options. Raises: StoreError for any other."""
    known = {
        "minutes",
        "candidates_budget",
        "usd_budget",
        "tokens_budget",
        "sandbox_level",
        "device",
        "brain",
        "toolchain",
        "options",
    }
    if unknown := facts.keys() - known:
        raise StoreError("change a campaign", f"{sorted(unknown)} cannot change", f"Known are {sorted(known)}")
    row = get(s, campaign_id)
    was = {name: getattr(row, name) for name in facts}
    changed = {name: value for name, value in facts.items() if was[name] != value}
    for name, value in changed.items():
        setattr(row, name, value)
    s.add(row)
    if changed:
        text = ", ".join(_told(name, was[name], value) for name, value in changed.items())
        events.append(s, campaign_id, "campaign", row.pack, f"changed: {text}", **changed)


def _told(name: str, was: Any, value: Any) -> str:
    """A change in words; of many options only those that differ."""
    if not isinstance(value, dict):
        return f"{name} {value}"
    return ", ".join(f"{key} {value[key]}" for key in value if key not in was or was[key] != value[key])


def leave_resumable(s: Session, campaign_id: int, why: str) -> None:
    """An engine leaves before the campaign's end: what is in flight is closed, and the next start goes on.

    Afterwards it is `interrupted`, or `paused` when it was. A finished one stays as it is.
    """
    row = get(s, campaign_id)
    if row.state == "finished":
        return
    reconcile(s, campaign_id)
    row = get(s, campaign_id)
    row.stopped_because = why
    s.add(row)
    events.append(s, campaign_id, "campaign", row.pack, f"{row.state}: {why}", state=row.state, why=why)


def finish(s: Session, campaign_id: int, stopped_because: str) -> None:
    """Nothing of it is "running" afterwards."""
    ended = now()
    close_work(s, campaign_id, ended)
    s.expire_all()
    row = get(s, campaign_id)
    row.ended_at = ended
    row.stopped_because = stopped_because
    s.add(row)
    set_state(s, campaign_id, "finished", stopped_because)


def add_usage(s: Session, campaign_id: int, category: str, seconds: float) -> None:
    """Count seconds of build, check, readings, overhead, ..."""
    sql.run(
        s,
        "INSERT INTO usage (campaign_id, category, seconds) VALUES (:campaign, :category, :seconds)"
        " ON CONFLICT (campaign_id, category) DO UPDATE SET seconds = seconds + excluded.seconds",
        campaign=campaign_id, category=category, seconds=seconds,
    )  # fmt: skip


def device_seconds(s: Session, campaign_id: int) -> float:
    """For which the campaign held the machine: what it spent beside its own overhead and waiting for others."""
    found = sql.scalar(
        s,
        "SELECT coalesce(sum(seconds), 0) FROM usage WHERE campaign_id = :campaign"
        " AND category NOT IN ('overhead', 'waiting')",
        campaign=campaign_id,
    )
    return float(found)


def add_elapsed(s: Session, campaign_id: int, seconds: float) -> None:
    """Count time in which an engine was at work on the campaign; the budget of minutes reads it."""
    sql.run(
        s,
        "UPDATE campaign SET elapsed_s = elapsed_s + :seconds WHERE id = :id",
        seconds=max(seconds, 0.0),
        id=campaign_id,
    )
