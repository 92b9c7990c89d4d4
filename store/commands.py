"""The command table: every intervention of a person or a program, from any process."""

from collections.abc import Mapping
from typing import Any

from sqlmodel import Session, col, select

from store import events
from store.clock import now
from store.errors import StoreError
from store.tables import CommandRow
from store.text import clip

FINAL = ("done", "refused")
CLOSED = (*FINAL, "interrupted")
STALE = "queued before this engine started"


def enqueue(s: Session, actor: str, verb: str, target: str = "", args: Mapping[str, Any] | None = None) -> int:
    """Returns the command's id; the engine takes it within a moment."""
    row = CommandRow(at=now(), actor=actor, verb=verb, target=target, args=dict(args or {}))
    s.add(row)
    s.flush()
    command_id = events.need_id(row.id)
    events.append(s, None, "command", verb, f"{actor}: {verb} {target}".rstrip(), command=command_id, state="queued")
    return command_id


def take_next(s: Session) -> CommandRow | None:
    """The oldest queued command, marked as taken; None when there is none."""
    row = s.exec(select(CommandRow).where(CommandRow.state == "queued").order_by(col(CommandRow.id)).limit(1)).first()
    if row is not None:
        row.state, row.taken_at = "taken", now()
        s.add(row)
        s.flush()
    return row


def say(s: Session, command_id: int, text: str) -> None:
    """What a taken command waits for; stands as its result until it is finished. Raises: StoreError when it is not
    taken."""
    row = get(s, command_id)
    if row.state != "taken":
        raise StoreError(f"say of command {command_id} what it waits for", f"it is {row.state}", "Take it first")
    row.result = clip(text, 4000)
    s.add(row)
    said = f"{row.verb} {row.target}".rstrip()
    events.append(s, None, "command", row.verb, f"{said}: {text}", command=command_id, state="taken")


def finish(s: Session, command_id: int, state: str, result: str = "") -> None:
    """state: done or refused. Raises: StoreError for another, or when it is finished already."""
    row = get(s, command_id)
    if state not in FINAL or row.state in CLOSED:
        raise StoreError(f"finish command {command_id} as {state}", f"it is {row.state}", "Finish it once")
    row.state, row.result, row.finished_at = state, clip(result, 4000), now()
    s.add(row)
    said = "" if result.startswith(("{", "[")) else result  # JSON is for whoever asked: other events tell the rest
    text = f"{state} {row.verb} {row.target}".rstrip() + (f": {said}" if said else "")
    events.append(s, None, "command", row.verb, text, command=command_id, state=state)


def close_stale(s: Session, owned_since: float) -> int:
    """Close what was meant for a former engine: queued before this one got the lock, or taken and never answered.

    Returns how many. owned_since: UTC seconds.
    """
    open_rows = select(CommandRow).where(col(CommandRow.state).in_(("queued", "taken")), CommandRow.at < owned_since)
    rows = s.exec(open_rows.order_by(col(CommandRow.id))).all()
    for row in rows:
        row.state, row.result, row.finished_at = "interrupted", STALE, now()
        s.add(row)
        text = f"interrupted {row.verb} {row.target}".rstrip()
        events.append(s, None, "command", row.verb, f"{text}: {STALE}", command=row.id, state="interrupted")
    return len(rows)


def get(s: Session, command_id: int) -> CommandRow:
    """Raises: StoreError when there is none."""
    row = s.get(CommandRow, command_id)
    if row is None:
        raise StoreError(f"find command {command_id}", "there is none", "Take its id from enqueue")
    return row
