"""`pack new`, `pack import` and `pack lint`: make a pack of your own and have it checked before it is trusted."""

from pathlib import Path
from typing import Annotated

import typer

from app.commands.options import Home, Json, print_json
from app.home import home_folder, workspace_folder


def register(app: typer.Typer) -> None:
    packs = typer.Typer(help="Make and check packs.", no_args_is_help=True, rich_markup_mode=None)
    packs.command("new")(new)
    packs.command("import")(import_)
    packs.command("lint")(lint)
    app.add_typer(packs, name="pack")


def new(name: str, folder: Annotated[Path | None, typer.Option(help="where; else ./packs")] = None) -> None:
    """Write a working skeleton of a pack."""
    from kernels.packs.new import new_pack

    made = new_pack(name, folder or workspace_folder() / "packs")
    typer.echo(f"{made}: edit kernel.toml, reference.py and baseline.c, then ./run.sh pack lint {name}")


def import_(
    file: Annotated[Path, typer.Argument(help="C file that defines the function")],
    function: Annotated[str, typer.Option(help="name of the function")],
    shapes: Annotated[Path, typer.Option(help="TOML file with the sizes and the arguments")],
    into: Annotated[Path, typer.Option(help="folder of the pack, new or there already")],
    reference: Annotated[
        Path | None, typer.Option(help="numpy file that says what is right; else the function itself at -O0")
    ] = None,
    flags: Annotated[list[str] | None, typer.Option(help="compiler flags of baseline and candidates")] = None,
    include: Annotated[list[Path] | None, typer.Option(help="folder of headers")] = None,
    lib: Annotated[list[str] | None, typer.Option(help="library to link, without lib and .so")] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Make a pack of a C function of yours, try it, and keep it when linter and gates agree."""
    from app.importing.reading import Asked
    from app.importing.steps import import_kernel

    words = tuple(word for given in flags or () for word in given.split())
    asked = Asked(file, function, shapes, into, reference, words, tuple(include or ()), tuple(lib or ()))
    found = import_kernel(asked, home_folder(home) / "cache", lambda text: typer.echo(text, err=as_json))
    if as_json:
        print_json(found)
    else:
        typer.echo(f"{into}/{function} is written: ./run.sh run --pack {into}")


def lint(
    name: str,
    target: Annotated[str | None, typer.Option(help="on which the baselines are judged; else by the settings")] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Refuse a pack on which no verdict could be trusted, or whose baseline a campaign would refuse, and say why."""
    from app.importing import linted_text
    from app.importing.linting import lint_pack
    from app.verdict.asked import resolve

    asked = resolve(home_folder(home), workspace_folder(), "", pack=name, target=target)
    on = asked.settings.target
    found = lint_pack(asked.pack, asked.home / "cache", on, asked.workspace)
    if as_json:
        print_json(linted_text.as_json(name, asked.pack, on, found))
    else:
        for line in linted_text.lines(name, asked.pack, on, found):
            typer.echo(line)
    raise typer.Exit(1 if found.findings else 0)
