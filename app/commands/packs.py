"""`pack new` and `pack lint`: make a pack of your own and have it checked before it is trusted."""

from pathlib import Path
from typing import Annotated

import typer

from app.commands.options import Json, print_json
from app.home import workspace_folder


def register(app: typer.Typer) -> None:
    packs = typer.Typer(help="Make and check packs.", no_args_is_help=True, rich_markup_mode=None)
    packs.command("new")(new)
    packs.command("lint")(lint)
    app.add_typer(packs, name="pack")


def new(name: str, folder: Annotated[Path | None, typer.Option(help="where; else ./packs")] = None) -> None:
    """Write a working skeleton of a pack."""
    from kernels.packs.new import new_pack

    made = new_pack(name, folder or workspace_folder() / "packs")
    typer.echo(f"{made}: edit kernel.toml, reference.py and baseline.c, then ./run.sh pack lint {name}")


def lint(name: str, as_json: Json = False) -> None:
    """Refuse a pack on which no verdict could be trusted, and say why."""
    from kernels.packs.lint import lint as check
    from kernels.packs.loader import load_pack

    findings = check(load_pack(name, workspace_folder()))
    if as_json:
        print_json({"pack": name, "findings": [{"kernel": f.kernel, "kind": f.kind, "text": str(f)} for f in findings]})
    else:
        for finding in findings:
            typer.echo(str(finding))
        typer.echo(f"{name}: {'refused' if findings else 'fit for a campaign'}, {len(findings)} findings")
    raise typer.Exit(1 if findings else 0)
