"""The final block of an experiment: the final head of every trajectory against its start, all in one stretch.

The start is the pack's baseline, the same in every trajectory. A head that several trajectories found is measured once;
one that is the start itself is 1 without measuring.
"""

from collections.abc import Mapping
from functools import partial
from typing import Final, Protocol

from app.bench.search.device import SharedDevice
from app.bench.search.final import TWIN, Block, Scored
from app.experiment.ground import Ground, Say
from app.views import count
from kernels.device.building import build_under_lock
from kernels.device.report import DeviceUnhealthy
from kernels.packs.loader import baseline as baseline_of
from kernels.sandbox.runner import RunnerFailed
from kernels.targets.base import CompileFailed
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from roles.bootstrap import BaselineRefused
from roles.timing import first_time
from store import designs, experiments
from store.engine import Session, Store
from store.experiments import Final as Measured
from store.lock import EngineLock

Heads = dict[int, dict[str, str]]
RETRIES: Final = 2


async def measure(ground: Ground, number: int, say: Say) -> None:
    """Owns the home meanwhile. Raises: Owned, DeviceUnhealthy, BaselineRefused."""
    with EngineLock.acquire(ground.home), Store.open(ground.home) as store:
        heads = await store.read(lambda s: _heads(s, ground, number))
        settings = ground.plan.control.settings
        device = await SharedDevice.start(
            ground.target, ground.pack, ground.home / "cache", epoch_s=settings.epoch_s
        )  # fmt: skip
        try:
            found = {spec.name: await _kernel(ground, device, store, spec, heads, say) for spec in ground.kernels}
        finally:
            await device.close()
        finals = {key: {k: _final(head, found[k]) for k, head in own.items()} for key, own in heads.items()}
        await store.write(lambda s: experiments.finish(s, number, finals))


def _heads(s: Session, ground: Ground, number: int) -> Heads:
    """By trajectory and kernel; a campaign that never got as far as its baselines has its start."""
    found: Heads = {}
    for row in experiments.trajectories(s, number):
        found[row.id] = {}
        for spec in ground.kernels:
            head = None if row.campaign_id is None else designs.head(s, row.campaign_id, spec.name)
            found[row.id][spec.name] = head or baseline_of(spec).id
    return found


async def _kernel(
    ground: Ground, device: SharedDevice, store: Store, spec: KernelSpec, heads: Heads, say: Say
) -> dict[str, Scored]:
    """Of every head but the start, by id."""
    start = baseline_of(spec)
    keys = {own[spec.name] for own in heads.values()} - {start.id}
    if not keys:
        return {}
    wanted = await store.read(lambda s: {key: designs.get_candidate(s, key) for key in sorted(keys)})
    folder = ground.home / "campaigns" / "final-block"
    await _load(ground, device, spec, start)
    ns = await first_time(device, spec.name, start.id)
    block = Block(device, ground.target, spec, folder, ns, ground.plan.seed, say, ground.plan.pairs)
    return await patiently(block, wanted, spec.name, say)


class Measuring(Protocol):
    async def run(self, heads: Mapping[str, Candidate]) -> dict[str, Scored]: ...


async def patiently(block: Measuring, wanted: Mapping[str, Candidate], kernel: str, say: Say) -> dict[str, Scored]:
    """By id. Who failed is measured once more: these heads stood their audits, and a busy machine can spoil a test.

    Raises: DeviceUnhealthy when the start fails beside itself, or a head cannot be read: that makes no figure.
    """
    found = await block.run(wanted)
    for _ in range(RETRIES):
        failed = {key: one.problem for key, one in found.items() if one.problem}
        if not failed:
            break
        say(f"  once more, for {len(failed)} failed: {next(iter(failed.values()))}")
        found |= await block.run({key: wanted[key] for key in failed if key != TWIN})
    twin = found.pop(TWIN)
    if twin.speedup is None:
        raise DeviceUnhealthy(
            f"the final block: the start of {kernel} fails beside itself ({twin.problem}); the "
            "machine is too busy to measure anything. The same command takes the block again"
        )
    if unread := [one.problem for one in found.values() if one.unread]:
        raise DeviceUnhealthy(
            f"the final block: {count(len(unread), 'head')} of {kernel} cannot be read ({unread[0]}); the same "
            "command takes the block again"
        )
    say(f"  the start of {kernel} against itself: {twin.speedup.text}")
    return found


async def _load(ground: Ground, device: SharedDevice, spec: KernelSpec, start: Candidate) -> None:
    folder = ground.home / "campaigns" / "final-block" / start.id
    folder.mkdir(parents=True, exist_ok=True)
    try:
        job = partial(ground.target.compile, start, spec, folder)
        artefact = await build_under_lock(device, f"build {spec.name}", job)
        await device.load(spec.name, start.id, artefact.path)
    except (CompileFailed, RunnerFailed) as failure:
        raise BaselineRefused(f"the start of {spec.name} does not run any more: {failure}") from failure


def _final(head: str, scored: dict[str, Scored]) -> Measured:
    one = scored.get(head)
    return Measured(head) if one is None else Measured(head, tuple(one.ratios), one.problem)
