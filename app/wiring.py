"""The one composition root: makes store, device, gates, roles, and runs one campaign."""

import asyncio
import os
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.settings import Settings
from kernels.device.client import Device
from kernels.gates.batch import BatchGate
from kernels.gates.compile import CompileGate
from kernels.gates.correct import CorrectGate
from kernels.gates.pending import PendingGate
from kernels.gates.sequence import GateSequence
from kernels.gates.source import SourceGate
from kernels.packs.loader import load_pack
from kernels.targets.base import Target
from kernels.targets.registry import get_target
from kernels.values.kernel import KernelSpec, Pack
from roles.brains.offline.policy import OfflineBrain
from roles.budget import Budget
from roles.campaign import Campaign, Policy
from roles.ledger_keeper import LedgerKeeper
from roles.main import Main
from roles.pipeline import Pipeline
from roles.promoter import Promoter
from roles.sources import SourceWatcher
from roles.testing import Tester
from store import campaigns, commands
from store.engine import Session, Store
from store.lock import EngineLock
from store.reconcile import reconcile

PENDING = {
    "legality": "no legality rule of this target is known yet",
    "estimate": "no static cost model of this target is calibrated yet",
    "trace": "no profiled run yet: the timeline of this target is not built",
}


@dataclass(frozen=True, slots=True)
class Job:
    """What one engine run is asked to do. resume: go on with this campaign instead of starting one."""

    settings: Settings
    home: Path
    workspace: Path
    resume: int | None = None


def gates_for(target: Target, device: Device) -> GateSequence:
    return GateSequence(
        [
            SourceGate(),
            PendingGate("legality", PENDING["legality"]),
            CompileGate(target, device),
            PendingGate("estimate", PENDING["estimate"]),
            CorrectGate(device),
            PendingGate("trace", PENDING["trace"]),
            BatchGate(device),
        ],
        time.monotonic,
    )


def policy_of(settings: Settings) -> Policy:
    return Policy(
        workers=settings.workers, rule=settings.rule, min_gain=settings.min_gain, flat_within=settings.flat_within,
        placebo_every=settings.placebo_every, plateau_draft=settings.plateau_draft, plateau_stop=settings.plateau_stop,
        ledger_every=settings.ledger_every, memory_limit=settings.memory_limit, watchdog_s=settings.watchdog_s,
        strategist_s=settings.strategist_s,
    )  # fmt: skip


def chosen_kernels(pack: Pack, names: tuple[str, ...]) -> list[KernelSpec]:
    """All of the pack, or the named ones. Raises: ValueError that lists the kernels."""
    return [pack.kernel(name) for name in names] if names else list(pack.kernels)


async def run_engine(
    job: Job, on_ready: Callable[[int], None], on_interrupt: Callable[[Callable[[], None]], None]
) -> int:
    """Own the home, run one campaign to its end; returns the campaign's id.

    Raises: Owned when another process owns the home, BaselineRefused, DeviceUnhealthy, StoreError, PackError.
    """
    with EngineLock.acquire(job.home), Store.open(job.home) as store:
        pack = load_pack(job.settings.pack, job.workspace)
        target = get_target(job.settings.target, job.home / "cache")
        device = await Device.start(target, pack, job.home / "cache", epoch_s=job.settings.epoch_s)
        try:
            campaign = await _campaign(job, store, pack, target, device)
            on_ready(campaign.id)
            on_interrupt(lambda: campaign.request_stop("stopped at the keyboard"))
            await _run(campaign, chosen_kernels(pack, job.settings.kernels))
            return campaign.id
        finally:
            await device.close()


async def _run(campaign: Campaign, kernels: list[KernelSpec]) -> None:
    gates = gates_for(campaign.target, campaign.device)
    keeper = LedgerKeeper(campaign)
    pipeline = Pipeline(campaign, gates, Tester(campaign), Promoter(campaign, keeper))
    watcher = SourceWatcher(campaign, _submit_saved(campaign))
    await Main(campaign, gates, pipeline, keeper, watcher).run(kernels)


def _submit_saved(campaign: Campaign) -> Any:
    async def submit(kernel: str, name: str, source: str) -> None:
        arguments = {"source": source, "reason": f"saved as {name}"}
        await campaign.store.write(lambda s: commands.enqueue(s, "file watcher", "inject", kernel, arguments))

    return submit


async def _campaign(job: Job, store: Store, pack: Pack, target: Target, device: Device) -> Campaign:
    settings, resumed = job.settings, job.resume
    seed = settings.seed if settings.seed is not None else secrets.randbits(48)
    if resumed is None:
        campaign_id = await store.write(
            lambda s: campaigns.create(
                s, pack=pack.name, pack_digest=pack.digest, target=target.name, fingerprint=target.fingerprint.id,
                kernels=[k.name for k in chosen_kernels(pack, settings.kernels)], device=target.fingerprint.device,
                toolchain=f"{target.fingerprint.compiler_version}, {target.fingerprint.threads} threads",
                brain=settings.brain, seed=seed, options=settings.model_dump(mode="json"), minutes=settings.minutes,
                candidates_budget=settings.candidates, sandbox_level=device.level,
            )
        )  # fmt: skip
    else:
        campaign_id = resumed
        seed = await store.write(lambda s: _take_up(s, resumed, settings))
    row = await store.read(lambda s: campaigns.get(s, campaign_id))
    finished = await store.read(lambda s: campaigns.finished_attempts(s, campaign_id))
    return Campaign(
        id=campaign_id, pack=pack, target=target, store=store, device=device,
        brain=OfflineBrain(plateau_draft=settings.plateau_draft), policy=policy_of(settings),
        budget=Budget(settings.minutes, settings.candidates), seed=seed,
        folder=job.home / "campaigns" / str(campaign_id), clock=time.time, started_at=time.time() - row.elapsed_s,
        finished_attempts=finished,
    )  # fmt: skip


def _take_up(s: Session, campaign_id: int, settings: Settings) -> int:
    """Close what a dead engine left in flight and go on; the campaign's seed."""
    reconcile(s, campaign_id)
    campaigns.set_state(s, campaign_id, "running", "resumed")
    campaigns.set_facts(s, campaign_id, minutes=settings.minutes, candidates_budget=settings.candidates)
    return campaigns.get(s, campaign_id).seed


def run_blocking(job: Job, on_ready: Callable[[int], None]) -> int:
    """`run_engine` in a loop of its own; the first SIGINT or SIGTERM asks for a clean end, the second kills."""
    import signal

    async def main() -> int:
        loop = asyncio.get_running_loop()

        def on_interrupt(ask: Callable[[], None]) -> None:
            def first() -> None:
                ask()
                for number in (signal.SIGINT, signal.SIGTERM):
                    loop.remove_signal_handler(number)

            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, first)

        return await run_engine(job, on_ready, on_interrupt)

    os.environ.setdefault("OMP_NUM_THREADS", "1")
    return asyncio.run(main())
