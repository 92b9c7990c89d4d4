"""`experiment FILE`: the same search under several settings, again and again, and what that shows; `leaderboard`."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.options import Also, Home, Json, campaign_of, open_store, open_stores, print_json
from app.home import home_folder, workspace_folder
from app.settings import UsageError

if TYPE_CHECKING:
    from kernels.judge.again import Recorded


def register(app: typer.Typer) -> None:
    app.command("experiment")(experiment)
    app.command("leaderboard")(leaderboard)


def experiment(
    file: Annotated[Path | None, typer.Argument(help="TOML file with arms, trajectories, budget")] = None,
    positions: Annotated[
        int | None, typer.Option(min=1, help="candidates a trajectory, in place of the budget")
    ] = None,
    trajectories: Annotated[int | None, typer.Option(min=1, help="trajectories of each arm")] = None,
    plan: Annotated[bool, typer.Option("--plan", help="only say what it would take")] = False,
    new: Annotated[bool, typer.Option("--new", help="run it again although its figures are there")] = False,
    idle_too: Annotated[
        bool, typer.Option("--idle-too", help="run arms that cannot matter as well: they show the noise")
    ] = False,
    replay: Annotated[
        bool, typer.Option("--replay", help="judge recorded candidates of this home again under other rules; no FILE")
    ] = False,
    campaign: Annotated[list[int] | None, typer.Option(help="only of this campaign, with --replay; repeatable")] = None,
    also: Also = None,
    yes: Annotated[bool, typer.Option("--yes", help="spend on models without asking")] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Run the trajectories of all arms, measure their heads in one block, compare; without FILE list what there is."""
    from app.experiment import steps

    if replay and file is not None:
        raise UsageError("--replay reads what this home has recorded; leave out the file")
    of_file = {
        "--positions": positions, "--trajectories": trajectories, "--plan": plan, "--new": new,
        "--idle-too": idle_too, "--yes": yes,
    }  # fmt: skip
    _fits({} if file else of_file, "only with the FILE of an experiment")
    _fits({} if replay else {"--campaign": campaign, "--also": also}, "only with --replay")
    folder = home_folder(home)
    if file is None:
        if replay:
            _replay(home, campaign, also, as_json=as_json)
        else:
            _list(home, as_json=as_json)
        return
    asked = steps.Asked(
        file, folder, workspace_folder(), positions, trajectories, new=new, yes=yes, only_plan=plan, idle_too=idle_too,
        say=lambda text: typer.echo(text, err=as_json),
    )  # fmt: skip
    found = steps.run(asked)
    if as_json:
        print_json(found)
    elif not plan:
        typer.echo(steps.text(found))


def _fits(options: Mapping[str, object], why: str) -> None:
    """Raises: UsageError for options that were given and would do nothing."""
    given = [name for name, value in options.items() if value]
    if given:
        raise UsageError(f"{', '.join(given)}: {why}")


def _replay(home: Path | None, campaigns: list[int] | None, also: list[Path] | None, *, as_json: bool) -> None:
    from app.experiment import again
    from store.reads.again_view import recorded

    if campaigns is not None and also is not None:
        raise UsageError("--campaign is a number of one home; leave out --also, or replay all campaigns")
    known: list[Recorded] = []
    for store in open_stores(home, also).values():
        with store:
            for number in campaigns or ():
                campaign_of(store, number)
            known += store.read_sync(lambda s: recorded(s, campaigns))
    found = again.judged(known)
    if as_json:
        print_json(found)
    else:
        typer.echo(again.text(found))


def leaderboard(home: Home = None, also: Also = None, as_json: Json = False) -> None:
    """Campaigns of this home by their ledger, ranked where they measured the same thing."""
    from app import board
    from store.reads import board_view

    rows: list[board_view.BoardRow] = []
    for folder, store in open_stores(home, also).items():
        with store:
            rows += [replace(row, home=folder) for row in store.read_sync(board_view.board)]
    groups = board.ranked(rows)
    if as_json:
        print_json({"groups": groups})
    else:
        typer.echo(board.text(groups))


def _list(home: Path | None, *, as_json: bool) -> None:
    from app.experiment import told
    from store import experiments

    with open_store(home) as store:
        rows = store.read_sync(experiments.listing)
    if as_json:
        print_json({"experiments": [row.model_dump(exclude={"plan"}) for row in rows]})
    elif not rows:
        raise UsageError("no experiment yet; give a file, e.g. kernels/packs/axpy_gemv/ablation.toml")
    else:
        typer.echo(told.listing(rows))
