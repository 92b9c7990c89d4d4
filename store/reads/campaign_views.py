"""A campaign as a whole: progress, trust, cost."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session

from kernels.judge.meter import FALSE_PROMOTIONS_PER_TEST
from store import audits, folds, heartbeat, scores, sql
from store import campaigns as rows_of
from store.clock import now
from store.memo import JUDGED, remembered
from store.reads import kernel_views
from store.reads.placebo_view import placebos
from store.tables import CampaignRow, HeartbeatRow
from store.views import CampaignView, EngineView, KernelView

BUSY = ("readings",)


@dataclass(frozen=True, slots=True)
class Trust:
    """Counts that say how far the verdicts can be trusted; see `CampaignView`."""

    tests_run: int = 0
    faster_but_dropped: int = 0


def campaigns(s: Session) -> tuple[CampaignView, ...]:
    """Newest first."""
    return tuple(campaign_view(s, row.id) for row in rows_of.listing(s))


def campaign_view(s: Session, campaign_id: int, kernels: Sequence[KernelView] | None = None) -> CampaignView:
    """kernels: its kernel views, when the caller has them already. Raises: StoreError when there is no campaign."""
    row = rows_of.get(s, campaign_id)
    views = kernel_views.kernels(s, campaign_id) if kernels is None else kernels
    trust = remembered(s, "trust", campaign_id, JUDGED, lambda: trust_of(s, campaign_id))
    refused = remembered(s, "rejections", campaign_id, JUDGED, lambda: rejections(s, campaign_id))
    placebo = remembered(s, "placebos", campaign_id, JUDGED, lambda: placebos(s, campaign_id))
    audited = remembered(s, "audited", campaign_id, JUDGED, lambda: audits.coverage(s, campaign_id))
    engine = engine_of(s, campaign_id)
    elapsed = elapsed_s(row, engine)
    seconds = seconds_of(s, campaign_id)
    by_kernel = kernel_views.ledger_speedups(s, campaign_id)
    ledger = scores.pack_speedup(by_kernel, kernel_views.names(views))
    return CampaignView(
        id=row.id, pack=row.pack, target=row.target, fingerprint=row.fingerprint, toolchain=row.toolchain,
        device=row.device, brain=row.brain, seed=row.seed, state=row.state, started_at=row.started_at,
        elapsed_s=elapsed, minutes=row.minutes, candidates_budget=row.candidates_budget, usd=spent_usd(s, campaign_id),
        sandbox_level=row.sandbox_level, mode=_modes(row.mode, views),
        claimed_gain=claimed_gain(s, campaign_id, len(views)),
        ledger_speedup=ledger.speedup if ledger else None, ledger_low=ledger.low if ledger else None,
        ledger_high=ledger.high if ledger else None, tests_run=trust.tests_run,
        promotions=sum(view.promotions for view in views), candidates=sum(view.candidates for view in views),
        rejections=refused, expected_false_promotions=FALSE_PROMOTIONS_PER_TEST * trust.tests_run,
        faster_but_dropped=trust.faster_but_dropped, placebo=placebo,
        device_busy_fraction=min(1.0, sum(seconds.get(name, 0.0) for name in BUSY) / elapsed) if elapsed else 0.0,
        holder=_holder(s, row, engine), stopped_because=row.stopped_because,
        refused=scores.refusal(by_kernel, kernel_views.names(views)), tainted=tainted(s, campaign_id),
        audited=tuple(one.text for one in audited), seconds=seconds,
        claimed_toolchains=claimed_toolchains(s, campaign_id),
    )  # fmt: skip


def _modes(usual: str, views: Sequence[KernelView]) -> str:
    """The device modes that the ledger speaks in, the usual one first; it alone before there is an entry."""
    spoken = [view.ledger_mode for view in views if view.ledger_mode]
    return ", ".join(sorted(dict.fromkeys(spoken), key=lambda mode: mode != usual)) or usual


def tainted(s: Session, campaign_id: int) -> tuple[str, ...]:
    """Promotions that count in no figure any more, oldest first."""
    return tuple(f"{one.kernel} node {one.node} {one.lever}: {one.why}" for one in folds.promotions(s, campaign_id))


def engine_of(s: Session, campaign_id: int) -> EngineView | None:
    """The last engine that worked on this campaign; None when another campaign came after it."""
    beat = s.get(HeartbeatRow, 1)
    return heartbeat.engine(s) if beat is not None and beat.campaign_id == campaign_id else None


def elapsed_s(row: CampaignRow, engine: EngineView | None) -> float:
    since = now() - engine.heartbeat_at if engine and engine.alive and row.state != "finished" else 0.0
    return row.elapsed_s + max(since, 0.0)


def _holder(s: Session, row: CampaignRow, engine: EngineView | None) -> str:
    """What the last heartbeat says is over with the campaign."""
    return holder_of(s) if engine and engine.alive and row.state != "finished" else ""


def holder_of(s: Session) -> str:
    beat = s.get(HeartbeatRow, 1)
    return beat.holder if beat is not None else ""


def seconds_of(s: Session, campaign_id: int) -> dict[str, float]:
    """Seconds by what they were spent on."""
    found = sql.rows(s, "SELECT category, seconds FROM usage WHERE campaign_id = :campaign", campaign=campaign_id)
    return {row["category"]: float(row["seconds"]) for row in found}


def spent_usd(s: Session, campaign_id: int) -> float:
    found = sql.scalar(s, "SELECT coalesce(sum(usd), 0) FROM agent WHERE campaign_id = :campaign", campaign=campaign_id)
    return float(found)


def claimed_gain(s: Session, campaign_id: int, kernels: int) -> float | None:
    """Per kernel the product of the accepted estimates in force, as a factor; their geometric mean over all kernels."""
    found = sql.rows(
        s,
        "SELECT coalesce(fresh_gain, gain) AS gain FROM promotion WHERE campaign_id = :campaign AND demoted_at IS NULL",
        campaign=campaign_id,
    )
    factors = [scores.factor_of(row["gain"]) for row in found]
    return scores.geometric_mean(factors, kernels)


def claimed_toolchains(s: Session, campaign_id: int) -> int:
    """That the promotions in force were measured under; 1 without any."""
    found = sql.scalar(
        s,
        "SELECT count(DISTINCT fingerprint) FROM promotion WHERE campaign_id = :campaign AND demoted_at IS NULL",
        campaign=campaign_id,
    )
    return max(int(found), 1)


def rejections(s: Session, campaign_id: int) -> dict[str, int]:
    """Refused nodes by the kind of the refusal, else by gate."""
    found = sql.rows(
        s,
        "SELECT refusal, count(*) AS n FROM node WHERE campaign_id = :campaign AND refusal <> '' GROUP BY refusal"
        " ORDER BY n DESC, refusal",
        campaign=campaign_id,
    )
    return {row["refusal"]: int(row["n"]) for row in found}


def trust_of(s: Session, campaign_id: int) -> Trust:
    """Tests without a verdict (INVALID, interrupted) count nowhere. Dropped: FASTER, but not by the fresh pairs of the
    confirmation. A plus keeps SQLite from looking these up by an index on which many rows are alike."""
    finished = "FROM test WHERE campaign_id = :campaign AND kind = 'acceptance' AND state = 'done' AND verdict"
    tests = sql.scalar(s, f"SELECT count(*) {finished} NOT IN ('', 'INVALID')", campaign=campaign_id)
    dropped = sql.scalar(
        s,
        f"SELECT count(*) {finished} = 'FASTER' AND EXISTS (SELECT 1 FROM test AS fresh WHERE"
        " fresh.candidate_id = test.candidate_id AND +fresh.campaign_id = :campaign AND +fresh.id > test.id"
        " AND +fresh.kind = 'confirmation' AND +fresh.state = 'done' AND fresh.verdict = 'UNCLEAR')",
        campaign=campaign_id,
    )
    return Trust(int(tests), int(dropped))
