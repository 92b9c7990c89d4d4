"""What a campaign is doing, as text or JSON: status, agents, filings, tree, events."""

import time
from typing import Annotated

import typer

from app.commands.options import CampaignId, Home, Json, campaign_of, open_store, print_json
from app.launch import engine_is_alive
from app.settings import UsageError


def register(app: typer.Typer) -> None:
    for command in (status, agents, filings, tree, events):
        app.command(command.__name__)(command)


def status(campaign: CampaignId = None, home: Home = None, as_json: Json = False) -> None:
    """The campaign at a glance: per kernel baseline, head, ledger speedup, times peak; what models cost."""
    from app.spent_text import spending_lines
    from app.text import status_text, toolchain_lines
    from store import reads
    from store.reads.model_views import spending

    with open_store(home) as store:
        number, alive = campaign_of(store, campaign), engine_is_alive(store.home)
        if as_json:
            print_json(
                store.read_sync(
                    lambda s: {**reads.summary(s, number), **reads.trust(s, number), **spending(s, number, alive=alive)}
                )
            )
            return
        typer.echo(status_text(store.read_sync(lambda s: reads.overview(s, number))))
        for line in toolchain_lines(store.read_sync(lambda s: reads.toolchain_changes(s, number))):
            typer.echo(line)
        for line in spending_lines(store.read_sync(lambda s: spending(s, number, alive=alive)).get("models", {})):
            typer.echo(line)


def agents(campaign: CampaignId = None, home: Home = None, as_json: Json = False) -> None:
    """Every role with its state and its last step."""
    from app.text import agents_text
    from store import reads, shapes

    with open_store(home) as store:
        number = campaign_of(store, campaign)
        views = store.read_sync(lambda s: reads.agents(s, number))
        if as_json:
            print_json(shapes.agents(views))
        else:
            typer.echo(agents_text(views, time.time()))


def filings(
    campaign: CampaignId = None,
    kernel: Annotated[str, typer.Option(help="only this kernel")] = "",
    every: Annotated[bool, typer.Option("--all", help="of every campaign of this home, imported ones too")] = False,
    home: Home = None,
    as_json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="print a CSV table on stdout")] = False,
) -> None:
    """Every promotion, submission and imported filing, newest last."""
    from app.filings_out import to_csv
    from app.text import filings_text
    from store import reads, shapes

    _refuse_both(("--json", as_json), ("--csv", as_csv))
    _refuse_both(("--all", every), ("--campaign", campaign is not None))
    with open_store(home) as store:
        number = None if every else campaign_of(store, campaign)
        views = [v for v in store.read_sync(lambda s: reads.filings(s, number)) if not kernel or v.kernel == kernel]
    if as_json:
        print_json(shapes.filings(views))
    else:
        typer.echo(to_csv(views).rstrip("\n") if as_csv else filings_text(views))


def _refuse_both(one: tuple[str, bool], other: tuple[str, bool]) -> None:
    if one[1] and other[1]:
        raise UsageError(f"{one[0]} and {other[0]} contradict each other; give one of them")


def tree(kernel: str, campaign: CampaignId = None, home: Home = None, as_json: Json = False) -> None:
    """The Design Trees of one kernel."""
    from app.text import tree_text
    from store import reads, shapes

    name = kernel.rpartition("/")[2]
    with open_store(home) as store:
        number = campaign_of(store, campaign)
        nodes = store.read_sync(lambda s: reads.tree(s, number, name))
        if not nodes:
            known = [k.name for k in store.read_sync(lambda s: reads.overview(s, number)).kernels]
            raise UsageError(f"no kernel {kernel!r} in campaign {number}; it has {', '.join(known)}")
        if as_json:
            gates = store.read_sync(lambda s: reads.gates_of(s, number, name))
            races = store.read_sync(lambda s: reads.races(s, number, name))
            print_json(shapes.tree(name, nodes, gates, races))
        else:
            typer.echo(tree_text(nodes))


def events(
    campaign: CampaignId = None,
    follow: Annotated[bool, typer.Option("--follow", help="go on until interrupted")] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """The event feed, one line (or one JSON object) an event."""
    import sys

    from app.plain import write_all
    from app.store_source import StoreSource

    with open_store(home) as store:
        number, folder = campaign_of(store, campaign), store.home
    source = StoreSource.opened(folder, campaign=number)
    try:
        write_all(source, sys.stdout, as_json=as_json, following=follow)
    except KeyboardInterrupt:
        return
    finally:
        source.close()
