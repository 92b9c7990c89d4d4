"""Score and cycles over the peak at each filing, for step plots."""

import math
from collections.abc import Mapping, Sequence, Set

from sqlmodel import Session

from store import campaigns, sql
from store.campaigns import IMPORTED
from store.columns import loads
from store.filed_views import FiledCurve, SeriesView

POINTS = 1000
"""More steps than a terminal has columns; of more filings, each window keeps its last step and its best one."""


def filing_series(s: Session, campaign_id: int, kernel: str) -> SeriesView:
    """Tainted filings are in no curve. kernel: "" for an imported campaign. Raises: StoreError without the campaign."""
    row = campaigns.get(s, campaign_id)
    if row.brain == IMPORTED:
        return _imported(s, campaign_id, row.options.get("peak", {}))
    found = sql.rows(
        s,
        "SELECT filed_at, ledger_speedup, times_peak FROM filing WHERE campaign_id = :campaign AND kernel = :kernel"
        " AND NOT tainted ORDER BY filed_at, id",
        campaign=campaign_id, kernel=kernel,
    )  # fmt: skip
    score = [(r["filed_at"], r["ledger_speedup"]) for r in found if r["ledger_speedup"] is not None]
    peak = [(r["filed_at"], r["times_peak"]) for r in found if r["times_peak"] is not None]
    since = sql.scalar(
        s, "SELECT max(at) FROM toolchain_change WHERE campaign_id = :campaign AND former <> present",
        campaign=campaign_id,
    )  # fmt: skip
    return SeriesView(
        campaign_id, kernel, False, _curve("ledger speedup against the baseline", score, higher=True, since=since),
        _curve("time over peak", peak, higher=False, since=since),
    )  # fmt: skip


def _imported(s: Session, campaign_id: int, peak: Mapping[str, float]) -> SeriesView:
    found = sql.rows(
        s,
        "SELECT filed_at, cycles, score AS published, coalesce(score, recomputed) AS score FROM filing JOIN"
        " imported_filing ON filing_id = filing.id WHERE campaign_id = :campaign ORDER BY filed_at, id",
        campaign=campaign_id,
    )
    scores = [(row["filed_at"], row["score"]) for row in found if row["score"] is not None]
    cycles = [(row["filed_at"], loads(row["cycles"], {})) for row in found]
    known = [(at, of) for at, of in cycles if of]
    fewest = {k: min(of[k] for _, of in known) for k in (known[0][1] if known else {})}
    given = bool(fewest) and all(k in peak for k in fewest)
    over = [(at, _mean_ratio(of, peak if given else fewest)) for at, of in known]
    what = "cycles over peak, geometric mean" if given else "cycles over the fewest filed, geometric mean"
    named = _score_name({row["published"] is not None for row in found if row["score"] is not None})
    return SeriesView(campaign_id, "", True, _curve(named, scores, higher=True), _curve(what, over, higher=False))


def _score_name(published: Set[bool]) -> str:
    """published: whether scores were published, and whether some were not and come from the cycles."""
    if False not in published:
        return "published score"
    return "score, published or from the cycles" if True in published else "score from the cycles"


def _mean_ratio(cycles: Mapping[str, float], base: Mapping[str, float]) -> float:
    return math.exp(sum(math.log(value / base[kernel]) for kernel, value in cycles.items()) / len(cycles))


def _curve(what: str, points: Sequence[tuple[float, float]], *, higher: bool, since: float | None = None) -> FiledCurve:
    return FiledCurve(what, tuple(_thinned(points, higher=higher)), higher, since)


def _thinned(points: Sequence[tuple[float, float]], *, higher: bool) -> list[tuple[float, float]]:
    size = -(-len(points) // POINTS)
    if size <= 1:
        return list(points)
    kept: list[tuple[float, float]] = []
    for start in range(0, len(points), size):
        window = points[start : start + size]
        best = (max if higher else min)(window, key=lambda point: point[1])
        kept += [best] if best is window[-1] else [best, window[-1]]
    return kept
