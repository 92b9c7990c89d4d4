"""The owners' notebooks: append-only notes on a kernel, kept as events."""

from dataclasses import dataclass

from sqlmodel import Session

from store import events
from store.reads.feed_views import events_of

KIND = "note"


@dataclass(frozen=True, slots=True)
class Note:
    """at: UTC seconds."""

    id: int
    at: float
    text: str
    author: str


def write(s: Session, campaign_id: int, kernel: str, text: str, *, author: str, node: int | None = None) -> int:
    return events.append(s, campaign_id, KIND, kernel, text, author=author, node=node)


def notes(s: Session, campaign_id: int, kernel: str, *, limit: int) -> tuple[Note, ...]:
    """The newest `limit` of a kernel, oldest of them first."""
    found = events_of(s, campaign_id, KIND, kernel, limit=limit)
    return tuple(Note(one.id, one.at, one.text, str(one.data["author"])) for one in found)
