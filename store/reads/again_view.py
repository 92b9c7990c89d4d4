"""Candidates that were tested, as `kernels.judge.again` judges them once more."""

import math
from collections.abc import Mapping, Sequence

from sqlalchemy import RowMapping
from sqlmodel import Session

from kernels.judge.again import Recorded
from store import sql
from store.columns import loads
from store.scores import usable

TESTS = (
    "SELECT test.id, test.campaign_id, test.kernel, test.candidate_id, test.head_id, test.node_id,"
    " kernel_state.baseline_id, EXISTS (SELECT 1 FROM promotion WHERE promotion.test_id = test.id) AS promoted,"
    " (SELECT min(fresh.id) FROM test AS fresh WHERE fresh.candidate_id = test.candidate_id AND fresh.id > test.id"
    " AND fresh.campaign_id = test.campaign_id AND fresh.kind = 'confirmation' AND fresh.state = 'done'"
    " AND NOT EXISTS (SELECT 1 FROM test AS later WHERE later.candidate_id = test.candidate_id AND later.id > test.id"
    " AND later.id < fresh.id AND later.campaign_id = test.campaign_id AND later.kind = 'acceptance')) AS fresh,"
    " (SELECT facts FROM gate_report WHERE gate_report.node_id = test.node_id AND gate = 'estimate'"
    " ORDER BY id DESC LIMIT 1) AS plan FROM test"
    " JOIN kernel_state ON kernel_state.campaign_id = test.campaign_id AND kernel_state.kernel = test.kernel"
    " JOIN node ON node.id = test.node_id WHERE test.kind = 'acceptance' AND test.state = 'done'"
    " AND test.verdict NOT IN ('', 'INVALID') AND NOT node.tainted"
)
Entries = Mapping[tuple[int, str, str], Sequence[RowMapping]]


def recorded(s: Session, campaign_ids: Sequence[int] | None = None) -> tuple[Recorded, ...]:
    """Of these campaigns, or of all of this home, oldest first. Folds, placebos and tests without a verdict are left
    out. A confirmation belongs to the test before it."""
    where = "" if campaign_ids is None else f" AND test.campaign_id IN ({_listed(campaign_ids)})"
    entries = _entries(s)
    return tuple(_recorded(s, row, entries) for row in sql.rows(s, f"{TESTS}{where} ORDER BY test.id"))


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(str(int(number)) for number in numbers) or "NULL"


def _recorded(s: Session, row: RowMapping, entries: Entries) -> Recorded:
    ratio = loads(row["plan"], {}).get("ratio")
    return Recorded(
        x=_pairs(s, row["id"]), fresh=() if row["fresh"] is None else _pairs(s, row["fresh"]),
        planned=float(ratio) if ratio is not None else None, ledger=_ledger(row, entries),
        promoted=bool(row["promoted"]),
    )  # fmt: skip


def _pairs(s: Session, test_id: int) -> tuple[float, ...]:
    found = sql.tuples(
        s,
        "SELECT log_ratio FROM pair WHERE test_id = :test AND redo_reason = '' AND log_ratio IS NOT NULL ORDER BY seq",
        test=test_id,
    )
    return tuple(float(x) for (x,) in found)


def _entries(s: Session) -> Entries:
    """Against the baseline, by campaign, kernel and head, oldest first."""
    found = sql.rows(s, "SELECT * FROM ledger WHERE against = 'baseline' AND NOT tainted ORDER BY id")
    entries: dict[tuple[int, str, str], list[RowMapping]] = {}
    for row in found:
        if usable(row["speedup"], row["low"], row["high"]):
            entries.setdefault((row["campaign_id"], row["kernel"], row["head_id"]), []).append(row)
    return entries


def _ledger(row: RowMapping, entries: Entries) -> tuple[float, float, float] | None:
    """log(head / candidate) with its ends; the newest entries of both in one mode, half-widths in quadrature."""
    mine = entries.get((row["campaign_id"], row["kernel"], row["candidate_id"]), ())
    if not mine:
        return None
    if row["head_id"] == row["baseline_id"]:
        return _logs(mine[-1])
    theirs = entries.get((row["campaign_id"], row["kernel"], row["head_id"]), ())
    both = [(a, b) for a in mine for b in theirs if a["mode"] == b["mode"]]
    if not both:
        return None
    (middle, low, high), (before, under, over) = (_logs(one) for one in both[-1])
    step = middle - before
    return step, step - math.hypot(middle - low, over - before), step + math.hypot(high - middle, before - under)


def _logs(row: RowMapping) -> tuple[float, float, float]:
    return math.log(row["speedup"]), math.log(row["low"]), math.log(row["high"])
