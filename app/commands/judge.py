"""`judge table`, `calibrate`, `replay`, `estimate`: is the judge right, what can this device see, was a verdict right,
how well were times planned."""

from pathlib import Path
from typing import Annotated

import typer

from app.commands.check import PackName, TargetName
from app.commands.options import Home, Json, open_store, print_json
from app.home import home_folder, workspace_folder
from app.settings import UsageError


def register(app: typer.Typer) -> None:
    judge = typer.Typer(
        help="The judge: its table, its device, its verdicts.", no_args_is_help=True, rich_markup_mode=None
    )
    for command in (table, replay, calibrate, estimate):
        judge.command(command.__name__)(command)
    app.add_typer(judge, name="judge")


def table(
    repetitions: Annotated[
        int,
        typer.Option("--repetitions", "-R", min=100, help="simulated series a row; below 20,000 rows miss by chance"),
    ] = 20_000,
    seed: Annotated[int, typer.Option(help="seed of the simulation")] = 1,
    as_json: Json = False,
) -> None:
    """Simulate every row of the table of error rates and powers beside its expected values; exit 1 on a miss."""
    from app.verdict import table as tables

    rows = []
    for row in tables.simulated(repetitions, seed):
        rows.append(row)
        if not as_json:
            typer.echo(tables.text(row, header=len(rows) == 1))
    found = tables.summary(rows, repetitions, seed)
    if as_json:
        print_json(found)
    else:
        typer.echo(tables.summary_text(found))
    raise typer.Exit(0 if found["passed"] else 1)


def replay(
    file: Annotated[Path | None, typer.Argument(help="CSV of pairs, of pair differences or of readings")] = None,
    test: Annotated[int | None, typer.Option(help="a stored test of this home instead of a file")] = None,
    rule: Annotated[str, typer.Option(help="paired, paper, margin or mean")] = "paired",
    base: Annotated[float | None, typer.Option(help="the head's reading, where a file has differences only")] = None,
    leave_out: Annotated[
        list[str] | None,
        typer.Option("--leave-out", help="variants like this (shell pattern) do not count; repeatable"),
    ] = None,
    export: Annotated[Path | None, typer.Option(help="write the pairs of the stored test as CSV")] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Decide stored or imported pairs again under any rule; readings give noise figures."""
    from app.verdict import replays

    if (file is None) == (test is None):
        raise UsageError("judge replay: give a CSV file, or --test N of this home; see --help")
    chosen = replays.rule_of(rule)
    if file is not None:
        found = replays.of_file(file, chosen, base, tuple(leave_out or ()))
    else:
        with open_store(home) as store:
            found = replays.of_test(store, test or 0, chosen, export)
    if as_json:
        print_json(found)
    else:
        typer.echo(replays.text(found))


def calibrate(
    kernel: Annotated[str, typer.Argument(help="kernel, or pack/kernel; every kernel of the pack when absent")] = "",
    pack: PackName = None,
    target: TargetName = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Measure the head 24 times against itself on this device: noise, correlation, modes, smallest visible gain."""
    from app.verdict.asked import resolve
    from app.verdict.steps import run_calibrate

    asked = resolve(home_folder(home), workspace_folder(), kernel, pack=pack, target=target)
    found = run_calibrate(asked, lambda text: typer.echo(text, err=as_json))
    if as_json:
        print_json({"pack": asked.pack.name, "target": asked.settings.target, "calibrations": found})


def estimate(
    file: Annotated[Path, typer.Argument(help="CSV with a planned and a real time (or cycles) a row")],
    planned: Annotated[str, typer.Option(help="its column of planned times; the usual names are found")] = "",
    real: Annotated[str, typer.Option(help="its column of measured times; the usual names are found")] = "",
    by: Annotated[list[str] | None, typer.Option(help="column that makes groups; repeatable")] = None,
    where: Annotated[list[str] | None, typer.Option(help="COLUMN=PATTERN that rows must fit; repeatable")] = None,
    below: Annotated[float | None, typer.Option(help="only rows that were planned below this")] = None,
    as_json: Json = False,
) -> None:
    """How well planned times agree with measured ones: ratio, rank correlation, error, signs of differences."""
    from app.verdict import planned as plans

    found = plans.of_file(file, plans.Asked(planned, real, tuple(by or ()), tuple(where or ()), below))
    if as_json:
        print_json(found)
    else:
        typer.echo(plans.text(found))
