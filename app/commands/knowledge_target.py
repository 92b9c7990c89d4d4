"""`knowledge facts` and `knowledge rules`: what was measured of a target, and what may not be written for it."""

from dataclasses import asdict
from typing import Annotated

import typer

from app.commands.options import Home, Json, print_json
from app.home import home_folder, workspace_folder

TargetName = Annotated[str, typer.Option("--target", help="target, e.g. cpu-c")]
Measure = Annotated[bool, typer.Option("--measure", help="measure now; the machine is held for a second at a time")]
Only = Annotated[list[str] | None, typer.Option("--only", help="this one only; may be given several times")]
Readings = Annotated[int, typer.Option(min=3, max=99, help="with --measure: readings of each fact")]


def facts(
    measure: Measure = False,
    only: Only = None,
    readings: Readings = 7,
    target: TargetName = "cpu-c",
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Chip facts: bandwidths, latencies, rates and costs, by microbenchmarks; exit 1 when one could not be measured."""
    from app.chip import facts as chip
    from kernels.targets.registry import get_target

    folder = home_folder(home)
    found = get_target(target, folder / "cache")
    left = []
    if measure:
        say = lambda line: typer.echo(line, err=as_json)  # noqa: E731
        left = chip.measured(folder, found, workspace_folder(), tuple(only or ()), readings, say)
    known = [fact for fact in chip.known(folder, found) if fact["name"] in (only or (fact["name"],))]
    if as_json:
        print_json({
            "target": target, "fingerprint": found.fingerprint.id, "facts": known,
            "unmeasured": [asdict(one) for one in left],
        })  # fmt: skip
    elif not measure:
        typer.echo(chip.text(known, found))
    raise typer.Exit(1 if any(not one.lacks for one in left) else 0)
