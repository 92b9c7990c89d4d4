"""`import history`: filings from elsewhere beside your own."""

from pathlib import Path
from typing import Annotated, Any

import typer

from app.commands.options import Home, Json, print_json
from app.home import home_folder
from app.settings import UsageError
from kernels.values.numbers import significant

Cycles = Annotated[list[str] | None, typer.Option(metavar="KERNEL=CYCLES", help="may be given several times")]


def register(app: typer.Typer) -> None:
    imports = typer.Typer(help="Import what was filed elsewhere.", no_args_is_help=True, rich_markup_mode=None)
    imports.callback()(_group)
    imports.command("history")(history)
    app.add_typer(imports, name="import")


def _group() -> None:
    """Import what was filed elsewhere."""


def history(
    file: Annotated[Path, typer.Argument(help="CSV file: timestamp_utc, KERNEL_cycles, geomean_speedup, ...")],
    name: Annotated[str, typer.Option(help="name of the imported campaign; else the file's")] = "",
    baseline: Cycles = None,
    peak: Cycles = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Keep every row of the file as a filing of an imported campaign, or none of them."""
    from app.history.keeping import Asked, keep
    from app.history.reading import read
    from store.engine import Store

    found = read(file)
    asked = Asked(name or file.stem, _cycles("--baseline", baseline), _cycles("--peak", peak))
    with Store.open(home_folder(home)) as store:
        kept = store.write_sync(lambda s: keep(s, found, asked))
    if as_json:
        print_json(kept)
    else:
        typer.echo("\n".join(_told(kept)))


def _cycles(option: str, given: list[str] | None) -> dict[str, float]:
    from app.history import cells

    found: dict[str, float] = {}
    for text in given or ():
        kernel, _, value = text.partition("=")
        try:
            cycles = cells.cycles(value)
        except cells.CellError as error:
            raise UsageError(f"{option} {text}: {error}") from error
        if cycles is None or not kernel:
            raise UsageError(f"{option} {text}: found no KERNEL=CYCLES; write for example {option} ffn=3703473")
        found[kernel.strip()] = cycles
    return found


def _told(kept: dict[str, Any]) -> list[str]:
    number = kept["campaign"]
    best = f", best score {significant(kept['best'])}" if kept["best"] is not None else ""
    lines = [f"campaign {number}: {kept['filings']} filings imported, {kept['with_cycles']} with cycles{best}"]
    lines += [
        f"! line {one['line']}: published {one['published']:.4f}, its cycles give {one['recomputed']:.4f}"
        for one in kept["differing"]
    ]
    if kept["left_out_columns"]:
        lines.append(f"left out the columns {', '.join(kept['left_out_columns'])}")
    return [*lines, f"they count in no result of this device; ./run.sh filings --campaign {number} lists them"]
