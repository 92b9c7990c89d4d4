"""Filings: a promoted head with its score, or its submission to an outside board."""

from sqlmodel import Session

from store import events, sql
from store.campaigns import get
from store.clock import now
from store.peaks import times_peak
from store.tables import FilingRow, PromotionRow


def file_promotion(s: Session, promotion: PromotionRow, lever: str) -> int:
    """Every promotion is filed; returns the filing's id. The gain is the fresh-pair one when there is one."""
    fresh = promotion.fresh_gain is not None
    gain, low, high = (
        (promotion.fresh_gain, promotion.fresh_low, promotion.fresh_high)
        if fresh
        else (promotion.gain, promotion.low, promotion.high)
    )
    row = _row(s, promotion, lever, "promotion")
    row.gain, row.low, row.high = gain, low, high
    return _add(s, row)


def file_submission(s: Session, promotion: PromotionRow, lever: str, *, board: str, answer: str) -> int:
    """A head was sent to an outside board, which said `answer`."""
    row = _row(s, promotion, lever, "submission")
    filing_id = _add(s, row)
    events.append(s, row.campaign_id, "submission", row.kernel, f"{board}: {answer}", filing=filing_id)
    return filing_id


def file_rejudged(
    s: Session, promotion: PromotionRow, lever: str, *, speedup: float | None, times_peak: float | None
) -> int:
    """A head that stood under another toolchain, with what the ledger says of it there."""
    row = _row(s, promotion, lever, "rejudged")
    row.ledger_speedup, row.times_peak = speedup, times_peak
    return _add(s, row)


def set_ledger(s: Session, campaign_id: int, candidate_id: str, speedup: float, times_peak: float | None) -> None:
    """The ledger has measured this head: its filings under the present toolchain say so."""
    sql.run(
        s,
        "UPDATE filing SET ledger_speedup = :speedup, times_peak = coalesce(:times_peak, times_peak)"
        " WHERE campaign_id = :campaign AND candidate_id = :candidate AND fingerprint ="
        " (SELECT fingerprint FROM campaign WHERE campaign.id = :campaign)",
        speedup=speedup, times_peak=times_peak, campaign=campaign_id, candidate=candidate_id,
    )  # fmt: skip


def _row(s: Session, promotion: PromotionRow, lever: str, kind: str) -> FilingRow:
    campaign = get(s, promotion.campaign_id)
    mode = promotion.mode or campaign.mode
    return FilingRow(
        campaign_id=promotion.campaign_id, kind=kind, kernel=promotion.kernel, node_id=promotion.node_id,
        promotion_id=promotion.id, candidate_id=promotion.candidate_id, lever=lever, filed_at=now(),
        times_peak=times_peak(s, promotion.campaign_id, promotion.kernel, promotion.head_ns, mode),
        device=campaign.device, fingerprint=campaign.fingerprint,
    )  # fmt: skip


def _add(s: Session, row: FilingRow) -> int:
    s.add(row)
    s.flush()
    return events.need_id(row.id)
