"""What became of the records of a toolchain change: which are due, what those that were tried came to, how many."""

from typing import cast

from sqlmodel import Session, col, select

from knowledge.recheck import Kind, Outcome, Record, counted
from store import sql
from store.tables import RecheckRow


def due(s: Session, change_id: int, kind: Kind) -> list[Record]:
    """Records of this kind that were not tried yet."""
    query = select(RecheckRow).where(
        RecheckRow.change_id == change_id, RecheckRow.kind == kind, RecheckRow.outcome == ""
    )
    return [Record(kind, row.record, row.was) for row in s.exec(query.order_by(col(RecheckRow.id))).all()]


def outcomes(s: Session, change_id: int, kind: Kind) -> dict[str, Outcome]:
    """What became of each record of this kind that was tried, by its name, in the order in which they were marked."""
    query = select(RecheckRow).where(
        RecheckRow.change_id == change_id, RecheckRow.kind == kind, RecheckRow.outcome != ""
    )
    return {row.record: cast("Outcome", row.outcome) for row in s.exec(query.order_by(col(RecheckRow.id))).all()}


def counts_of(s: Session, change_id: int) -> dict[Kind, dict[Outcome, int]]:
    """Of what was tried."""
    found = sql.rows(s, "SELECT kind, outcome FROM recheck WHERE change_id = :change AND outcome <> ''",
                     change=change_id)  # fmt: skip
    return counted((cast("Kind", r["kind"]), cast("Outcome", r["outcome"])) for r in found)


def heads_of(s: Session, change_id: int) -> dict[str, str]:
    """What became of each head that was tried, by candidate: "" when it stands, else why it fell."""
    found = sql.rows(
        s,
        "SELECT p.candidate_id AS candidate, r.outcome, r.reason FROM recheck AS r JOIN promotion AS p"
        " ON p.id = CAST(r.record AS INTEGER) WHERE r.change_id = :change AND r.kind = 'head'"
        " AND r.outcome IN ('re_verified', 'rewritten', 'retired') ORDER BY r.id",
        change=change_id,
    )
    return {r["candidate"]: (r["reason"] or "no reason given") if r["outcome"] == "retired" else "" for r in found}


def candidate_of(s: Session, record: Record) -> str:
    """That a filing or a memory rests on; "" when it rests on none."""
    table = {"filing": "filing", "memory": "memory"}[record.kind]
    return str(sql.scalar(s, f"SELECT candidate_id FROM {table} WHERE id = :id", id=int(record.name)) or "")
