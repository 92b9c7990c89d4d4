"""Runs `bench search`: makes the searches, gives them their turns, measures their heads at the end."""

import asyncio
import json
import signal
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from app.bench.search import shim, told, tuner
from app.bench.search.brains import BrainSearch
from app.bench.search.device import SharedDevice
from app.bench.search.discovery import space_of
from app.bench.search.final import Block, Scored
from app.bench.search.lane import BUDGET, Lane, Wanted, campaign_of, prepare
from app.bench.search.plan import turns
from app.bench.search.shim import Tuner
from app.bench.search.space import Space
from app.home import workspace_folder
from app.interrupting import first_sets
from app.settings import MissingError
from app.verdict.asked import Asked, resolve
from kernels.device.report import DeviceUnhealthy
from kernels.levers.base import Context
from kernels.packs.loader import baseline
from kernels.sandbox.runner import RunnerFailed
from kernels.targets.base import CompileFailed
from kernels.targets.registry import get_target
from roles.bootstrap import BaselineRefused
from roles.brains.offline.policy import OfflineBrain
from roles.brains.offline.registry import brain_of

BRAINS: Final = ("offline", "offline:random")
ROUNDS_A_CANDIDATE: Final = 3  # rounds after which a search that gets nothing judged is given up
Found = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Order:
    """What was ordered. seeds: how many runs each policy gets; seed: of the first. candidates: of each run."""

    home: Path
    kernel: str
    seeds: int
    candidates: int
    seed: int
    python: str
    say: Callable[[str], None]

    @property
    def all_seeds(self) -> list[int]:
        return list(range(self.seed, self.seed + self.seeds))


def run(order: Order) -> Found:
    """Raises: UsageError, PackError, TargetError, MissingError."""
    asked = resolve(order.home, workspace_folder(), order.kernel)
    folder = order.home / "bench" / "search" / time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    folder.mkdir(parents=True)
    try:
        found = asyncio.run(_run(order, asked, folder))
    except (DeviceUnhealthy, BaselineRefused, CompileFailed, RunnerFailed) as failure:
        raise MissingError(f"bench search: {asked.name} cannot be run on this device: {failure}") from failure
    found["kept"] = str(folder / "result.json")
    (folder / "result.json").write_text(json.dumps(found, indent=1), encoding="utf-8")
    return found


async def _run(order: Order, asked: Asked, folder: Path) -> Found:
    target = get_target(asked.settings.target, order.home / "cache")
    started = time.monotonic()
    device = await SharedDevice.start(target, asked.pack, order.home / "cache", epoch_s=asked.settings.epoch_s)
    wanted = Wanted(asked, target, device, folder, order.candidates)
    lanes: list[Lane] = []
    version = await asyncio.to_thread(shim.version_of, order.python or sys.executable)
    space = space_of(baseline(asked.spec), Context(asked.spec, target.machine)) if version else None
    try:
        await _add_lanes(order, wanted, space, lanes)
        await prepare(wanted, [lane.campaign for lane in lanes])
        for lane in lanes:
            lane.mark(0.0)
        with until_interrupted() as stop:
            await search(order, device, lanes, stop)
        scored, problem = await _scored(order, wanted, lanes)
    finally:
        for lane in lanes:
            await lane.close()
        await device.close()
    facts = {
        "bench": "search", "kernel": asked.name, "device": target.fingerprint.device,
        "compiler": target.fingerprint.compiler_version, "seeds": order.all_seeds, "budget": order.candidates,
        "kernel_tuner": version or shim.MISSING, "space": told.of_space(space), "sandbox_level": device.level,
        "wall_seconds": time.monotonic() - started, "device_seconds": device.held, "waited_seconds": device.waited,
        "problem": problem,
    }  # fmt: skip
    return facts | told.results(lanes, scored, baseline(asked.spec).id, has_tuner=bool(version))


async def _add_lanes(order: Order, wanted: Wanted, space: Space | None, lanes: list[Lane]) -> None:
    """Every policy with every seed; they are added as they are made, so that whatever there is gets closed."""
    spec, draft = wanted.asked.spec, wanted.asked.settings.plateau_draft
    for seed in order.all_seeds:
        for words in BRAINS:
            campaign, pipeline = await campaign_of(wanted, words, seed, brain_of(words, plateau_draft=draft))
            search = BrainSearch(campaign, pipeline, spec.name)
            lanes.append(Lane(words, seed, campaign, pipeline, search))
        if space is None:
            continue
        for strategy in tuner.STRATEGIES:
            campaign, pipeline = await campaign_of(wanted, strategy, seed, OfflineBrain())
            start = partial(_tuner, order, wanted, space, strategy, seed)
            search = tuner.TunerSearch(campaign, pipeline, space, start, strategy)
            lanes.append(Lane(strategy, seed, campaign, pipeline, search))


async def _tuner(order: Order, wanted: Wanted, space: Space, strategy: str, seed: int) -> Tuner:
    """Started in its first turn: it computes in its own turns only."""
    job = {
        "strategy": strategy, "options": tuner.options_of(strategy, wanted.candidates), "seed": seed,
        "parameters": space.parameters, "restrictions": space.restrictions,
        "source": shim.source_of([slot.name for slot in space.slots]),
    }  # fmt: skip
    return await Tuner.start(order.python or sys.executable, job, wanted.folder / f"tuner-{strategy}-{seed}")


async def _scored(order: Order, wanted: Wanted, lanes: list[Lane]) -> tuple[dict[str, Scored], str]:
    """What the final block says of every head, and why it says nothing when it could not be taken."""
    heads = {key: candidate for lane in lanes for key, candidate in lane.heads.items()}
    spec, head_ns = wanted.asked.spec, lanes[0].state.baseline.ns
    block = Block(wanted.device, wanted.target, spec, wanted.folder / "final", head_ns, order.seed, order.say)
    try:
        return await block.run(heads), ""
    except DeviceUnhealthy as failure:
        return {}, str(failure)


@contextmanager
def until_interrupted() -> Generator[asyncio.Event]:
    """The first interrupt ends the searches where they stand, and what they found is measured; the second kills."""
    stop = asyncio.Event()
    let_go = first_sets(stop, signal.SIGINT)
    try:
        yield stop
    finally:
        let_go()


async def search(order: Order, device: SharedDevice, lanes: list[Lane], stop: asyncio.Event) -> None:
    """Rounds until every search has spent its budget or has nothing left to try, or until it is stopped."""
    by_name = {lane.name: lane for lane in lanes}
    for number in range(ROUNDS_A_CANDIDATE * order.candidates):
        running = {name: lane.spent for name, lane in by_name.items() if not lane.ended}
        for name in turns(running, number, order.seed):
            if stop.is_set():
                break
            lane = by_name[name]
            await lane.turn(device, order.candidates)
            why = f", ended: {lane.ended}" if lane.ended not in ("", BUDGET) else ""
            order.say(f"  {lane.spent:>3} of {order.candidates}  {name:<22} {len(lane.heads) - 1} promoted{why}")
        if not running or stop.is_set():
            break
    for lane in lanes:
        lane.ended = lane.ended or ("interrupted" if stop.is_set() else "given up: what it tried was never judged")
