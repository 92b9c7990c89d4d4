"""`doctor`: what this machine offers to each target, what is missing and what is lost without it."""

from dataclasses import asdict
from typing import Any

import typer

from app.commands.options import Home, Json, print_json
from app.home import home_folder


def register(app: typer.Typer) -> None:
    app.command("doctor")(doctor)


def doctor(home: Home = None, as_json: Json = False) -> None:
    """Exit 0 when at least one target can run, 3 when none can."""
    from app.text import table
    from kernels.sandbox.launch import best_launcher
    from kernels.sandbox.limits import Limits

    targets = _targets(home_folder(home))
    found: dict[str, Any] = {
        "targets": targets,
        "brains": [{"name": "offline", "available": True, "needs": [], "missing": []}],
        "sandbox_level": best_launcher().level,
        "limits": asdict(Limits()),
    }
    if as_json:
        print_json(found)
    else:
        rows = [
            [t["name"], r["name"], r["found"] or "MISSING", "" if r["found"] else r["lost"]]
            for t in targets
            for r in t["parts"]
        ]
        typer.echo(table(("target", "part", "found", "lost without it"), rows))
        typer.echo(f"sandbox: {found['sandbox_level']}; brain: offline (needs nothing)")
        for target in targets:
            if target["missing"]:
                typer.echo(f"! {target['name']} cannot run: {', '.join(target['missing'])}")
    raise typer.Exit(0 if any(t["available"] for t in targets) else 3)


def _targets(home: Any) -> list[dict[str, Any]]:
    from kernels.targets.base import TargetError
    from kernels.targets.registry import TARGETS, get_target

    found: list[dict[str, Any]] = []
    for name in TARGETS:
        try:
            parts = [asdict(r) for r in get_target(name, home / "cache").requirements()]
        except TargetError as error:
            found.append({"name": name, "available": False, "needs": [], "missing": [str(error)], "parts": []})
            continue
        needs = [p["name"] for p in parts if p["needed"]]
        missing = [p["name"] for p in parts if p["needed"] and not p["found"]]
        found.append({"name": name, "available": not missing, "needs": needs, "missing": missing, "parts": parts})
    return found
