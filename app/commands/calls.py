"""`calls`: every request to a model, with its tokens, its cost and how it ended."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from app.commands.options import CampaignId, Home, Json, campaign_of, open_store, print_json
from app.launch import engine_is_alive

if TYPE_CHECKING:
    from store.call_views import CallView
    from store.engine import Store
    from store.said_views import SaidView


LONGEST: Final = 1 << 20
"""Characters of a line that are printed."""


def register(app: typer.Typer) -> None:
    app.command("calls")(calls)


def calls(
    campaign: CampaignId = None,
    agent: Annotated[str | None, typer.Option(help="only this agent")] = None,
    script: Annotated[
        Path | None, typer.Option(help="write what the models answered as a file for scripted:FILE")
    ] = None,
    transcript: Annotated[
        bool, typer.Option("--transcript", help="all that was said to the models and by them, instead")
    ] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Every request to a model: tokens, dollars, seconds, how it ended; by model at the end."""
    from dataclasses import asdict

    from app.spent_text import spending_lines
    from app.text import table
    from store.call_views import calls as rows_of
    from store.reads.model_views import spending

    with open_store(home) as store:
        number, alive = campaign_of(store, campaign), engine_is_alive(store.home)
        found = store.read_sync(lambda s: rows_of(s, number, agent=agent, alive=alive))
        whole = store.read_sync(lambda s: spending(s, number, alive=alive)).get("models", {})
        if script is not None:
            script.write_text(_script(found, store), encoding="utf-8")
        said = _said(store, number, found) if transcript else []
    if transcript:
        _print_said(said, as_json=as_json)
        return
    if as_json:
        print_json({"calls": [asdict(c) for c in found], **whole})
        return
    header = ("id", "UTC", "agent", "kernel", "model", "in", "out", "cost", "took", "retries", "ended", "")
    typer.echo(table(header, [_row(c) for c in found]) if found else "no model was asked in this campaign")
    for line in spending_lines(whole):
        typer.echo(line)


def _row(c: "CallView") -> list[str]:
    at = time.strftime("%H:%M:%S", time.gmtime(c.started_at))
    cost = "price unknown" if c.usd is None and c.state == "done" else f"${c.usd or 0:.4f}"
    ended = c.label if c.state != "done" else c.stop
    tokens = c.input_tokens + c.cache_read_tokens + c.cache_write_tokens
    return [str(c.id), at, c.agent, c.kernel, c.model, f"{tokens:,}", f"{c.output_tokens:,}", cost,
            f"{c.seconds:.1f} s", str(c.retries), ended, c.reason[:80]]  # fmt: skip


def _said(store: "Store", campaign: int, found: "Sequence[CallView]") -> "list[tuple[str, SaidView]]":
    """With who asked, agent by agent in the order in which they began."""
    from store.reads.transcript_view import transcript

    read, asking = store.artefacts.read_text, dict.fromkeys(call.agent for call in found)
    return [
        (agent, part)
        for agent in asking
        for part in store.read_sync(lambda s, a=agent: transcript(s, campaign, a, read, len(found)))
    ]


def _print_said(said: "Sequence[tuple[str, SaidView]]", *, as_json: bool) -> None:
    from dataclasses import asdict

    from app.sanitise import clean

    if as_json:
        print_json({"said": [{"agent": agent, **asdict(part)} for agent, part in said]})
        return
    for agent, part in said:
        typer.echo(f"-- {agent}, request {part.call}, {clean(part.model)}: {part.who}")
        for line in part.text.splitlines():
            typer.echo(clean(line, LONGEST))
    if not said:
        typer.echo("no model was asked in this campaign")


def _script(found: "Sequence[CallView]", store: "Store") -> str:
    """The answers of each brief, in the order in which they began."""
    from roles.brains.scripted import script_of
    from roles.brains.talk import Turn

    briefs: dict[tuple[str, int | None], list[Turn]] = {}
    for call in found:
        turns = briefs.setdefault((call.agent, call.brief_id), [])
        if call.reply:
            turns.append(Turn.from_json(store.artefacts.read_text(call.reply)))
    return script_of(list(briefs.values()))
