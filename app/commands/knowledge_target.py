"""`knowledge facts` and `knowledge rules`: what was measured of a target, and what may not be written for it."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.options import CompilerName, Home, Json, compiler_of, print_json
from app.home import home_folder, workspace_folder

if TYPE_CHECKING:
    from knowledge.rules.rule import Rule

TargetName = Annotated[str, typer.Option("--target", help="target, e.g. cpu-c")]
Measure = Annotated[bool, typer.Option("--measure", help="measure now; the machine is held for a second at a time")]
Only = Annotated[list[str] | None, typer.Option("--only", help="this one only; may be given several times")]
Readings = Annotated[int, typer.Option(min=3, max=99, help="with --measure: readings of each fact")]


def facts(
    measure: Measure = False,
    only: Only = None,
    readings: Readings = 7,
    target: TargetName = "cpu-c",
    compiler: CompilerName = "",
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Chip facts: bandwidths, latencies, rates and costs, by microbenchmarks; exit 1 when one could not be measured."""
    from app.chip import facts as chip
    from kernels.targets.registry import get_target

    folder = home_folder(home)
    found = get_target(target, folder / "cache", workspace_folder(), compiler_of(folder, compiler))
    left = []
    if measure:
        say = lambda line: typer.echo(line, err=as_json)  # noqa: E731
        left = chip.measured(folder, found, workspace_folder(), tuple(only or ()), readings, say)
    known = [
        fact for fact in chip.known(folder, found, workspace_folder()) if fact["name"] in (only or (fact["name"],))
    ]
    if as_json:
        print_json({
            "target": target, "fingerprint": found.fingerprint.id, "facts": known,
            "unmeasured": [asdict(one) for one in left],
        })  # fmt: skip
    elif not measure or bool(only):
        typer.echo(chip.text(known, found))
    raise typer.Exit(1 if any(not one.lacks for one in left) else 0)


def rules(
    name: Annotated[list[str] | None, typer.Argument(help="rules to show or check; all when absent")] = None,
    verify: Annotated[bool, typer.Option("--verify", help="plant both forms of what is not checked here yet")] = False,
    again: Annotated[bool, typer.Option("--again", help="with --verify: of every rule")] = False,
    mine: Annotated[bool, typer.Option("--mine", help="find rules in what the compiler refused in this home")] = False,
    failing: Annotated[Path | None, typer.Option(help="with --mine: a folder of sources instead of the home")] = None,
    target: TargetName = "cpu-c",
    compiler: CompilerName = "",
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Legality rules: what may not be written for a target, with the smallest form and the nearest legal one."""
    from app.chip import rules as chip
    from app.chip.mining import mined
    from app.settings import UsageError
    from kernels.targets.base import TargetError
    from kernels.targets.registry import get_target
    from knowledge.rules.shipped import shipped_rules

    folder, names = home_folder(home), tuple(name or ())
    try:
        found = get_target(target, folder / "cache", workspace_folder(), compiler_of(folder, compiler))
    except TargetError as missing:
        if verify or mine or failing is not None or not (shipped := shipped_rules(target, workspace_folder())):
            raise
        return _documented([rule for rule in shipped if rule.name in (names or (rule.name,))], target, missing, as_json)
    say = lambda line: typer.echo(line, err=as_json)  # noqa: E731
    counts, learned = {}, None
    if mine or failing is not None:
        learned = mined(folder, found, workspace_folder(), failing, say)
    if verify:
        counts = chip.verified(folder, found, workspace_folder(), names, say, again=again)
    every = chip.known(folder, found, workspace_folder())
    known = [rule for rule in every if rule.name in (names or (rule.name,))]
    if len(known) < len(set(names)):
        raise UsageError(f"rules {', '.join(names)}: {len(known)} are known; ./run.sh knowledge rules lists all")
    if as_json:
        print_json({
            "target": target, "fingerprint": found.fingerprint.id, "states": chip.states(known),
            "outcomes": dict(counts), "mined": None if learned is None else asdict(learned),
            "rules": [chip.told(rule) for rule in known],
        })  # fmt: skip
    elif learned is not None:
        typer.echo(learned.told)
    elif verify:
        typer.echo(f"{len(known)} rules of {target}: {chip.counted(counts)}")
    elif names:
        typer.echo("\n\n".join(chip.one_text(rule) for rule in known))
    else:
        typer.echo(chip.text(known, found))
    return None


def _documented(rules: "Sequence[Rule]", target: str, missing: Exception, as_json: bool) -> None:
    """What ships for a target that is not here: nothing of it could be tried."""
    from app.chip import rules as chip

    if as_json:
        told = [chip.told(rule) for rule in rules]
        print_json({"target": target, "fingerprint": "", "states": chip.states(rules), "rules": told})
        return
    typer.echo(chip.listed(rules))
    typer.echo(f"! {missing}")
