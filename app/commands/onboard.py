"""`onboard`: learn a target from its documentation."""

from pathlib import Path
from typing import Annotated

import typer

from app.commands.check import TargetName
from app.commands.options import Home, Json, confirm, print_json
from app.home import home_folder
from app.settings import UsageError, load


def register(app: typer.Typer) -> None:
    app.command("onboard")(onboard)


def onboard(
    book: Annotated[
        Path | None, typer.Option(help="folder or file: Markdown, reStructuredText, HTML, notebooks, plain text")
    ] = None,
    target: TargetName = None,
    brain: Annotated[str, typer.Option(help="who reads: offline, anthropic, openai[:MODEL[@URL]]")] = "offline",
    auditor: Annotated[list[str] | None, typer.Option(help="a model that audits; may be given twice")] = None,
    usd: Annotated[float | None, typer.Option(min=0, help="the most in dollars, 0 = no limit")] = None,
    tokens: Annotated[int, typer.Option(min=0, help="the most in tokens, 0 = no limit")] = 0,
    yes: Annotated[bool, typer.Option("--yes", help="spend what it says without being asked")] = False,
    name: Annotated[str, typer.Option(help="name of the book; else that of the release before, or the folder's")] = "",
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Read a book on a target into sections and claims with citations; a newer release is compared with the one before.

    The target need not have a plug-in yet. A run that was cut short goes on where it was.
    """
    from app.onboarding import telling
    from app.onboarding.reading_models import drawing
    from app.onboarding.steps import Asked, onboard
    from store.engine import Store

    if book is None:
        raise UsageError(
            "onboard: give --book DIR; what is measured comes with ./run.sh knowledge facts --measure, "
            "what compilers refuse with ./run.sh knowledge rules"
        )
    folder = home_folder(home)
    settings = load(folder, {})
    draw, cost = drawing(settings, brain, auditor or (), usd, tokens)
    confirm(cost, yes=yes)
    asked = Asked(book, target or settings.target, brain, name)
    with Store.open(folder) as store:
        view = onboard(store, asked, lambda line: telling.echo(line, err=True), draw)
    if as_json:
        print_json(telling.as_json(view))
    else:
        telling.echo(telling.text(view))
