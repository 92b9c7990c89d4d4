"""Pairs of a kernel with itself as they were read: what a device's noise looks like."""

from dataclasses import dataclass

from sqlmodel import Session

from store import sql

HEAD_HEAD = ("calibration", "placebo")


@dataclass(frozen=True, slots=True)
class Recorded:
    """One test. head_head: both sides ran the same code. pairs: (first side, head ns, candidate ns) in run order."""

    test_id: int
    kind: str
    pack: str
    kernel: str
    fingerprint: str
    device_seconds: float
    pairs: tuple[tuple[str, float, float], ...]

    @property
    def head_head(self) -> bool:
        return self.kind in HEAD_HEAD


def recorded(s: Session) -> tuple[Recorded, ...]:
    """Finished calibrations, placebos and ledgers of every campaign of this home, redone pairs left out."""
    tests = sql.rows(
        s,
        "SELECT test.id, test.kind, test.kernel, test.device_seconds, campaign.pack, test.fingerprint FROM test"
        " JOIN campaign ON campaign.id = test.campaign_id WHERE test.state = 'done'"
        " AND test.kind IN ('calibration', 'placebo', 'ledger') ORDER BY test.id",
    )
    found = (
        Recorded(
            t["id"], t["kind"], t["pack"], t["kernel"], t["fingerprint"], t["device_seconds"], _pairs(s, t["id"])
        )
        for t in tests
    )  # fmt: skip
    return tuple(one for one in found if one.pairs)


def _pairs(s: Session, test_id: int) -> tuple[tuple[str, float, float], ...]:
    rows = sql.rows(
        s,
        "SELECT first, head_ns, candidate_ns FROM pair WHERE test_id = :test AND redo_reason = '' ORDER BY seq",
        test=test_id,
    )
    return tuple((str(r["first"]), float(r["head_ns"]), float(r["candidate_ns"])) for r in rows)
