"""`info`: where everything lies, for whoever looks for a file or reports trouble."""

import platform
from pathlib import Path

import typer

from app.commands.options import Home, Json, print_json
from app.home import home_folder, workspace_folder


def register(app: typer.Typer) -> None:
    app.command("info")(info)


def info(home: Home = None, as_json: Json = False) -> None:
    """Where home, database, settings, log and copied texts lie; what is not there yet is said."""
    found = _found(home_folder(home))
    if as_json:
        print_json(found)
        return
    paths = {name: value for name, value in found.items() if isinstance(value, Path)}
    for name, value in found.items():
        absent = "" if name not in paths or paths[name].exists() else "  (not there yet)"
        typer.echo(f"{name:10} {value}{absent}")


def _found(home: Path) -> dict[str, str | Path]:
    from app.launch import LOG, engine_is_alive
    from app.options import COPIED
    from app.settings import FILE
    from app.version import VERSION
    from store.engine import DATABASE

    return {
        "version": f"kernelwright {VERSION}, Python {platform.python_version()}",
        "home": home,
        "database": home / DATABASE,
        "settings": home / FILE,
        "log": home / LOG,
        "engine": "running" if engine_is_alive(home) else "not running",
        "copies": home / COPIED,
        "workspace": workspace_folder(),
    }
