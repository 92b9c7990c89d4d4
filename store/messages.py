"""What a person says to agents: who, when, to whom, who read it, and what came back."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select

from store import events
from store.clock import now
from store.errors import StoreError
from store.tables import MessageRow
from store.text import clip

TEXT_LIMIT = 20_000
ANSWER_LIMIT = 4_000
SHOWN = 160
OPEN = ("waiting", "read")


@dataclass(frozen=True, slots=True)
class MessageView:
    """One message as shown. Times are UTC seconds, None before it was read or answered."""

    id: int
    at: float
    actor: str
    recipient: str
    text: str
    file: str
    state: str
    reader: str
    read_at: float | None
    answer: str
    answered_by: str
    answered_at: float | None


def add(s: Session, campaign_id: int, *, actor: str, recipient: str, text: str, file: str = "") -> int:
    """Returns its id. Raises: StoreError for one without words."""
    if not text.strip():
        raise StoreError("keep a message", "it has no words", "Write some")
    row = MessageRow(
        campaign_id=campaign_id, at=now(), actor=actor, recipient=recipient, text=clip(text.strip(), TEXT_LIMIT),
        file=file,
    )  # fmt: skip
    s.add(row)
    s.flush()
    number = events.need_id(row.id)
    said = f"{actor} to {recipient}: {_first_line(row.text)}"
    events.append(s, campaign_id, "message", recipient, said, message=number, state="waiting", file=file)
    return number


def take(s: Session, campaign_id: int, names: Collection[str], reader: str) -> list[MessageView]:
    """Those to any of these names that nobody has read, oldest first; `reader` has now."""
    found = select(MessageRow).where(
        MessageRow.campaign_id == campaign_id, MessageRow.state == "waiting", col(MessageRow.recipient).in_(names)
    )
    rows = s.exec(found.order_by(col(MessageRow.id))).all()
    for row in rows:
        row.state, row.reader, row.read_at = "read", reader, now()
        s.add(row)
        said = f"{reader} reads message {row.id}"
        events.append(s, campaign_id, "message", row.recipient, said, message=row.id, state="read")
    return [_view(row) for row in rows]


def waiting(s: Session, campaign_id: int, names: Collection[str] | None = None) -> list[MessageView]:
    """Those that nobody has read, to any of these names or to anybody, oldest first."""
    found = select(MessageRow).where(MessageRow.campaign_id == campaign_id, MessageRow.state == "waiting")
    rows = s.exec(found.order_by(col(MessageRow.id))).all()
    return [_view(row) for row in rows if names is None or row.recipient in names]


def unanswered_of(s: Session, campaign_id: int, reader: str) -> bool:
    """Whether this agent has read any that it did not answer."""
    return any(row.reader == reader for row in _open(s, campaign_id))


def answer(s: Session, message_id: int, by: str, text: str) -> None:
    """Raises: StoreError when there is none that is open."""
    row = s.get(MessageRow, message_id)
    if row is None or row.state not in OPEN:
        found = "there is none" if row is None else f"it is {row.state}"
        raise StoreError(f"answer message {message_id}", found, "List them with `task`")
    _close(s, row, "answered", by, text)
    said = f"{by} to {row.actor}, message {row.id}: {clip(row.answer, 400)}"
    events.append(s, row.campaign_id, "message", row.recipient, said, message=row.id, state="answered")


def close_unanswered(s: Session, campaign_id: int, why: str, *, reader: str = "") -> int:
    """Those that nobody answered, or that this reader did not; returns how many. They are said, not forgotten."""
    rows = [row for row in _open(s, campaign_id) if not reader or row.reader == reader]
    for row in rows:
        _close(s, row, "closed", "", why)
        text = f"message {row.id} of {row.actor} to {row.recipient} is not answered: {why}"
        events.append(s, campaign_id, "attention", row.recipient, text, message=row.id, state="closed")
    return len(rows)


def listing(s: Session, campaign_id: int) -> list[MessageView]:
    """Oldest first."""
    found = select(MessageRow).where(MessageRow.campaign_id == campaign_id).order_by(col(MessageRow.id))
    return [_view(row) for row in s.exec(found).all()]


def _open(s: Session, campaign_id: int) -> Sequence[MessageRow]:
    found = select(MessageRow).where(MessageRow.campaign_id == campaign_id, col(MessageRow.state).in_(OPEN))
    return s.exec(found.order_by(col(MessageRow.id))).all()


def _close(s: Session, row: MessageRow, state: str, by: str, text: str) -> None:
    row.state, row.answered_by, row.answered_at, row.answer = state, by, now(), clip(text, ANSWER_LIMIT)
    s.add(row)
    s.flush()


def _first_line(text: str) -> str:
    return clip(text.strip().partition("\n")[0], SHOWN)


def _view(row: MessageRow) -> MessageView:
    return MessageView(
        events.need_id(row.id), row.at, row.actor, row.recipient, row.text, row.file, row.state, row.reader,
        row.read_at, row.answer, row.answered_by, row.answered_at,
    )  # fmt: skip
