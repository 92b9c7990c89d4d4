"""`accept`: one acceptance test with its confirmation. Exit 0 only on a confirmed FASTER."""

from typing import Annotated

import typer

from app.commands.check import File, Flags, Kernel, PackName, TargetName, _say
from app.commands.options import Home, Json, print_json
from app.home import home_folder, workspace_folder
from app.settings import UsageError


def register(app: typer.Typer) -> None:
    app.command("accept")(accept)


def accept(
    kernel: Kernel,
    file: File,
    rule: Annotated[str | None, typer.Option(help="paired; paper, margin and mean only to compare")] = None,
    against: Annotated[
        str, typer.Option(help="head (of the campaign in this home, else the baseline), or baseline")
    ] = "head",
    again: Annotated[
        bool, typer.Option("--again", help="test again what was judged already; counts as one more test")
    ] = False,
    pack: PackName = None,
    target: TargetName = None,
    flag: Flags = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Measure one file against the head in coin-flip pairs until the judge decides, and confirm with fresh pairs."""
    from app.verdict.asked import candidate_of, resolve
    from app.verdict.heads import AGAINST
    from app.verdict.steps import run_accept
    from app.verdict.told import verdict_text

    if against not in AGAINST:
        raise UsageError(f"--against {against!r}: known are {', '.join(AGAINST)}")
    asked = resolve(home_folder(home), workspace_folder(), kernel, pack=pack, target=target, rule=rule)
    candidate = candidate_of(asked, file, tuple(flag or ()))
    _say(as_json)(asked.spec.judged_by)
    found = run_accept(asked, candidate, _say(as_json), against=against, again=again)
    if as_json:
        print_json({**found, "file": str(file), "reference": asked.spec.judge})
    else:
        typer.echo(verdict_text(found))
    raise typer.Exit(0 if found["verdict"] == "FASTER" and found["confirmed"] else 1)
