"""`bench [NAME]`: what the parts of this program are worth, measured side by side in one run."""

from typing import Annotated

import typer

from app.commands.options import Home, Json, print_json
from app.home import home_folder
from app.settings import UsageError


def register(app: typer.Typer) -> None:
    app.command("bench")(bench)


def bench(
    name: Annotated[str, typer.Argument(help="a bench; without one, the list")] = "",
    repetitions: Annotated[int, typer.Option("--repetitions", "-R", min=200, help="simulated tests a cell")] = 10_000,
    gain: Annotated[float | None, typer.Option(help="gain of a good candidate, in %")] = None,
    seed: Annotated[int, typer.Option(help="seed of what is drawn")] = 1,
    kernel: Annotated[str, typer.Option(help="kernel, or pack/kernel, for benches on the device")] = "gemv",
    tests: Annotated[int, typer.Option(min=1, help="tests, for benches on the device")] = 20,
    pack: Annotated[str, typer.Option(help="pack, for the benches of sketches and numpy")] = "gemma_decode",
    seeds: Annotated[int, typer.Option(min=1, help="runs of each policy, for the bench of searches")] = 5,
    candidates: Annotated[int, typer.Option(min=4, help="candidates of each run, for the bench of searches")] = 30,
    kernel_tuner: Annotated[
        str, typer.Option(metavar="PYTHON", help="an interpreter that has Kernel Tuner, for the bench of searches")
    ] = "",
    device: Annotated[
        list[str] | None, typer.Option(metavar="WHERE", help="as of run, for the bench of fleets; repeatable")
    ] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Run one bench, or list them."""
    from app.bench.registry import BENCHES, Options

    if not name:
        if as_json:
            print_json({n: b.title for n, b in BENCHES.items()})
        else:
            typer.echo("\n".join(f"{n:<8} {b.title}" for n, b in BENCHES.items()))
        return
    if name not in BENCHES:
        raise UsageError(f"bench {name!r}: there is none of that name; known benches: {', '.join(BENCHES)}")
    share = gain / 100 if gain is not None else None
    options = Options(
        home_folder(home), repetitions, share, seed, kernel, tests, pack, seeds, candidates, kernel_tuner,
        tuple(device or ()), lambda text: typer.echo(text, err=as_json),
    )  # fmt: skip
    found = BENCHES[name].run(options)
    if as_json:
        print_json(found)
    else:
        typer.echo(BENCHES[name].text(found))
