"""`task`: write to the agents of a live campaign, and read what came back."""

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from app.commands.options import CampaignId, Home, Json, campaign_of, open_store, print_json
from app.commands.steer import send
from app.settings import UsageError

STDIN = "-"


def register(app: typer.Typer) -> None:
    app.command("task")(task)


def task(
    file: Annotated[
        str, typer.Argument(help="a file of words, or - for standard input; without one: what was written")
    ] = "",
    to: Annotated[
        str, typer.Option(help="an agent, a role, a kernel or all; else what its first line `to:` says")
    ] = "",
    campaign: CampaignId = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Write to an agent, a role or whoever works on a kernel; without a file list the messages with their answers."""
    if not file:
        _listed(home, campaign, as_json=as_json)
        return
    text, path = _read(file)
    raise typer.Exit(send(home, "task", to, {"text": text, "file": path}, as_json))


def _read(file: str) -> tuple[str, str]:
    """The words, and the file that they are from. Raises: UsageError."""
    if file == STDIN:
        return str(sys.stdin.read()), ""
    path = Path(file)
    try:
        return path.read_text(encoding="utf-8", errors="replace"), str(path.resolve())
    except OSError as error:
        raise UsageError(
            f"cannot read {file}: {error.strerror}; give a file with words, or - for standard input"
        ) from error


def _listed(home: Path | None, number: int | None, *, as_json: bool) -> None:
    from dataclasses import asdict

    from store import messages

    with open_store(home) as store:
        chosen = campaign_of(store, number)
        found = store.read_sync(lambda s: messages.listing(s, chosen))
    if as_json:
        print_json({"messages": [asdict(one) for one in found]})
        return
    for one in found:
        at = time.strftime("%H:%M:%S", time.gmtime(one.at))
        typer.echo(f"{one.id}  {at}  {one.actor} to {one.recipient}, {one.state}: {one.text}")
        if one.answer:
            typer.echo(f"   {one.answered_by or 'nobody'}: {one.answer}")
    if not found:
        typer.echo("nothing was written to the agents of this campaign; `task FILE` does")
