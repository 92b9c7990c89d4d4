"""From a file to figures: plan, forecast, the question what models may cost, the run, the analysis."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from app.brains import forecast as models_of
from app.experiment import figures, forecast, inert, running, told
from app.experiment.ground import Ground, ground_of
from app.experiment.plan import Plan, read
from app.experiment.running import Interrupted
from app.settings import UsageError
from store.engine import Store

Found = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """What was given on the command line."""

    file: Path
    home: Path
    workspace: Path
    positions: int | None
    trajectories: int | None
    new: bool
    yes: bool
    only_plan: bool
    idle_too: bool
    say: Callable[[str], None]


def run(asked: Asked) -> Found:
    """Figures, or the plan alone. Raises: UsageError, MissingError, PackError, TargetError, typer.Abort."""
    plan = read(
        asked.file, asked.home, positions=asked.positions, trajectories=asked.trajectories, idle_too=asked.idle_too
    )
    ground = ground_of(plan, asked.home, asked.workspace)
    planned = _planned(ground, asked)
    if asked.only_plan:
        return planned
    _confirm(plan, asked)
    try:
        number = running.run(ground, asked.say, new=asked.new)
    except Interrupted as end:
        asked.say(str(end))
        raise typer.Abort from end
    with Store.open(asked.home) as store:
        return {**figures.of(ground, store, number), "plan": planned}


def _planned(ground: Ground, asked: Asked) -> Found:
    """Told before anything is started."""
    ground.home.mkdir(parents=True, exist_ok=True)
    with Store.open(ground.home) as store:
        found = forecast.forecast(ground, store)
    asked.say(forecast.text(found, ground.plan))
    idle = {arm.name: inert.idle(ground, arm) for arm in ground.plan.arms}
    for name, why in idle.items():
        if why:
            asked.say(f"{name} cannot matter here and is {'run all the same' if asked.idle_too else 'not run'}: {why}")
    return {**found.to_json(), "cannot_change": {name: why for name, why in idle.items() if why}}


def _confirm(plan: Plan, asked: Asked) -> None:
    """Each arm's models with their limit a trajectory. Raises: UsageError without a terminal or --yes."""
    costs = {arm.name: models_of(arm.settings) for arm in plan.arms}
    paid = {name: said for name, said in costs.items() if said}
    if not paid or asked.yes:
        return
    for name, said in paid.items():
        asked.say(f"{name}: in each of {plan.trajectories} trajectories {said}")
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(
            "models of this experiment may cost money, and there is no terminal to confirm it on: add --yes"
        )
    if not typer.confirm("Spend that?", err=True):
        raise UsageError('nothing was started; brain = "offline" costs nothing')


def text(found: Found) -> str:
    return told.text(found)
