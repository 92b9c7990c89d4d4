"""Steering a live campaign through the command table: pause, resume, kill, stop, extend, hold, release, approve, veto,
refine, explore."""

import getpass
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from app.answers import answer_text
from app.commands.options import Home, Json, open_store, print_json
from app.settings import UsageError

PATIENCE_S = 15.0
POLL_S = 0.05


def register(app: typer.Typer) -> None:
    for command in (pause, resume, kill, stop, extend, hold, release, approve, veto, refine, explore):
        app.command(command.__name__)(command)


def send(
    home: Any, verb: str, target: str, arguments: Mapping[str, Any], as_json: bool, patience_s: float = PATIENCE_S
) -> int:
    """Write the command row, wait for the engine's answer, print it; 0 done, 1 refused. What it waits for goes to
    standard error meanwhile.

    Raises: UsageError when no engine runs or it does not answer in time.
    """
    from store import commands
    from store.lock import engine_owner

    with open_store(home) as store:
        if engine_owner(store.home) is None:
            raise UsageError(f"cannot {verb}: no engine runs in {store.home}; start it with ./run.sh")
        actor = f"{getpass.getuser()}@cli"
        row = store.write_sync(lambda s: commands.enqueue(s, actor, verb, target, arguments))
        deadline, said = time.monotonic() + patience_s, ""
        while time.monotonic() < deadline:
            found = store.read_sync(lambda s: commands.get(s, row))
            if found.state in ("done", "refused", "interrupted"):
                return _answer(found.state, found.result, as_json)
            if found.result != said:
                said = found.result
                typer.echo(f"{verb} {target}: {said}", err=True)
            time.sleep(POLL_S)
    why = f"after {patience_s:g} s it still waits: {said}" if said else f"no answer within {patience_s:g} s"
    raise UsageError(f"{verb} {target}, command {row}, is not answered: {why}")


def _answer(state: str, result: str, as_json: bool) -> int:
    if as_json:
        print_json({"state": state, "result": result})
    else:
        typer.echo(answer_text(result), err=state != "done")
    return 0 if state == "done" else 1


Name = Annotated[str, typer.Argument(help="an agent, a kernel, or all")]


def pause(name: Name = "all", home: Home = None, as_json: Json = False) -> None:
    """Start nothing new for this agent, kernel or everything; the pair in hand is finished."""
    raise typer.Exit(send(home, "pause", name, {}, as_json))


def resume(
    name: Name = "all",
    compiler: Annotated[str, typer.Option(help="go on with this compiler; everything is checked again first")] = "",
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Lift a pause."""
    named = str(Path(compiler).expanduser().absolute()) if "/" in compiler else compiler
    raise typer.Exit(send(home, "resume", name, {"compiler": named} if named else {}, as_json))


def kill(name: Annotated[str, typer.Argument(help="an agent")], home: Home = None, as_json: Json = False) -> None:
    """Cancel one agent at once, with whatever it runs; the engine stays."""
    raise typer.Exit(send(home, "kill", name, {}, as_json))


def stop(
    now: Annotated[bool, typer.Option("--now", help="no final ledger")] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """End the campaign: final ledger, summary, exit of the engine."""
    raise typer.Exit(send(home, "stop", "all", {"now": now}, as_json))


def extend(
    minutes: Annotated[float, typer.Argument(help="minutes to add")] = 30.0, home: Home = None, as_json: Json = False
) -> None:
    """Add minutes to the campaign's time."""
    raise typer.Exit(send(home, "extend", "all", {"minutes": minutes}, as_json))


def hold(
    minutes: Annotated[float, typer.Argument(help="minutes")] = 60.0, home: Home = None, as_json: Json = False
) -> None:
    """Hand the device back to its owner for some minutes."""
    raise typer.Exit(send(home, "hold", "all", {"minutes": minutes}, as_json))


def release(home: Home = None, as_json: Json = False) -> None:
    """End a hold early."""
    raise typer.Exit(send(home, "release", "all", {}, as_json))


Node = Annotated[str, typer.Argument(help="number of a node that waits; `status` lists them")]
Kernel = Annotated[str, typer.Argument(help="a kernel, or all")]
PROMOTION_S = 600.0


def approve(node: Node, home: Home = None, as_json: Json = False) -> None:
    """Make the head of a confirmed candidate that waits for a person."""
    raise typer.Exit(send(home, "approve", node, {}, as_json, PROMOTION_S))


def veto(node: Node, home: Home = None, as_json: Json = False) -> None:
    """Refuse a candidate that waits for a person; its content is not judged again in this campaign."""
    raise typer.Exit(send(home, "veto", node, {}, as_json))


def refine(kernel: Kernel = "all", home: Home = None, as_json: Json = False) -> None:
    """Begin no new design: polish the head."""
    raise typer.Exit(send(home, "refine", kernel, {}, as_json))


def explore(kernel: Kernel = "all", home: Home = None, as_json: Json = False) -> None:
    """Begin new designs again."""
    raise typer.Exit(send(home, "explore", kernel, {}, as_json))
