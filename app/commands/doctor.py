"""`doctor`: what this machine offers to each target, what is missing and what is lost without it.

With --stand-in: commands that play a device that is not here. With --self-test: whether the harness of a target refuses
what it must refuse, and lets honest kernels through.
"""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.commands.options import CompilerName, Home, Json, compiler_of, print_json
from app.home import home_folder, workspace_folder

if TYPE_CHECKING:
    from kernels.targets.discovery import Found


def register(app: typer.Typer) -> None:
    app.command("doctor")(doctor)


SelfTest = Annotated[bool, typer.Option("--self-test", help="try hostile and honest candidates on this machine")]
TargetName = Annotated[str, typer.Option("--target", help="target of the self-test")]
StandIn = Annotated[str, typer.Option("--stand-in", help="set up commands that play this device, and try them: rngd")]
Into = Annotated[Path | None, typer.Option("--into", help="with --stand-in: the workspace; ./stand-in-NAME by default")]
Cases = Annotated[list[str] | None, typer.Option("--case", help="only this case or kind; may be given several times")]


def doctor(
    home: Home = None,
    as_json: Json = False,
    self_test: SelfTest = False,
    target: TargetName = "cpu-c",
    case: Cases = None,
    stand_in: StandIn = "",
    into: Into = None,
    compiler: CompilerName = "",
) -> None:
    """Exit 0 when at least one target can run, 3 when none can; 1 when the self-test finds the harness wrong."""
    folder = home_folder(home)
    if stand_in:
        raise typer.Exit(_stand_in(folder, stand_in, into, as_json=as_json))
    named = compiler_of(folder, compiler)
    if self_test:
        raise typer.Exit(_self_test(folder, target, case or [], named, as_json=as_json))
    raise typer.Exit(_report(folder, named, as_json))


def _report(home: Path, compiler: str, as_json: bool) -> int:
    found = _found(home, compiler)
    if as_json:
        print_json(found)
    else:
        _print(found)
    return 0 if any(t["available"] for t in found["targets"]) else 3


def _found(home: Path, compiler: str) -> dict[str, Any]:
    from app.brains import brains_here
    from kernels.sandbox.advice import advice
    from kernels.sandbox.launch import best_launcher
    from kernels.sandbox.limits import Limits

    return {
        "targets": _targets(home, compiler),
        "brains": brains_here(home),
        "sandbox_level": best_launcher().level,
        "advice": advice(best_launcher()),
        "limits": asdict(Limits()),
    }


def _print(found: dict[str, Any]) -> None:
    from app.text import table

    targets = found["targets"]
    rows = [
        [t["name"], r["name"], r["found"] or "MISSING", "" if r["found"] else r["lost"]]
        for t in targets
        for r in t["parts"]
    ]
    typer.echo(table(("target", "part", "found", "lost without it"), rows))
    gaps = [[t["name"], ability, why] for t in targets for ability, why in t["gaps"].items()]
    typer.echo(table(("target", "cannot", "why"), gaps) if gaps else "no target has a known gap")
    rows = [[b["name"], "yes" if b["available"] else "NO", b["found"], b["price"]] for b in found["brains"]]
    typer.echo(table(("brain", "available", "found", "price"), rows))
    typer.echo(f"sandbox: {found['sandbox_level']}")
    broken = [f"{t['name']} cannot run: {', '.join(t['missing'])}" for t in targets if t["missing"]]
    for warning in (found["advice"], *broken):
        if warning:
            typer.echo(f"! {warning}")


def _self_test(home: Path, target: str, cases: list[str], compiler: str, *, as_json: bool) -> int:
    """Shows each case as it is done; beside JSON on stderr."""
    from app.selftest import HEADER, columns, ending, line, run_self_test

    typer.echo(columns(HEADER), err=as_json)
    found = run_self_test(home, target, cases, lambda row: typer.echo(line(row), err=as_json), compiler)
    if as_json:
        print_json(found.to_json())
    else:
        typer.echo(ending(found))
    return 1 if found.wrong else 0


def _stand_in(home: Path, name: str, into: Path | None, *, as_json: bool) -> int:
    from app import standing_in

    workspace = (into or workspace_folder() / f"stand-in-{name}").absolute()
    found = standing_in.stand_in(name, workspace, home, lambda line: typer.echo(line, err=as_json))
    if as_json:
        print_json(standing_in.to_json(name, found))
    else:
        typer.echo(standing_in.next_steps(name, workspace))
    return 0 if all(one.ok for one in found) else 1


def _targets(home: Path, compiler: str) -> list[dict[str, Any]]:
    """Every plug-in that was found: what it needs, what of that is missing, what it cannot do and why."""
    from kernels.targets.registry import found

    return [_target(home, one, compiler) for one in found()]


def _target(home: Path, found: "Found", compiler: str) -> dict[str, Any]:
    """compiler: of the targets that have a choice."""
    from kernels.targets.base import TargetError
    from kernels.targets.plugin import Unusable
    from kernels.targets.registry import made

    told: dict[str, Any] = {"name": found.name, "origin": found.origin, "needs": [], "parts": [], "gaps": {}}
    if isinstance(found, Unusable):
        return told | {"available": False, "missing": [found.why]}
    told |= {"title": found.title, "trust": found.trust, "gaps": dict(found.gaps)}
    try:
        chosen = made(found, home / "cache", compiler if found.make_with is not None else "")
        parts = [asdict(one) for one in chosen.requirements()]
    except TargetError as error:
        return told | {"available": False, "missing": [str(error)]}
    needs = [one["name"] for one in parts if one["needed"]]
    missing = [one["name"] for one in parts if one["needed"] and not one["found"]]
    missing += [found.gaps["run"]] if "run" in found.gaps else []
    return told | {"available": not missing, "needs": needs, "missing": missing, "parts": parts}
