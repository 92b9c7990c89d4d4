"""Filings from elsewhere: a campaign of their own that is finished from the start, counts in no figure of this device,
and has no candidates, tests or heads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import insert
from sqlmodel import Session, col, select

from store import campaigns, events
from store.campaigns import IMPORTED
from store.tables import CampaignRow, FilingRow, ImportedFilingRow

__all__ = ["IMPORTED", "Imported", "add", "campaign_with"]


@dataclass(frozen=True, slots=True)
class Imported:
    """One filing as its file says it; columns of `ImportedFilingRow`. filed_at: UTC seconds, as near as is known.
    times_peak: geometric mean over the kernels, where their peaks are known."""

    line: int
    place: int
    filed_at: float
    filed_text: str
    team: str
    board: str
    variant: str
    reference: str
    source: str
    cycles: Mapping[str, float]
    score: float | None
    recomputed: float | None
    times_peak: float | None = None

    @property
    def best(self) -> float | None:
        """The published score, else the recomputed one."""
        return self.recomputed if self.score is None else self.score


def campaign_with(s: Session, digest: str) -> int | None:
    """The campaign that holds this file, by the SHA-256 of its bytes; None when it was not imported yet."""
    query = select(CampaignRow.id).where(CampaignRow.brain == IMPORTED, CampaignRow.pack_digest == digest)
    return s.exec(query.order_by(col(CampaignRow.id)).limit(1)).first()


def add(
    s: Session, *, name: str, digest: str, kernels: Sequence[str], baseline: Mapping[str, float],
    peak: Mapping[str, float], filings: Sequence[Imported],
) -> int:  # fmt: skip
    """Campaign, filings and one event in the caller's transaction; returns the campaign's id. baseline, peak: cycles
    by kernel."""
    options = {"baseline": dict(baseline), "peak": dict(peak)}
    number = campaigns.create(
        s, pack=name, pack_digest=digest, target=IMPORTED, fingerprint=IMPORTED, kernels=kernels, brain=IMPORTED,
        options=options,
    )  # fmt: skip
    for one in filings:
        _add(s, number, one)
    events.append(s, number, "import", name, f"{len(filings)} filings from elsewhere", filings=len(filings))
    campaigns.finish(s, number, "imported")
    return number


def _add(s: Session, campaign_id: int, one: Imported) -> None:
    row = FilingRow(
        campaign_id=campaign_id, kind=IMPORTED, kernel="", lever=one.variant, filed_at=one.filed_at,
        times_peak=one.times_peak,
    )  # fmt: skip
    s.add(row)
    s.flush()
    values = {
        "filing_id": row.id, "line": one.line, "place": one.place, "filed_text": one.filed_text, "team": one.team,
        "board": one.board, "variant": one.variant, "reference": one.reference, "source": one.source,
        "cycles": dict(one.cycles), "score": one.score, "recomputed": one.recomputed,
    }  # fmt: skip
    s.connection().execute(insert(ImportedFilingRow), values)
