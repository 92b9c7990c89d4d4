"""Runs an experiment to its end: trajectories one by one, each an ordinary campaign, then the final block.

Killed at any moment, it goes on where it was: its plan finds it again, a trajectory that was cut off is resumed as a
campaign is, and the final block, of which nothing is kept before all of it is there, is taken anew.
"""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

from app.begin import Job
from app.engine_run import missing_named
from app.experiment import block, differences, inert
from app.experiment.ground import Ground, Say
from app.experiment.order import Place, upcoming
from app.interrupting import run_askable
from app.settings import Settings, UsageError
from app.text import factor
from app.wiring import run_engine
from store import experiments, reads
from store.engine import Session, Store
from store.experiments import Wanted
from store.tables import ExperimentRow
from store.toolchain import toolchain_text


class Interrupted(Exception):
    """Cut off at the keyboard or by a signal; the same command goes on."""


def run(ground: Ground, say: Say, *, new: bool = False) -> int:
    """The experiment's number when all of it is there. new: another one, though one of this plan is known.

    Raises: Interrupted, MissingError, UsageError when pack or toolchain are not as they were.
    """
    ground.home.mkdir(parents=True, exist_ok=True)
    with Store.open(ground.home) as store:
        number = found_or_made(ground, store, say, new=new)
    while (place := _upcoming(ground, number)) is not None:
        _trajectory(ground, number, place, say)
    with Store.open(ground.home) as store:
        done = store.read_sync(lambda s: experiments.get(s, number)).state == "done"
    if not done:
        _interruptible(lambda asked: _cancelled_by(asked, block.measure(ground, number, say)), ground.home)
    return number


def found_or_made(ground: Ground, store: Store, say: Say, *, new: bool = False) -> int:
    """The number of this plan's experiment. Raises: UsageError when pack or toolchain are not as they were."""
    row = None if new else store.read_sync(lambda s: experiments.find(s, ground.plan.digest))
    if row is None:
        if not new:
            _tell_others(ground, store, say)
        return store.write_sync(lambda s: _made(s, ground))
    if changed := _changed(ground, row):
        raise UsageError(f"experiment {row.id} cannot go on: {changed}; put it back, or start another with --new")
    say(f"experiment {row.id} goes on" if row.state != "done" else f"experiment {row.id} is done; --new runs it again")
    return row.id


def _tell_others(ground: Ground, store: Store, say: Say) -> None:
    """Who began one of this name may have meant to go on with it."""
    for row in store.read_sync(experiments.listing):
        if row.name == ground.plan.name and row.state == "running":
            differs = differences.told(row.plan, ground.plan.to_json())
            say(
                f"experiment {row.id} {row.name} is not done, but its plan is another one: {differs}; this is a new one"
            )


def _changed(ground: Ground, row: ExperimentRow) -> str:
    """Why what was measured before would not compare with what would be measured now."""
    if row.state == "done":
        return ""
    if row.pack_digest != ground.pack.digest:
        return f"the pack files of {ground.pack.name} changed since it began"
    return "" if row.fingerprint == ground.target.fingerprint.id else "the toolchain or device changed since it began"


def _made(s: Session, ground: Ground) -> int:
    plan, prints = ground.plan, ground.target.fingerprint
    wanted = [Wanted(arm.name, i, plan.seed + i) for arm in inert.runs(ground) for i in range(plan.trajectories)]
    return experiments.create(
        s, name=plan.name, digest=plan.digest, plan=plan.to_json(), pack=ground.pack.name,
        pack_digest=ground.pack.digest, target=ground.target.name, fingerprint=prints.id, device=prints.device,
        toolchain=toolchain_text(ground.target.fingerprint), trajectories=wanted,
    )  # fmt: skip


def _upcoming(ground: Ground, number: int) -> Place | None:
    def places(s: Session) -> list[Place]:
        return [
            Place(row.id, row.arm, row.number, row.campaign_id is not None, experiments.ended(s, row))
            for row in experiments.trajectories(s, number)
        ]

    with Store.open(ground.home) as store:
        return upcoming(store.read_sync(places), ground.plan.seed)


def _trajectory(ground: Ground, number: int, place: Place, say: Say) -> None:
    job = _job(ground, number, place)
    title = f"{place.arm}, trajectory {place.number + 1} of {ground.plan.trajectories}"
    say(f"{title}{' goes on' if place.begun else ''}")
    ids: list[int] = []
    _interruptible(partial(run_engine, job, ids.append), ground.home)
    with Store.open(ground.home) as store:
        summary = store.read_sync(lambda s: reads.summary(s, ids[0]))
    ledger = factor(summary["ledger_speedup"]) if summary["ledger_speedup"] else "no gain measured"
    say(
        f"  campaign {ids[0]}: {summary['candidates']} candidates, {summary['promotions']} promotions, {ledger}, "
        f"{summary['elapsed_s']:.0f} s; {summary['stopped_because']}"
    )


def _job(ground: Ground, number: int, place: Place) -> Job:
    """A new campaign by the arm's settings, or the one that was cut off as it stands."""
    with Store.open(ground.home) as store:
        rows = store.read_sync(lambda s: experiments.trajectories(s, number))
    row = next(row for row in rows if row.id == place.id)
    arm = next(arm for arm in ground.plan.arms if arm.name == place.arm)
    bound = partial(_bind, row.id)
    if row.campaign_id is not None:
        return Job(
            Settings(), ground.home, ground.workspace, campaign=row.campaign_id, made=bound, suspends=True
        )  # fmt: skip
    settings = arm.settings.model_copy(update={"seed": row.seed})
    return Job(settings, ground.home, ground.workspace, made=bound, suspends=True)


def _bind(trajectory: int, s: Session, campaign: int) -> None:
    experiments.bind(s, trajectory, campaign)


async def _cancelled_by(asked: asyncio.Event, work: Coroutine[Any, Any, None]) -> None:
    """Until the work is done, or cut off because somebody asked."""
    task, asking = asyncio.ensure_future(work), asyncio.create_task(asked.wait())
    await asyncio.wait({task, asking}, return_when=asyncio.FIRST_COMPLETED)
    asking.cancel()
    if task.done():
        task.result()
        return
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def _interruptible(work: Callable[[asyncio.Event], Coroutine[Any, Any, Any]], home: Path) -> None:
    """Run it in a loop of its own; it is given the event that the first signal sets, the second kills.

    Raises: Interrupted, MissingError, and what the work raises.
    """

    async def main(asked: asyncio.Event) -> None:
        await work(asked)
        if asked.is_set():
            raise Interrupted("cut off; the same command goes on where it was")

    with missing_named(home):
        run_askable(main)
