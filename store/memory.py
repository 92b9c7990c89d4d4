"""Wins and traps: conclusions that agents share, by type of kernel and campaign. Retention is applied here."""

from sqlmodel import Session, col, select

from knowledge.memory import Conclusion, Kind, Retention, cut
from store import events, sql
from store.campaigns import fingerprint_of
from store.clock import now
from store.tables import MemoryRow

BOUNDED = Retention()
SAME = "kind = :kind AND kernel_type = :type AND campaign_id IS :campaign"


def remember(
    s: Session, found: Conclusion, retention: Retention = BOUNDED, *, kernel: str = "", campaign_id: int | None = None,
    candidate_id: str | None = None,
) -> int | None:  # fmt: skip
    """The same strategy said again replaces what was known. Beyond the limit of a kernel type in a campaign the wins
    with the least gain go, and the oldest traps. Returns the row's id, though a small win may be gone at once; None
    when nothing is kept."""
    if not retention.on:
        return None
    row = MemoryRow(
        kind=found.kind, kernel_type=found.kernel_type, kernel=kernel, lever=found.lever,
        strategy=cut(found.strategy, retention.strategy), reflection=cut(found.reflection, retention.reflection),
        gain=found.gain, campaign_id=campaign_id, candidate_id=candidate_id,
        fingerprint=fingerprint_of(s, campaign_id), at=now(),
    )  # fmt: skip
    s.add(row)
    s.flush()
    key = {"kind": row.kind, "type": row.kernel_type, "campaign": campaign_id}
    sql.run(
        s, f"DELETE FROM memory WHERE {SAME} AND id <> :id AND strategy = :strategy", id=row.id, strategy=row.strategy,
        **key,
    )  # fmt: skip
    most = retention.most(found.kind)
    if most is not None:
        sql.run(
            s,
            f"DELETE FROM memory WHERE {SAME} AND id NOT IN (SELECT id FROM memory WHERE {SAME} ORDER BY"
            " CASE kind WHEN 'win' THEN coalesce(gain, -1e9) ELSE 0 END DESC, id DESC LIMIT :most)",
            most=most, **key,
        )  # fmt: skip
    return events.need_id(row.id)


def recall(
    s: Session, kernel_type: str, kind: Kind | None = None, *, campaign_id: int | None = None
) -> list[MemoryRow]:  # fmt: skip
    """Wins, the largest gain first, then traps, the newest first; what fell under a newer toolchain is left out.
    campaign_id: of this campaign alone; None for all."""
    query = select(MemoryRow).where(MemoryRow.kernel_type == kernel_type, MemoryRow.state != "retired")
    if kind is not None:
        query = query.where(MemoryRow.kind == kind)
    if campaign_id is not None:
        query = query.where(MemoryRow.campaign_id == campaign_id)
    rows = list(s.exec(query.order_by(col(MemoryRow.id).desc())).all())
    return sorted(rows, key=lambda row: (row.kind != "win", -(row.gain or 0.0) if row.kind == "win" else 0.0))


def forget(s: Session, memory_id: int) -> None:
    """One that turned out to be unfounded; nothing when it is gone already."""
    sql.run(s, "DELETE FROM memory WHERE id = :id", id=memory_id)
