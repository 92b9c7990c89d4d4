"""Any two filings beside each other: what was filed, what was read of it, and how the sources differ."""

import statistics
from collections.abc import Sequence

from sqlalchemy import RowMapping
from sqlmodel import Session

from store import sql
from store.candidates import get_candidate
from store.filed_views import ComparedView, FiledReading
from store.reads.filing_views import filing
from store.reads.node_views import unified_diff
from store.views import FilingView

TESTS = 12


def compare_filings(s: Session, first: int, second: int) -> ComparedView:
    """Raises: StoreError when one of them is not there."""
    one, other = filing(s, first), filing(s, second)
    diff, why = _diff(s, one, other)
    return ComparedView(one, other, _readings(s, one), _readings(s, other), diff, why)


def _diff(s: Session, one: FilingView, other: FilingView) -> tuple[str, str]:
    if not one.candidate or not other.candidate:
        return "", "an imported filing has no source here"
    if one.candidate == other.candidate:
        return "", "both filed the same source"
    found = unified_diff(get_candidate(s, one.candidate), get_candidate(s, other.candidate))
    return found, "" if found else "sources and flags are the same"


def _readings(s: Session, of: FilingView) -> tuple[FiledReading, ...]:
    """Tests of its node, then ledger entries of its candidate; the last twelve of each."""
    tests = sql.rows(
        s,
        "SELECT * FROM (SELECT id, kind, verdict, estimate, low, high, mode FROM test WHERE node_id = :node"
        f" AND state = 'done' AND kind NOT IN ('ledger', 'placebo') ORDER BY id DESC LIMIT {TESTS}) ORDER BY id",
        node=of.node,
    )
    entries = sql.rows(
        s,
        "SELECT * FROM (SELECT * FROM ledger WHERE campaign_id = :campaign AND head_id = :candidate"
        f" AND against = 'baseline' ORDER BY id DESC LIMIT {TESTS}) ORDER BY id",
        campaign=of.campaign, candidate=of.candidate,
    )  # fmt: skip
    return (*(_test(s, row) for row in tests), *(_entry(row) for row in entries))


def _test(s: Session, row: RowMapping) -> FiledReading:
    pairs = sql.rows(
        s, "SELECT head_ns, candidate_ns FROM pair WHERE test_id = :test AND redo_reason = ''", test=row["id"]
    )
    return FiledReading(
        row["kind"], row["verdict"], len(pairs), row["estimate"], row["low"], row["high"],
        _median([pair["head_ns"] for pair in pairs]), _median([pair["candidate_ns"] for pair in pairs]), row["mode"],
    )  # fmt: skip


def _entry(row: RowMapping) -> FiledReading:
    return FiledReading(
        "ledger", "tainted" if row["tainted"] else "", row["pairs"], row["speedup"], row["low"], row["high"],
        row["against_ns"], row["head_ns"], row["mode"],
    )  # fmt: skip


def _median(values: Sequence[float]) -> float | None:
    return statistics.median(values) if values else None
