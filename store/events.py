"""The append-only feed of what happened."""

from typing import Any

from sqlalchemy import insert
from sqlmodel import Session

from store.clock import now
from store.tables import EventRow
from store.text import clip

TEXT_LIMIT = 4000


def append(s: Session, campaign_id: int | None, kind: str, subject: str, text: str = "", **data: Any) -> int:
    """One event, in the caller's transaction; returns its id. kind: a word to filter by; subject: who or what."""
    s.flush()  # what the event speaks of is there before it
    values = {
        "campaign_id": campaign_id, "at": now(), "kind": kind, "subject": clip(subject, 400),
        "text": clip(text, TEXT_LIMIT), "data": data,
    }  # fmt: skip
    key = s.connection().execute(insert(EventRow), values).inserted_primary_key
    return need_id(None if key is None else int(key[0]))


def need_id(value: int | None) -> int:
    """The key that the database gave. Raises: ValueError when the row was not flushed."""
    if value is None:
        raise ValueError("a row has its id only after a flush")
    return value
