"""Tests with their pairs, and the ledger."""

from dataclasses import asdict, dataclass
from typing import Any

from sqlmodel import Session

from kernels.values.reading import Estimate, Pair, Reading
from kernels.values.verdict import Verdict
from store import events, filings, folds, sql
from store.campaigns import fingerprint_of
from store.clock import now
from store.errors import StoreError
from store.peaks import add_peak, peak_ns, times_peak
from store.scores import finite, usable
from store.tables import LedgerRow, PairRow, TestRow

__all__ = [
    "TestSummary",
    "add_ledger_entry",
    "add_pair",
    "add_peak",
    "finish_test",
    "get_test",
    "last_entry_at",
    "log_ratios",
    "peak_ns",
    "start_test",
    "tests_of",
    "times_peak",
]


@dataclass(frozen=True, slots=True)
class TestSummary:
    """A test, as the rule for retests needs it."""

    __test__ = False
    id: int
    kind: str
    candidate_id: str
    head_id: str
    state: str
    verdict: str
    no_sign: bool
    pairs: int


def start_test(
    s: Session, campaign_id: int, kernel: str, kind: str, *, candidate_id: str, head_id: str,
    node_id: int | None = None, lever: str = "", agent: str = "", rule: str = "", seed: str = "",
    pairs_budget: int = 24,
) -> int:  # fmt: skip
    """kind: acceptance, confirmation, ledger, batch, placebo or calibration. seed: of the coin that orders the pairs.

    Returns the test's id.
    """
    row = TestRow(
        campaign_id=campaign_id, kernel=kernel, kind=kind, node_id=node_id, candidate_id=candidate_id, head_id=head_id,
        lever=lever, agent=agent, rule=rule, seed=seed, pairs_budget=pairs_budget,
        fingerprint=fingerprint_of(s, campaign_id), started_at=now(),
    )  # fmt: skip
    s.add(row)
    s.flush()
    return events.need_id(row.id)


def add_pair(
    s: Session, test_id: int, pair: Pair, *, score: float | None = None, next_look: int | None = None,
    seconds: float = 0.0,
) -> int:  # fmt: skip
    """Append a pair as read; returns its seq. score: over all kept pairs up to this one; seconds: of the device.

    A pair with readings that cannot be used is kept as redone, never counted.
    """
    seq = int(sql.scalar(s, "SELECT coalesce(max(seq) + 1, 0) FROM pair WHERE test_id = :test", test=test_id))
    reason = pair.redo_reason or ("" if pair.valid else "a reading is not a positive number")
    s.add(
        PairRow(
            test_id=test_id, seq=seq, first=pair.first, head_ns=pair.head.ns, candidate_ns=pair.candidate.ns,
            log_ratio=pair.log_ratio if pair.valid else None, head_reading=_kept(pair.head),
            candidate_reading=_kept(pair.candidate), probe_before_gbs=pair.probe_before_gbs,
            probe_after_gbs=pair.probe_after_gbs, mode=pair.mode, redo_reason=reason,
            environment=dict(pair.environment), score=None if reason else score, at=now(),
        )
    )  # fmt: skip
    test = get_test(s, test_id)
    test.device_seconds += seconds
    if not reason:
        test.score = test.score if score is None else score
        test.next_look = next_look
    s.add(test)
    s.flush()
    return seq


def _kept(reading: Reading) -> dict[str, Any]:
    """As a row keeps it: times at shapes only of a kernel that has shapes."""
    return {name: value for name, value in asdict(reading).items() if name != "shapes" or value}


def finish_test(
    s: Session, test_id: int, verdict: Verdict | str, *, score: float | None = None, estimate: Estimate | None = None,
    no_sign: bool = False, reason: str = "", mode: str = "",
) -> None:  # fmt: skip
    """verdict: "" only for kinds that give none (ledger, batch, calibration)."""
    row = get_test(s, test_id)
    row.state, row.verdict, row.no_sign, row.finished_at = "done", str(verdict), no_sign, now()
    row.reason, row.mode, row.next_look = reason, mode or row.mode, None
    if score is not None:
        row.score = score
    if estimate:
        bounded = finite(estimate)
        row.estimate, row.low, row.high = bounded.gain, bounded.low, bounded.high
    s.add(row)
    s.flush()
    shown = "acceptance" if row.kind == "placebo" else row.kind
    said = (*(() if row.lever.startswith(shown) else (shown,)), str(verdict), row.lever, f"score {row.score:+.2f}")
    text = " ".join(word for word in said if word)
    events.append(
        s, row.campaign_id, "test", row.kernel, text,
        test=test_id, node=row.node_id, verdict=str(verdict), score=row.score, agent=row.agent, reason=reason,
    )  # fmt: skip


def get_test(s: Session, test_id: int) -> TestRow:
    """Raises: StoreError when there is none."""
    row = s.get(TestRow, test_id)
    if row is None:
        raise StoreError(f"find test {test_id}", "there is none", "Take its id from the list of tests")
    return row


def log_ratios(s: Session, test_id: int) -> tuple[float, ...]:
    """log(head / candidate) of the kept pairs, in run order."""
    found = sql.rows(
        s, "SELECT log_ratio FROM pair WHERE test_id = :test AND redo_reason = '' ORDER BY seq", test=test_id
    )
    return tuple(float(row["log_ratio"]) for row in found)


def tests_of(s: Session, campaign_id: int, candidate_id: str, head_id: str | None = None) -> tuple[TestSummary, ...]:
    """Tests of this content, or of any candidate with the same machine code, against `head_id` (any when None), under
    the present toolchain. Placebos, whose machine code is the head's, are left out."""
    found = sql.rows(
        s,
        "SELECT test.id, test.kind, candidate_id, head_id, state, verdict, no_sign, (SELECT count(*) FROM pair"
        " WHERE pair.test_id = test.id AND pair.redo_reason = '') AS pairs FROM test JOIN candidate AS theirs"
        " ON theirs.id = test.candidate_id JOIN candidate AS mine ON mine.id = :candidate WHERE campaign_id = :campaign"
        " AND test.fingerprint = (SELECT fingerprint FROM campaign WHERE campaign.id = :campaign)"
        " AND (theirs.id = mine.id OR (mine.machine_code <> '' AND theirs.machine_code = mine.machine_code))"
        " AND test.kind <> 'placebo' AND (:head IS NULL OR head_id = :head) ORDER BY test.id",
        candidate=candidate_id, campaign=campaign_id, head=head_id,
    )  # fmt: skip
    return tuple(
        TestSummary(
            row["id"], row["kind"], row["candidate_id"], row["head_id"], row["state"], row["verdict"],
            bool(row["no_sign"]), row["pairs"],
        )
        for row in found
    )  # fmt: skip


def last_entry_at(s: Session, campaign_id: int, kernel: str) -> float | None:
    """When the kernel was last measured against the baseline under the present toolchain, in seconds since the epoch;
    None when it never was."""
    found = sql.scalar(
        s, "SELECT max(at) FROM ledger WHERE campaign_id = :campaign AND kernel = :kernel AND against = 'baseline'"
        " AND fingerprint = (SELECT fingerprint FROM campaign WHERE campaign.id = :campaign)",
        campaign=campaign_id, kernel=kernel,
    )  # fmt: skip
    return None if found is None else float(found)


def add_ledger_entry(
    s: Session, campaign_id: int, kernel: str, *, head_id: str, against: str, against_id: str, speedup: float,
    low: float, high: float, pairs: int, mode: str = "", test_id: int | None = None, score: float = 0.0,
    head_ns: float | None = None, against_ns: float | None = None,
) -> int:  # fmt: skip
    """against: `baseline` or `previous`. Returns the entry's id; the head's filings take the speedup over.

    An interval that few pairs leave open is stored as 1e-6 or 1e6.
    Raises: StoreError for a speedup that is not finite or not above 0.
    """
    low, high = max(low, 1e-6), min(high, 1e6)
    if not usable(speedup, low, high):
        found = f"{speedup} ({low}..{high}) of {kernel}"
        raise StoreError("enter a speedup into the ledger", found, "Measure again: it must be finite and above 0")
    row = LedgerRow(
        campaign_id=campaign_id, kernel=kernel, head_id=head_id, against=against, against_id=against_id,
        speedup=speedup, low=low, high=high, pairs=pairs, mode=mode, test_id=test_id, score=score, head_ns=head_ns,
        against_ns=against_ns, at=now(), tainted=head_id in folds.candidates(s, campaign_id, kernel),
        fingerprint=fingerprint_of(s, campaign_id),
    )  # fmt: skip
    s.add(row)
    s.flush()
    if against == "baseline":
        filings.set_ledger(s, campaign_id, head_id, speedup, times_peak(s, campaign_id, kernel, head_ns, mode))
    text = f"{speedup:.2f}x against {against} ({low:.2f}..{high:.2f}), {pairs} pairs"
    events.append(
        s, campaign_id, "ledger", kernel, text, speedup=speedup, low=low, high=high, against=against, mode=mode
    )
    return events.need_id(row.id)
