"""The one composition root: makes store, device, gates, roles, and runs one campaign."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from app.begin import Begun, Job, begin, begin_again
from app.brains import open_models
from app.chip import baselines
from app.chip.skills import looked_at
from app.devices import open_devices
from app.gates import gates_for
from app.interrupting import run_askable
from app.knowing import described
from app.policy import policy_of
from app.settings import Settings, UsageError
from kernels.device.client import DeviceUnhealthy
from kernels.device.executor import Executor
from kernels.packs.loader import baseline
from kernels.targets.registry import get_target
from kernels.values.kernel import KernelSpec
from knowledge.baselines.character import character_of
from knowledge.skills.levers_named import checked
from knowledge.skills.playbook import Playbook, playbook
from roles.bootstrap import BaselineRefused
from roles.brains.base import Brain
from roles.brains.offline.registry import brain_of
from roles.brains.open_ideas import OpenIdeas
from roles.brains.pool import Models
from roles.budget import Budget
from roles.campaign import Campaign
from roles.grader import Grader
from roles.inbox import Inbox
from roles.ledger_keeper import LedgerKeeper
from roles.limits import at_limit
from roles.main import Main
from roles.pipeline import Pipeline
from roles.promoter import Promoter
from roles.sources import SourceWatcher
from roles.testing import Tester
from store import campaigns, commands, events, heartbeat, kernel_states
from store.clock import now, steady
from store.engine import Session, Store
from store.errors import StoreError
from store.lock import EngineLock

TASKS = "tasks"


async def run_engine(job: Job, on_ready: Callable[[int], None], keyboard: asyncio.Event) -> int:
    """Own the home, run one campaign to its end; returns the campaign's id.

    on_ready: called with the id once there is a campaign. keyboard: set to ask for a clean end. However it ends, the
    campaign is finished or can be resumed.
    Raises: SkillFileError, Owned when another process owns the home, BaselineRefused, DeviceUnhealthy, UsageError,
    StoreError, PackError, TargetError.
    """
    checked(playbook(job.workspace))
    with EngineLock.acquire(job.home) as lock, Store.open(job.home) as store:
        begun = begin(job, store, lock.owner.started_at)
        store.write_sync(lambda s: heartbeat.beat(s, begun.id, started_at=now()))  # heard while it gets ready
        store.endure(on=True)
        try:
            on_ready(begun.id)
            while await _engage(job, store, begun, keyboard):
                begun = begin_again(job, store, begun.id, lock.owner.started_at)
        except BaseException as error:
            store.endure(on=False)
            why = _told(error)
            with suppress(StoreError):  # what is still open then, the next start closes
                store.write_sync(lambda s: campaigns.leave_resumable(s, begun.id, why))
            raise
        return begun.id


def _told(error: BaseException) -> str:
    if isinstance(error, asyncio.CancelledError | KeyboardInterrupt):
        return "cut off at the keyboard"
    return f"{type(error).__name__}: {error}"


async def _engage(job: Job, store: Store, begun: Begun, keyboard: asyncio.Event) -> bool:
    """Run the campaign on its device; whether it is to be taken up under another toolchain now. Asked to end before it
    is ready, it stays as it is, to be resumed."""
    device = await _device(job, begun, keyboard)
    if device is None:
        await store.write(lambda s: campaigns.leave_resumable(s, begun.id, "stopped before the device was ready"))
        return False
    try:
        campaign = await _campaign(job, store, begun, device)
        asking = asyncio.create_task(_pass_on(keyboard, campaign, suspends=job.suspends), name="keyboard")
        try:
            await _run(campaign, begun.kernels, [job.home / TASKS, job.workspace / TASKS])
        except (BaselineRefused, DeviceUnhealthy) as failure:
            if not keyboard.is_set() or len(campaign.kernels) == len(begun.kernels):
                raise
            why = f"stopped before its kernels were ready: {failure}"
            await store.write(lambda s: campaigns.leave_resumable(s, begun.id, why))
            return False
        finally:
            asking.cancel()
            if campaign.models is not None:
                await campaign.models.close()
        return campaign.turnover
    finally:
        await device.close()


async def _device(job: Job, begun: Begun, keyboard: asyncio.Event) -> Executor | None:
    """None when a clean end is asked for before it is up. Raises: DeviceUnhealthy."""
    cache, epoch_s = job.home / "cache", begun.settings.epoch_s
    opening = open_devices(begun.settings.devices, begun.target, begun.pack, cache, epoch_s=epoch_s)
    start = asyncio.create_task(opening, name="device-start")
    asked = asyncio.create_task(keyboard.wait(), name="keyboard")
    await asyncio.wait({start, asked}, return_when=asyncio.FIRST_COMPLETED)
    asked.cancel()
    if not keyboard.is_set():
        return start.result()
    start.cancel()
    (outcome,) = await asyncio.gather(start, return_exceptions=True)
    if not isinstance(outcome, BaseException):
        await outcome.close()
    return None


async def _pass_on(keyboard: asyncio.Event, campaign: Campaign, *, suspends: bool) -> None:
    await keyboard.wait()
    campaign.store.endure(on=False)
    if suspends:
        campaign.suspend("suspended at the keyboard")
    else:
        campaign.request_stop("stopped at the keyboard")


async def _run(campaign: Campaign, kernels: list[KernelSpec], tasks: list[Path]) -> None:
    """tasks: folders of task files."""
    policy = campaign.policy
    gates = gates_for(
        campaign.target, campaign.device, policy.static_gate, campaign.store, trace=policy.trace_gate,
        rules=policy.rules,
    )  # fmt: skip
    keeper = LedgerKeeper(campaign)
    pipeline = Pipeline(campaign, gates, Tester(campaign), Promoter(campaign, keeper))
    watcher = SourceWatcher(campaign, _submit_saved(campaign))
    await Main(campaign, gates, pipeline, keeper, watcher, Inbox(campaign, tasks)).run(kernels)


def _submit_saved(campaign: Campaign) -> Any:
    async def submit(kernel: str, name: str, source: str) -> None:
        arguments = {"source": source, "reason": f"saved as {name}"}
        await campaign.store.write(lambda s: commands.enqueue(s, "file watcher", "inject", kernel, arguments))

    return submit


def _brain(settings: Settings, models: Models | None) -> Brain:
    """Of the roles that no model serves; it asks the workers' models for ideas when it has none left."""
    words = settings.brain if settings.brain.startswith("offline") else "offline"
    try:
        policy = brain_of(words, plateau_draft=settings.plateau_draft)
    except ValueError as error:
        raise UsageError(str(error)) from error
    return policy if models is None else OpenIdeas(policy, lambda: models.any_for("worker"), models.parked)


async def _tell_beforehand(store: Store, begun: Begun, models: Models | None, book: Playbook, workspace: Path) -> None:
    """Which models there are, and what is known of the kernels before anything is tried on them."""
    if models is not None:
        text = models.describe()
        await store.write(lambda s: events.append(s, begun.id, "brains", begun.pack.name, text))
    await asyncio.to_thread(lambda: [character_of(baseline(spec), spec) for spec in begun.kernels])  # kept by content

    def known(s: Session) -> None:
        looked_at(s, book, workspace)
        baselines.keep_all(s, begun.pack, begun.kernels, begun.target, book)
        events.append(s, begun.id, "knowledge", begun.pack.name, described(begun.settings, book))

    await store.write(known)


async def _campaign(job: Job, store: Store, begun: Begun, device: Executor) -> Campaign:
    settings = begun.settings
    models = open_models(settings, store, begun.id)
    book = checked(playbook(job.workspace))
    await _tell_beforehand(store, begun, models, book, job.workspace)
    row = await store.read(lambda s: campaigns.get(s, begun.id))
    finished = await store.read(lambda s: campaigns.finished_attempts(s, begun.id))
    device_s = await store.read(lambda s: campaigns.device_seconds(s, begun.id))
    clock = steady()
    grader = await asyncio.to_thread(Grader.at_start, begun.pack, begun.target, harness=settings.guard == "all")
    campaign = Campaign(
        id=begun.id, pack=begun.pack, target=begun.target, store=store, device=device,
        brain=_brain(settings, models), policy=policy_of(settings), models=models,
        budget=Budget(row.minutes, row.candidates_budget, settings.device_seconds), seed=row.seed,
        folder=job.home / "campaigns" / str(begun.id), clock=clock, started_at=clock() - row.elapsed_s,
        finished_attempts=finished, device_s_before=device_s, paused_at_start=begun.paused, grader=grader,
        playbook=book, workspace=job.workspace,
        choose=lambda named: get_target(row.target, job.home / "cache", job.workspace, named).fingerprint,
    )  # fmt: skip
    states = await store.read(lambda s: kernel_states.of(s, begun.id))
    campaign.refining |= {state.kernel for state in states if state.refining}
    if models is not None:
        models.meter.at_limit(at_limit(campaign))
    return campaign


def run_blocking(job: Job, on_ready: Callable[[int], None]) -> int:
    """`run_engine` in a loop of its own; the first SIGINT or SIGTERM asks for a clean end, the second kills."""
    return run_askable(partial(run_engine, job, on_ready))
