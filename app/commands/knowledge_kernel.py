"""`knowledge baseline` and `knowledge skills`: what a kernel does as it is written, and which strategies fit it."""

from typing import Annotated

import typer

from app.commands.check import PackName, TargetName
from app.commands.options import Home, Json, print_json
from app.home import home_folder, workspace_folder

OptionalKernel = Annotated[str, typer.Argument(help="kernel, or pack/kernel; every kernel of the pack when absent")]


def baseline(
    kernel: OptionalKernel = "",
    pack: PackName = None,
    target: TargetName = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Type, loops, bytes, operations of a baseline, and what bounds it: by syntax, chip facts and the last profile."""
    from app.chip import baselines as chip
    from app.chip.baseline_text import text
    from app.verdict.asked import resolve
    from kernels.targets.registry import get_target
    from knowledge.skills.levers_named import checked
    from knowledge.skills.playbook import playbook

    asked = resolve(home_folder(home), workspace_folder(), kernel, pack=pack, target=target)
    machine, book = get_target(asked.settings.target, asked.home / "cache"), checked(playbook(asked.workspace))
    found = chip.of_kernels(asked.home, asked.pack, asked.kernels, machine, book)
    if as_json:
        print_json({"target": machine.name, "fingerprint": machine.fingerprint.id, "kernels": found})
    else:
        typer.echo("\n\n".join(text(one) for one in found))


def skills(
    name: Annotated[list[str] | None, typer.Argument(help="skills to show whole; an index when absent")] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Strategy skills, shipped and of the folder `skills/` here: an index by type of kernel, or whole ones by name."""
    from app.chip import skills as chip
    from knowledge.skills.levers_named import checked
    from knowledge.skills.playbook import playbook

    book, names = checked(playbook(workspace_folder())), tuple(name or ())
    changes = chip.noticed(home_folder(home), book, workspace_folder())
    chosen = chip.chosen(book, names)
    if as_json:
        print_json(chip.told(book, chosen, changes))
    else:
        typer.echo(chip.whole(chosen) if names else chip.index(book, changes))
