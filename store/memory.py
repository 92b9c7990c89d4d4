"""Wins and traps: conclusions that agents share, by type of kernel. Retention is applied here."""

from sqlmodel import Session, col, select

from store import events, sql
from store.clock import now
from store.tables import MemoryRow
from store.text import clip

KEPT = 16
STRATEGY_LIMIT = 160
REFLECTION_LIMIT = 1200


def remember(
    s: Session, kind: str, kernel_type: str, strategy: str, reflection: str = "", *, kernel: str = "", lever: str = "",
    gain: float | None = None, campaign_id: int | None = None, candidate_id: str | None = None, kept: int = KEPT,
) -> int:  # fmt: skip
    """kind: win or trap. The same strategy said again replaces what was known. Beyond `kept` of a kernel type the wins
    with the least gain go, and the oldest traps. Returns the row's id, though a small win may be gone at once."""
    row = MemoryRow(
        kind=kind, kernel_type=kernel_type, kernel=kernel, lever=lever, strategy=clip(strategy, STRATEGY_LIMIT),
        reflection=clip(reflection, REFLECTION_LIMIT), gain=gain, campaign_id=campaign_id, candidate_id=candidate_id,
        at=now(),
    )  # fmt: skip
    s.add(row)
    s.flush()
    sql.run(
        s,
        "DELETE FROM memory WHERE kind = :kind AND kernel_type = :type AND ((id <> :id AND strategy ="
        " (SELECT strategy FROM memory WHERE id = :id)) OR id NOT IN (SELECT id FROM memory AS m WHERE m.kind = :kind"
        " AND m.kernel_type = :type AND (m.id = :id OR m.strategy <> (SELECT strategy FROM memory WHERE id = :id))"
        " ORDER BY CASE kind WHEN 'win' THEN coalesce(gain, -1e9) ELSE 0 END DESC, id DESC LIMIT :kept))",
        kind=kind, type=kernel_type, id=row.id, kept=kept,
    )  # fmt: skip
    return events.need_id(row.id)


def recall(s: Session, kernel_type: str, kind: str | None = None) -> list[MemoryRow]:
    """Newest first."""
    query = select(MemoryRow).where(MemoryRow.kernel_type == kernel_type)
    if kind is not None:
        query = query.where(MemoryRow.kind == kind)
    return list(s.exec(query.order_by(col(MemoryRow.id).desc())).all())
