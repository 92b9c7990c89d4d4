"""Options that every command takes, and how a command opens the store."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.home import home_folder
from app.settings import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from store.engine import Store

Home = Annotated[Path | None, typer.Option("--home", help="home folder; else KERNELWRIGHT_HOME, else the data folder")]
Json = Annotated[bool, typer.Option("--json", help="print one JSON object on stdout")]
CompilerName = Annotated[str, typer.Option("--compiler", help="name or path of the target's compiler")]
Also = Annotated[list[Path] | None, typer.Option("--also", help="another home to read as well; repeatable")]
CampaignId = Annotated[int | None, typer.Option("--campaign", help="campaign number; the latest when absent")]


def compiler_of(home: Path, given: str) -> str:
    """By the option, else by the settings; "" for the target's own choice. Raises: UsageError."""
    from app.settings import load

    return load(home, {"compiler": given} if given else {}).compiler


def open_store(home: Path | None) -> "Store":
    """The store of an existing home. Raises: UsageError when there is none."""
    from store.engine import DATABASE, Store

    folder = home_folder(home)
    if not (folder / DATABASE).is_file():
        raise UsageError(f"no campaign yet in {folder}: asked for {DATABASE}, found none; start one with ./run.sh")
    return Store.open(folder)


def open_stores(home: Path | None, also: "Sequence[Path] | None") -> "dict[str, Store]":
    """This home's store, then those of other homes, by folder; one that is named twice is opened once.

    Raises: UsageError when one has none.
    """
    folders = dict.fromkeys(home_folder(one).resolve() for one in (home, *(also or ())))
    return {str(folder): open_store(folder) for folder in folders}


def campaign_of(store: "Store", number: int | None) -> int:
    """The asked-for or latest campaign. Raises: UsageError."""
    from store import campaigns

    found = store.read_sync(lambda s: campaigns.get(s, number) if number is not None else campaigns.latest(s))
    if found is None:
        known = [c.id for c in store.read_sync(campaigns.listing)]
        raise UsageError(f"no campaign {number if number is not None else 'yet'}; known: {known or 'none'}")
    return found.id


def print_json(value: Any) -> None:
    typer.echo(json.dumps(value, indent=2, sort_keys=False, default=str))


def confirm(cost: str, *, yes: bool) -> None:
    """Says what models may cost, unless that is nothing; on a terminal it is asked, elsewhere --yes has to be given.

    Raises: UsageError.
    """
    if not cost:
        return
    if not yes and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(f"{cost}. There is no terminal to confirm it on: add --yes")
    typer.echo(cost, err=True)
    if not yes and not typer.confirm("Spend that?", err=True):
        raise UsageError("nothing was started; --brain offline costs nothing")
