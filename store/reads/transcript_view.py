"""What was said between one agent and its model: the newest requests, each by what was new in it, and their answers."""

import json
from collections.abc import Callable
from typing import Any

from sqlalchemy import RowMapping
from sqlmodel import Session

from store import sql
from store.errors import StoreError
from store.said_views import SaidView

CALLS = 8
Read = Callable[[str], str]


def transcript(s: Session, campaign_id: int, agent: str, read: Read, calls: int = CALLS) -> tuple[SaidView, ...]:
    """Of the newest requests, oldest first. read: the text of an artefact; one that is gone is said as such."""
    rows = sql.rows(
        s, "SELECT * FROM llm_call WHERE campaign_id = :campaign AND agent = :agent ORDER BY id DESC LIMIT :calls",
        campaign=campaign_id, agent=agent, calls=calls,
    )  # fmt: skip
    said: list[SaidView] = []
    for row in reversed(rows):
        said += [_view(row, who, text) for who, text in _asked(row["request"], read)]
        said += [_view(row, "the model", text) for text in _answered(row, read)]
    return tuple(said)


def _asked(request: str, read: Read) -> list[tuple[str, str]]:
    """What was added to the conversation since the answer before."""
    try:
        items = json.loads(read(request)).get("items", [])
        new: list[tuple[str, str]] = []
        for digest in reversed(items):
            ((kind, item),) = json.loads(read(digest)).items()
            if kind == "Answered":
                break
            new += reversed(_parts(kind, item))
        return list(reversed(new))
    except (StoreError, ValueError, KeyError, AttributeError) as error:
        return [("to the model", f"not readable: {error}")]


def _parts(kind: str, item: dict[str, Any]) -> list[tuple[str, str]]:
    if kind == "Results":
        return [("tool", str(result["text"])) for result in item["results"]]
    return [("to the model", str(item.get("text", "")))]


def _answered(row: RowMapping, read: Read) -> list[str]:
    if not row["reply"]:
        return [row["reason"] or ("no answer yet" if row["state"] == "open" else row["state"])]
    try:
        turn = json.loads(read(row["reply"]))
    except (StoreError, ValueError) as error:
        return [f"not readable: {error}"]
    calls = [f"{c['name']} {json.dumps(c['arguments'], ensure_ascii=False)}" for c in turn.get("calls", [])]
    return [text for text in (str(turn.get("text", "")), *calls) if text] or [str(turn.get("stop", ""))]


def _view(row: RowMapping, who: str, text: str) -> SaidView:
    tokens_in = row["input_tokens"] + row["cache_read_tokens"] + row["cache_write_tokens"]
    return SaidView(
        row["id"], row["started_at"], who, text, row["model"], row["state"], tokens_in, row["output_tokens"],
        row["usd"],
    )  # fmt: skip
