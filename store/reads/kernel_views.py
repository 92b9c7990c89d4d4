"""Where each kernel of a campaign stands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import RowMapping
from sqlmodel import Session

from kernels.judge.anchored import anchored
from store import campaigns, kernel_states, peaks, promotions, races, sql
from store.memo import JUDGED, remembered
from store.reads.shape_views import shapes_of_test
from store.scores import Speedup, usable
from store.tables import KernelStateRow
from store.views import KernelView, ShapeView


@dataclass(frozen=True, slots=True)
class Counts:
    candidates: int = 0
    tests: int = 0
    promotions: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """What the ledger says of a kernel, of which head, in which device mode, and at each of its shapes.

    baseline_ns, head_ns: of its own test, so that they agree with the speedup.
    """

    speedup: Speedup
    mode: str
    shapes: tuple[ShapeView, ...]
    head: str
    baseline_ns: float | None
    head_ns: float | None


def kernels(s: Session, campaign_id: int) -> tuple[KernelView, ...]:
    """In the pack's order."""
    mode = campaigns.get(s, campaign_id).mode
    entries = _speaking(s, campaign_id)
    counts = remembered(s, "counts", campaign_id, JUDGED, lambda: counts_of(s, campaign_id))
    last = remembered(s, "last promotions", campaign_id, JUDGED, lambda: _last_promotions(s, campaign_id))
    return tuple(
        _view(s, state, mode, entries.get(state.kernel), counts.get(state.kernel, Counts()), last.get(state.kernel))
        for state in kernel_states.of(s, campaign_id)
    )


def ledger_speedups(s: Session, campaign_id: int) -> Mapping[str, Speedup]:
    """By kernel, the entry against the baseline that speaks for it: of the head before others, in the campaign's
    device mode before others, the newest before others. Entries of demoted heads, and those under another
    toolchain, speak for nothing."""
    return {name: entry.speedup for name, entry in _speaking(s, campaign_id).items()}


def _speaking(s: Session, campaign_id: int) -> Mapping[str, Entry]:
    name = f"entries in mode {campaigns.get(s, campaign_id).mode!r}"
    return remembered(s, name, campaign_id, JUDGED, lambda: _entries(s, campaign_id))


def _entries(s: Session, campaign_id: int) -> Mapping[str, Entry]:
    return {name: _entry(s, row) for name, row in _best(s, campaign_id).items()}


def _entry(s: Session, row: RowMapping) -> Entry:
    speedup = Speedup(row["speedup"], row["low"], row["high"])
    shapes = shapes_of_test(s, row["test_id"])
    return Entry(speedup, str(row["mode"]), shapes, str(row["head_id"]), row["against_ns"], row["head_ns"])


def _best(s: Session, campaign_id: int) -> Mapping[str, RowMapping]:
    found = sql.rows(
        s,
        "SELECT ledger.kernel, ledger.head_id, ledger.test_id, ledger.mode, speedup, low, high, against_ns, head_ns,"
        " campaign.mode AS usual"
        " FROM ledger JOIN campaign ON campaign.id = ledger.campaign_id WHERE campaign_id = :campaign"
        " AND against = 'baseline' AND NOT ledger.tainted AND ledger.fingerprint = campaign.fingerprint"
        " AND EXISTS (SELECT 1 FROM promotion WHERE promotion.campaign_id = :campaign AND demoted_at IS NULL"
        " AND promotion.kernel = ledger.kernel AND promotion.candidate_id = ledger.head_id) ORDER BY ledger.id",
        campaign=campaign_id,
    )
    heads = {name: promotions.head(s, campaign_id, name) for name in {row["kernel"] for row in found}}
    best: dict[str, RowMapping] = {}
    for row in found:
        kept = best.get(row["kernel"])
        if kept is None or _weight(row, heads) >= _weight(kept, heads):
            best[row["kernel"]] = row
    return best


def counts_of(s: Session, campaign_id: int) -> Mapping[str, Counts]:
    """By kernel: candidates that were judged or raced, acceptance tests with a verdict, promotions in force. Placebos
    are in none."""
    candidates = _by_kernel(
        s,
        "SELECT kernel, count(*) AS n FROM node WHERE campaign_id = :campaign"
        " AND outcome IN ('REJECT', 'REVERT', 'ACCEPT', 'KEEP') GROUP BY kernel",
        campaign_id,
    )
    placebos = _by_kernel(
        s,
        "SELECT node.kernel, count(DISTINCT node.id) AS n FROM test JOIN node ON node.id = test.node_id"
        " WHERE test.campaign_id = :campaign AND test.kind = 'placebo'"
        " AND outcome IN ('REJECT', 'REVERT', 'ACCEPT', 'KEEP') GROUP BY node.kernel",
        campaign_id,
    )
    tests = _by_kernel(
        s,
        "SELECT kernel, count(*) AS n FROM test WHERE campaign_id = :campaign AND kind = 'acceptance'"
        " AND state = 'done' AND verdict <> 'INVALID' GROUP BY kernel",
        campaign_id,
    )
    kept = _by_kernel(
        s,
        "SELECT kernel, count(*) AS n FROM promotion WHERE campaign_id = :campaign AND demoted_at IS NULL"
        " GROUP BY kernel",
        campaign_id,
    )
    raced = races.raced_beside(s, campaign_id)
    names = {*candidates, *raced, *tests, *kept}
    return {
        name: Counts(
            candidates.get(name, 0) + raced.get(name, 0) - placebos.get(name, 0), tests.get(name, 0), kept.get(name, 0)
        )
        for name in names
    }


def _by_kernel(s: Session, statement: str, campaign_id: int) -> dict[str, int]:
    return {row["kernel"]: int(row["n"]) for row in sql.rows(s, statement, campaign=campaign_id)}


def _weight(row: RowMapping, heads: Mapping[str, str | None]) -> tuple[bool, bool]:
    return bool(row["head_id"] == heads[row["kernel"]]), bool(row["mode"] == row["usual"])


def _last_promotions(s: Session, campaign_id: int) -> Mapping[str, RowMapping]:
    """By kernel, what made its head: candidate, lever and gain."""
    found = sql.rows(
        s,
        "SELECT promotion.kernel, promotion.candidate_id, lever, coalesce(fresh_gain, promotion.gain) AS gain"
        " FROM promotion LEFT JOIN node ON node.id = node_id WHERE promotion.id IN (SELECT max(id) FROM promotion"
        " WHERE campaign_id = :campaign AND demoted_at IS NULL GROUP BY kernel)",
        campaign=campaign_id,
    )
    return {row["kernel"]: row for row in found}


def _view(
    s: Session, state: KernelStateRow, mode: str, entry: Entry | None, counts: Counts, last: RowMapping | None
) -> KernelView:
    found = None if entry is None else entry.speedup
    speedup = found if found is not None and usable(found.speedup, found.low, found.high) else None
    reached = speedup.speedup if speedup else 1.0 if last is None else None
    head = state.baseline_id if last is None else last["candidate_id"]
    baseline_ns, head_ns, in_mode = _times(state, mode, entry if entry is not None and entry.head == head else None)
    peak, of_mode = peaks.fastest(s, state.campaign_id, state.kernel, in_mode) or (None, "")
    times_peak = head_ns / peak if peak is not None and head_ns is not None else None
    measured = _ledger_times_peak(s, state, mode, entry if speedup else None)
    return KernelView(
        name=state.kernel, baseline_ns=baseline_ns, head_ns=head_ns, peak_ns=peak,
        ledger_speedup=speedup.speedup if speedup else None, ledger_low=speedup.low if speedup else None,
        ledger_high=speedup.high if speedup else None,
        times_peak=times_peak,
        candidates=counts.candidates, tests=counts.tests, promotions=counts.promotions,
        head_id=head or "",
        last_lever="" if last is None else last["lever"] or "", last_gain=None if last is None else last["gain"],
        plateau=state.plateau, status="paused" if state.paused else state.status,
        reference=state.reference, score=anchored(reached, measured),
        ledger_times_peak=measured,
        peak_mode=of_mode if in_mode not in ("", of_mode) else "",
        ledger_mode=entry.mode if entry is not None else "", shapes=entry.shapes if entry is not None else (),
    )  # fmt: skip


def _ledger_times_peak(s: Session, state: KernelStateRow, mode: str, entry: Entry | None) -> float | None:
    """Of the head that the entry measured, which may not be the head any more; of the baseline without an entry."""
    if entry is None:
        return peaks.times_peak(s, state.campaign_id, state.kernel, state.baseline_ns, mode)
    return peaks.times_peak(s, state.campaign_id, state.kernel, entry.head_ns, entry.mode)


def _times(state: KernelStateRow, mode: str, entry: Entry | None) -> tuple[float | None, float | None, str]:
    """ns of baseline and head, and the device mode: of the ledger's test of this head, whose speedup they agree with,
    else as each was last read."""
    if entry is None or entry.baseline_ns is None or entry.head_ns is None:
        return state.baseline_ns, state.head_ns, mode
    return entry.baseline_ns, entry.head_ns, entry.mode


def names(views: Sequence[KernelView]) -> list[str]:
    return [view.name for view in views]
