"""`onboard`: learn a target from its documentation, or from the machine itself."""

from pathlib import Path
from typing import Annotated

import typer

from app.commands.check import PackName, TargetName
from app.commands.options import Home, Json, confirm, print_json
from app.home import home_folder, workspace_folder
from app.settings import load


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
    pack: PackName = None,
    readings: Annotated[int, typer.Option(min=3, max=99, help="of each fact, without a book")] = 7,
    name: Annotated[str, typer.Option(help="name of the book; else that of the release before, or the folder's")] = "",
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Read a book on a target into sections and claims with citations; a newer release is compared with the one before.

    The target need not have a plug-in yet. Without a book: measure its facts, try its rules, analyse the baselines of a
    pack, build its cheat sheet. A run that was cut short goes on where it was.
    """
    from app.onboarding import telling
    from app.onboarding.reading_models import drawing
    from app.onboarding.steps import Asked, onboard, runs_on
    from store.engine import Store
    from store.toolchain import book_text

    folder = home_folder(home)
    settings = load(folder, {} if pack is None else {"pack": pack})
    if book is None:
        _learn(folder, target or settings.target, settings.pack, readings, as_json=as_json)
        return
    draw, cost = drawing(settings, brain, auditor or (), usd, tokens)
    confirm(cost, yes=yes)
    asked = Asked(book, target or settings.target, brain, name)
    with Store.open(folder) as store:
        known = store.read_sync(lambda s: book_text(s, asked.target))
        view = onboard(store, asked, lambda line: telling.echo(line, err=True), draw)
        if store.read_sync(lambda s: book_text(s, asked.target)) != known and runs_on(store, asked.target):
            telling.echo("the campaign that runs pauses, looks every claim up and goes on: `status` tells", err=True)
    if as_json:
        print_json(telling.as_json(view))
    else:
        telling.echo(telling.text(view))


def _learn(folder: Path, name: str, pack: str, readings: int, *, as_json: bool) -> None:
    """Exit 1 when a fact could not be measured that this machine has the features for."""
    from app.onboarding import machine
    from kernels.packs.loader import load_pack
    from kernels.targets.registry import get_target

    target, found = get_target(name, folder / "cache"), load_pack(pack, workspace_folder())
    say = lambda line: typer.echo(line, err=True)  # noqa: E731
    learned = machine.learn(folder, target, found, workspace_folder(), say, readings)
    if as_json:
        print_json(machine.as_json(learned, target))
    else:
        typer.echo(machine.text(learned, target))
    raise typer.Exit(0 if learned.whole else 1)
