"""`profile`: where the time of a kernel's head goes, thread by thread; with a file, that file's beside the head's."""

import shutil
from pathlib import Path
from typing import Annotated

import typer

from app.commands.check import Flags, Kernel, PackName, TargetName, _say
from app.commands.options import Home, Json, print_json
from app.home import home_folder, workspace_folder

NARROWEST = 80
OptionalFile = Annotated[
    Path | None, typer.Argument(help="C source to profile beside the head; it has to pass the gates up to correct")
]


def register(app: typer.Typer) -> None:
    app.command("profile")(profile)


def profile(
    kernel: Kernel,
    file: OptionalFile = None,
    pack: PackName = None,
    target: TargetName = None,
    flag: Flags = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Profile the head, or a file beside the head: its spans, planned and measured, and what bounds each of them."""
    from app.screens.profile_text import ascii_text, page
    from app.verdict.asked import candidate_of, resolve
    from app.verdict.steps import run_profile

    asked = resolve(home_folder(home), workspace_folder(), kernel, pack=pack, target=target)
    candidate = None if file is None else candidate_of(asked, file, tuple(flag or ()))
    found, record = run_profile(asked, candidate, _say(as_json))
    if as_json:
        print_json({**found, "file": None if file is None else str(file)})
    elif record is None:
        typer.echo(f"{asked.name} {file}: {found.get('reason') or 'refused by gate ' + str(found['refused_by'])}")
    else:
        width = max(NARROWEST, shutil.get_terminal_size((NARROWEST, 24)).columns)
        typer.echo(ascii_text(page(record, width)))
    raise typer.Exit(0 if record is not None else 1)
