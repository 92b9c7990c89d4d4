"""`check`: the gates on one file, without a test. Exit 0 passed, 1 refused."""

from pathlib import Path
from typing import Annotated, Any

import typer

from app.commands.options import Home, Json, print_json
from app.home import home_folder, workspace_folder

Kernel = Annotated[str, typer.Argument(help="kernel, or pack/kernel")]
File = Annotated[Path, typer.Argument(help="C source that defines the kernel's entry point")]
PackName = Annotated[str | None, typer.Option("--pack", help="pack by name or folder")]
TargetName = Annotated[str | None, typer.Option("--target", help="target, e.g. cpu-c")]
Flags = Annotated[
    list[str] | None, typer.Option("--flag", help="compiler flag of the candidate's own; may be given several times")
]
Audited = Annotated[bool, typer.Option("--audit", help="then what an audit of a head looks at: more regimes, domains")]
Sweep = Annotated[float, typer.Option(min=0.0, help="with --audit: seconds for going through whole domains")]
Seed = Annotated[int, typer.Option(min=0, help="with --audit: of the order in which domains are gone through")]


def register(app: typer.Typer) -> None:
    app.command("check")(check)


def check(
    kernel: Kernel,
    file: File,
    pack: PackName = None,
    target: TargetName = None,
    flag: Flags = None,
    audit: Audited = False,
    sweep: Sweep = 3.0,
    seed: Seed = 0,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Parse, compile, confine and verify one file against the contract of a kernel."""
    from app.verdict.asked import candidate_of, resolve
    from app.verdict.steps import run_check
    from kernels.device.auditing import Audit

    asked = resolve(home_folder(home), workspace_folder(), kernel, pack=pack, target=target)
    plan = Audit(seed=seed, seconds=sweep) if audit else None
    _say(as_json)(f"  {asked.spec.judged_by}")
    found = run_check(asked, candidate_of(asked, file, tuple(flag or ())), _say(as_json), plan)
    if as_json:
        print_json({**found, "file": str(file), "reference": asked.spec.judge})
    else:
        typer.echo(f"{asked.name} {file}: {_summary(found)}")
    raise typer.Exit(0 if found["passed"] else 1)


def _summary(found: dict[str, Any]) -> str:
    if found["passed"]:
        return "passed"
    return f"refused by {'the' if found['refused_by'] == 'audit' else 'gate'} {found['refused_by']}"


def _say(as_json: bool) -> Any:
    """Lines for a person go to stdout, beside JSON to stderr."""
    return lambda text: typer.echo(text, err=as_json)
