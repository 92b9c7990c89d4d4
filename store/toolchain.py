"""Toolchain changes of a campaign: opened with every record marked stale, settled record by record, closed with counts.

Opening, each settlement and closing are one transaction each, with their event; what a crash leaves open is found again
by `open_change`.
"""

from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, select

from kernels.values.fingerprint import Fingerprint
from knowledge.recheck import Counts, Kind, Record, Settled, told
from store import books, campaigns, events, marking, sql
from store.clock import now
from store.errors import StoreError
from store.rechecked import counts_of
from store.tables import RecheckRow, ToolchainChangeRow


@dataclass(frozen=True, slots=True)
class Change:
    """former, present: fingerprints. new_book: a release of a book came. was_paused: somebody had paused the campaign
    before it. at: UTC seconds."""

    id: int
    campaign: int
    target: str
    former: str
    present: str
    text: str
    new_book: bool
    was_paused: bool
    at: float


def toolchain_text(of: Fingerprint) -> str:
    """`gcc (Debian 12.2.0-14) 12.2.0, 2 threads`."""
    return f"{of.compiler_version}, {of.threads} threads"


def book_text(s: Session, target: str) -> str:
    """The newest finished release of each of the target's books: `furiosa-opt 2026-08-17`."""
    return "; ".join(name for name, _ in books.newest(s, target))


def arrived(s: Session, change_id: int) -> list[books.Release]:
    """Releases that came with it."""
    row = _row(s, change_id)
    known = row.former_book.split("; ")
    return [one for name, one in books.newest(s, row.target) if name not in known]


def differs(s: Session, campaign_id: int, present: Fingerprint) -> str:
    """What changed since the campaign last looked, in words; "" when nothing did."""
    row = campaigns.get(s, campaign_id)
    book = book_text(s, row.target)
    found = []
    if present.id != row.fingerprint:
        was, is_now = f"{row.device}, {row.toolchain}", f"{present.device}, {toolchain_text(present)}"
        same = f"{is_now}: the same by name, {row.fingerprint} is {present.id} now"
        found.append(f"{was} is {is_now} now" if was != is_now else same)
    if book != row.book:
        found.append(f"documentation: {row.book or 'none'} is {book or 'none'} now")
    return " and ".join(found)


def start(s: Session, campaign_id: int, present: Fingerprint, *, was_paused: bool = False) -> Change | None:
    """Pause the campaign under its new toolchain and mark every record stale; None when nothing differs.

    A change that was still being re-checked is superseded: what it left open is open in the new one.
    """
    text = differs(s, campaign_id, present)
    if not text:
        return None
    row, before = campaigns.get(s, campaign_id), open_change(s, campaign_id)
    made = ToolchainChangeRow(
        campaign_id=campaign_id, target=row.target, former=row.fingerprint, present=present.id, former_book=row.book,
        present_book=book_text(s, row.target), text=text,
        was_paused=was_paused if before is None else before.was_paused, at=now(),
    )  # fmt: skip
    s.add(made)
    row.fingerprint, row.toolchain, row.device = present.id, toolchain_text(present), present.device
    row.book, row.state = made.present_book, "paused"
    s.add(row)
    s.flush()
    was = {} if before is None else _superseded(s, before.id, made.id)
    records = [Record(r.kind, r.name, was.get((r.kind, r.name), r.was)) for r in marking.mark(s, made)]
    s.add_all(RecheckRow(change_id=made.id, kind=r.kind, record=r.name, was=r.was) for r in records)
    counts = {kind: sum(r.kind == kind for r in records) for kind in dict.fromkeys(r.kind for r in records)}
    marked = ", ".join(f"{n} {kind}" for kind, n in counts.items()) or "no record"
    events.append(
        s, campaign_id, "toolchain", row.target, f"paused: {text}; marked stale: {marked}", state="paused",
        change=made.id, former=made.former, present=made.present, marked=counts,
    )  # fmt: skip
    return _change(made)


def open_change(s: Session, campaign_id: int) -> Change | None:
    """The one that is being re-checked."""
    query = select(ToolchainChangeRow).where(
        ToolchainChangeRow.campaign_id == campaign_id, ToolchainChangeRow.state == "rechecking"
    )
    row = s.exec(query).first()
    return None if row is None else _change(row)


def settle(s: Session, change_id: int, settled: Settled) -> None:
    """What became of one record, and its new state. A record that was not marked, as a head that another one fell back
    to, is added."""
    of = settled.record
    row = s.exec(
        select(RecheckRow).where(
            RecheckRow.change_id == change_id, RecheckRow.kind == of.kind, RecheckRow.record == of.name
        )
    ).first() or RecheckRow(change_id=change_id, kind=of.kind, record=of.name, was=of.was)
    row.outcome, row.reason, row.at = settled.outcome, settled.reason[:2000], now()
    s.add(row)
    marking.apply(s, _row(s, change_id), settled)


def note(s: Session, change_id: int, text: str) -> None:
    """Something that a reader of the counts has to know. Said again, it stands there once."""
    row = _row(s, change_id)
    row.notes = [*(known for known in row.notes if known != text), text]
    s.add(row)


def say(s: Session, change_id: int, kind: Kind, text: str = "") -> None:
    """One event with the counts of a kind that is done; none where it was said before. text: what else is to be
    said."""
    row = _row(s, change_id)
    counts = {known: of for known, of in counts_of(s, change_id).items() if known == kind}
    if counts and not _was_said(s, change_id, kind):
        said = f"{told(counts)}{'; ' if text else ''}{text}"
        events.append(s, row.campaign_id, "recheck", kind, said, change=change_id, counts=counts[kind])


def _was_said(s: Session, change_id: int, kind: Kind) -> bool:
    """By an engine that ended before the whole re-check did."""
    found = sql.scalar(
        s,
        "SELECT count(*) FROM event WHERE kind = 'recheck' AND subject = :kind"
        " AND json_extract(data, '$.change') = :change",
        kind=kind, change=change_id,
    )  # fmt: skip
    return bool(found)


def finish(s: Session, change_id: int) -> Counts:
    """Close it. Raises: StoreError while a record is open."""
    row = _row(s, change_id)
    left = sql.scalar(s, "SELECT count(*) FROM recheck WHERE change_id = :change AND outcome = ''", change=change_id)
    if left:
        raise StoreError(f"close toolchain change {change_id}", f"{left} records are open", "Settle each of them")
    row.state, row.finished_at = "done", now()
    s.add(row)
    counts = counts_of(s, change_id)
    events.append(
        s, row.campaign_id, "toolchain", row.target, f"re-checked: {told(counts)}", state="done", change=change_id,
        counts=counts, notes=list(row.notes),
    )  # fmt: skip
    return counts


def _superseded(s: Session, old: int, new: int) -> dict[tuple[Any, str], str]:
    """States that the open records of a change had before it."""
    row = _row(s, old)
    row.state, row.finished_at, row.notes = "superseded", now(), [*row.notes, f"superseded by change {new}"]
    s.add(row)
    found = sql.rows(s, "SELECT kind, record, was FROM recheck WHERE change_id = :change AND outcome = ''", change=old)
    return {(r["kind"], r["record"]): r["was"] for r in found}


def _row(s: Session, change_id: int) -> ToolchainChangeRow:
    row = s.get(ToolchainChangeRow, change_id)
    if row is None:
        raise StoreError(f"find toolchain change {change_id}", "there is none", "Look at the events")
    return row


def _change(row: ToolchainChangeRow) -> Change:
    return Change(
        row.id, row.campaign_id, row.target, row.former, row.present, row.text, row.former_book != row.present_book,
        row.was_paused, row.at,
    )  # fmt: skip
