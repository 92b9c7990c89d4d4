"""Pairs a minute of several devices, each with a test of its own, beside this machine's device alone, in turns."""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from app.bench.search.counting import spread
from app.devices import open_devices
from app.home import workspace_folder
from app.settings import MissingError, UsageError
from app.verdict.asked import Asked, resolve
from kernels.device.building import build_under_lock
from kernels.device.client import Device, DeviceUnhealthy
from kernels.device.executor import Executor
from kernels.fleet.fleet import Fleet
from kernels.fleet.words import known_device
from kernels.packs.loader import baseline
from kernels.sandbox.runner import RunnerFailed
from kernels.targets.base import CompileFailed, Target
from kernels.targets.registry import get_target
from kernels.values.reading import First
from roles.placebo import placebo_of
from roles.timing import first_time
from store.lock import EngineLock

ROUNDS: Final = 6
SIDES: Final[tuple[First, ...]] = ("head", "candidate")
Say = Callable[[str], None]
Found = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Order:
    """pairs: of a test. devices: words as of `run --device`."""

    home: Path
    kernel: str
    devices: tuple[str, ...]
    pairs: int
    say: Say


@dataclass(frozen=True, slots=True)
class Lane:
    """An executor with a head of `head_ns` and its twins loaded, one for each of its devices."""

    executor: Executor
    kernel: str
    head: str
    twins: tuple[str, ...]
    head_ns: float

    async def pairs_a_minute(self, count: int) -> float:
        """All twins are tested at once, with `count` pairs each. A pair that is read again counts when it is valid."""
        began = time.monotonic()
        valid = sum(await asyncio.gather(*(self._test(twin, count) for twin in self.twins)))
        return 60 * valid / (time.monotonic() - began)

    async def _test(self, twin: str, count: int) -> int:
        test = await self.executor.begin_test(self.kernel, self.head, twin)
        pairs = [await self.executor.pair(test, SIDES[i % 2], self.head_ns) for i in range(count)]
        await self.executor.end_test(test)
        return sum(pair.valid for pair in pairs)


def run(order: Order) -> Found:
    """Raises: UsageError, MissingError."""
    if not order.devices:
        raise UsageError("bench fleet: asked for devices beside this one, found none; give --device, once for each")
    try:
        list(map(known_device, order.devices))
    except ValueError as error:
        raise UsageError(f"bench fleet: {error}") from error
    asked = resolve(order.home, workspace_folder(), order.kernel)
    try:
        with EngineLock.acquire(order.home):
            return asyncio.run(_measured(order, asked))
    except (CompileFailed, RunnerFailed, DeviceUnhealthy) as failure:
        raise MissingError(f"bench fleet, {asked.name}: {failure}") from failure


async def _measured(order: Order, asked: Asked) -> Found:
    cache = asked.home / "cache"
    target = get_target(asked.settings.target, cache, asked.workspace, asked.settings.compiler)
    epoch_s = asked.settings.epoch_s
    alone = await Device.start(target, asked.pack, cache, epoch_s=epoch_s)
    try:
        fleet = await open_devices(order.devices, target, asked.pack, cache, epoch_s=epoch_s)
        try:
            lanes = [await _lane(one, asked, target) for one in (alone, fleet)]
            rounds = await _rounds(lanes, order)
        finally:
            await fleet.close()
    finally:
        await alone.close()
    names = [member.name for member in fleet.members] if isinstance(fleet, Fleet) else list(order.devices)
    return {"bench": "fleet", "kernel": asked.name, "devices": names, "pairs": order.pairs, **told(rounds)}


async def _lane(executor: Executor, asked: Asked, target: Target) -> Lane:
    spec, head = asked.spec, baseline(asked.spec)
    folder = asked.home / "campaigns" / "bench-fleet"
    count = len(executor.members) if isinstance(executor, Fleet) else 1
    sources = [head, *(placebo_of(head, secrets.token_hex(8)) for _ in range(count))]
    for source in sources:
        build = partial(target.compile, source, spec, folder / source.id)
        built = await build_under_lock(executor, f"build {spec.name}", build)
        await executor.load(spec.name, source.id, built.path)
    ns = await first_time(executor, spec.name, head.id)
    return Lane(executor, spec.name, head.id, tuple(twin.id for twin in sources[1:]), ns)


async def _rounds(lanes: Sequence[Lane], order: Order) -> list[tuple[float, float]]:
    """Alone and together in turns; which goes first alternates. A first round, not counted, loads what is needed."""
    found: list[tuple[float, float]] = []
    for number in range(ROUNDS + 1):
        rates = {}
        for which in (0, 1) if number % 2 else (1, 0):
            rates[which] = await lanes[which].pairs_a_minute(order.pairs)
        if number:
            found.append((rates[0], rates[1]))
            order.say(f"  {number}: alone {rates[0]:.1f}, together {rates[1]:.1f} pairs a minute")
    return found


def told(rounds: Sequence[tuple[float, float]]) -> Found:
    """rounds: pairs a minute alone and together."""
    ratios = [together / alone for alone, together in rounds]
    columns = {"alone": [r[0] for r in rounds], "together": [r[1] for r in rounds], "ratio": ratios}
    return {name: spread(values) for name, values in columns.items()}


def text(found: Found) -> str:
    def ends(name: str, digits: int = 1) -> str:
        one = found[name]
        return f"{one['median']:.{digits}f} ({one['low']:.{digits}f} .. {one['high']:.{digits}f})"

    return (
        f"{found['kernel']}, tests of {found['pairs']} pairs, median and range of {ROUNDS} rounds in turns\n"
        f"this machine's device alone: {ends('alone')} pairs a minute\n"
        f"{len(found['devices'])} devices together ({', '.join(found['devices'])}): {ends('together')} pairs a minute, "
        f"{ends('ratio', 2)} times as many"
    )
