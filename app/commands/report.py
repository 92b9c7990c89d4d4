"""`report`: one document of a campaign that a person can send."""

import time
from pathlib import Path
from typing import Annotated

import typer

from app.commands.options import CampaignId, Home, campaign_of, open_store
from app.settings import UsageError


def register(app: typer.Typer) -> None:
    app.command("report")(report)


def report(
    form: Annotated[str, typer.Option("--format", help="html, md or json")] = "html",
    out: Annotated[Path | None, typer.Option(help="file to write; else stdout")] = None,
    campaign: CampaignId = None,
    home: Home = None,
) -> None:
    """Result, steps, failures, cheats, noise, costs and environment, each figure with its event; exit code 1 while
    nothing was measured against a baseline."""
    from app.report.gather import gather
    from app.report.render import FORMATS, render

    if form not in FORMATS:
        raise UsageError(f"format {form!r}: there is none of that name; formats: {', '.join(FORMATS)}")
    with open_store(home) as store:
        number = campaign_of(store, campaign)
        found = store.read_sync(lambda s: gather(s, number, time.time()))
    text = render(found, form)
    if out is None:
        typer.echo(text, nl=False)
    else:
        _write(out, text)
        typer.echo(f"{out}: report of campaign {number}, {len(text.encode())} bytes", err=True)
    if not found.measured:
        typer.echo(f"campaign {number} has no ledger entry yet: the report has no speedup", err=True)
        raise typer.Exit(1)


def _write(path: Path, text: str) -> None:
    from app.files_out import write_whole

    try:
        write_whole(path, text)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}; name a file in a folder that is there") from error
