"""Which campaign a start goes on with, and with which settings; a new one when there is none to go on with.

Everything here happens under the engine's lock and before the device is touched. Nothing of it awaits, so that an
interrupt falls before it or after it.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app import packmarks
from app.brains import title, usd_limit
from app.settings import Settings, UsageError, resumed
from kernels.packs.loader import PackError, load_pack
from kernels.targets.base import Target
from kernels.targets.registry import get_target
from kernels.values.kernel import KernelSpec, Pack
from store import campaigns, commands, events, kernel_states, toolchain
from store.engine import Session, Store
from store.reconcile import reconcile
from store.tables import CampaignRow


@dataclass(frozen=True, slots=True)
class Job:
    """What one start of the engine is asked to do.

    flags: what a person gave on the command line, a part of the settings. new: start a campaign even when one can be
    resumed. first_minutes: limit of a new campaign that nobody gave a limit, 0 = none. campaign: the one to go on with,
    and no other. made: called in the transaction that makes a campaign, with its id; nothing else is resumed then.
    suspends: asked to end, it is left to be resumed.
    """

    settings: Settings
    home: Path
    workspace: Path
    flags: Mapping[str, Any] = field(default_factory=dict)
    new: bool = False
    first_minutes: float = 0.0
    campaign: int | None = None
    made: Callable[[Session, int], None] | None = None
    suspends: bool = False


@dataclass(frozen=True, slots=True)
class Begun:
    """The campaign that the engine is to run now. paused: it was paused when its last engine ended."""

    id: int
    settings: Settings
    pack: Pack
    target: Target
    kernels: list[KernelSpec]
    paused: bool = False


def begin(job: Job, store: Store, owned_since: float) -> Begun:
    """Take up or make a campaign. owned_since: when this process got the engine's lock, UTC seconds.

    Raises: UsageError when the one to be resumed cannot be, PackError, TargetError, StoreError.
    """
    pack = load_pack(job.settings.pack, job.workspace).name if "pack" in job.flags else ""
    found = store.write_sync(lambda s: _settle(s, job, pack, owned_since))
    if found is not None and job.new:
        _give_up_unless_resumable(job, store, found)
    elif found is not None:
        return _resume(job, store, found)
    return _create(job, store, _bounded(job))


def _settle(s: Session, job: Job, pack: str, owned_since: float) -> CampaignRow | None:
    """Close what former engines left behind; what this start would resume. pack: "" = whichever."""
    for row in campaigns.unfinished(s):
        reconcile(s, row.id)
    commands.close_stale(s, owned_since)
    if job.campaign is not None:
        return campaigns.get(s, job.campaign)
    if job.made is not None:
        return None
    target = job.settings.target if "target" in job.flags else ""
    return campaigns.latest_unfinished(s, pack=pack, target=target, seed=job.flags.get("seed"))


def _bounded(job: Job) -> Settings:
    """The settings of a new campaign."""
    if job.first_minutes and "minutes" not in job.settings.model_fields_set:
        return job.settings.model_copy(update={"minutes": job.first_minutes})
    return job.settings


def _resume(job: Job, store: Store, row: CampaignRow) -> Begun:
    settings = resumed(_kept(row), job.settings, job.flags)
    try:
        pack = load_pack(settings.pack, job.workspace)
    except PackError as error:
        raise UsageError(f"campaign {row.id} cannot be resumed: {error}; {_instead(row.pack)}") from error
    target = get_target(row.target, job.home / "cache", job.workspace, settings.compiler)
    if changed := _changed(job, row, pack) or _refused(store, row, settings, target):
        if not store.read_sync(lambda s: campaigns.is_empty(s, row.id)):
            raise UsageError(
                f"campaign {row.id} cannot be resumed: {changed} since it started, and what it measured does not hold "
                f"for that. Put it back, or {_instead(settings.pack)}"
            )
        store.write_sync(lambda s: campaigns.finish(s, row.id, f"nothing was judged before {changed}"))
        return _create(job, store, settings)
    settings = settings.model_copy(update={"pack": _source(settings, pack)})
    kernels = [pack.kernel(name) for name in _kernels_of(job, store, row)]
    paused = store.write_sync(lambda s: _take_up(s, row, settings, target))
    return Begun(row.id, settings, pack, target, kernels, paused)


def begin_again(job: Job, store: Store, number: int, owned_since: float) -> Begun:
    """Take the campaign up under its new toolchain, with its settings as they stand. Raises: as `begin`."""
    return begin(Job(Settings(), job.home, job.workspace, campaign=number), store, owned_since)


def _kept(row: CampaignRow) -> dict[str, Any]:
    """A campaign's settings as they stand now."""
    own = {"target": row.target, "seed": row.seed, "minutes": row.minutes, "candidates": row.candidates_budget}
    return {"pack": row.pack, **row.options, **own}


def _kernels_of(job: Job, store: Store, row: CampaignRow) -> list[str]:
    """Raises: UsageError when other kernels are asked for than the campaign's."""
    names = [state.kernel for state in store.read_sync(lambda s: kernel_states.of(s, row.id))]
    asked = job.flags.get("kernels") or names
    if set(asked) != set(names):
        raise UsageError(
            f"asked for kernels {', '.join(asked)}, but campaign {row.id}, which would be resumed, has "
            f"{', '.join(names)}; leave out --kernel, or start another campaign with --new"
        )
    return names


def _changed(job: Job, row: CampaignRow, pack: Pack) -> str:
    """What of the pack is no longer as it was when the campaign started; "" when all is."""
    if pack.digest == row.pack_digest:
        return ""
    names = packmarks.changes(_folder(job, row.id or 0), pack)
    told = ", ".join(names) or f"{row.pack_digest[:12]} is {pack.digest[:12]} now"
    return f"the pack files of {pack.name} changed ({told})"


def _refused(store: Store, row: CampaignRow, settings: Settings, target: Target) -> str:
    """Trajectories of an experiment are compared: one toolchain for all of them."""
    if not settings.isolated or target.fingerprint.id == row.fingerprint:
        return ""
    told = store.read_sync(lambda s: toolchain.differs(s, row.id, target.fingerprint))
    return f"the toolchain changed ({told})"


def _folder(job: Job, number: int) -> Path:
    return job.home / "campaigns" / str(number)


def _instead(pack: str) -> str:
    return f"start another with `./run.sh run --pack {pack} --new`"


def _give_up_unless_resumable(job: Job, store: Store, row: CampaignRow) -> None:
    """What a new campaign replaces and nothing could go on with is over; else every bare start would meet it again."""
    try:
        pack = load_pack(str(row.options.get("pack", row.pack)), job.workspace)
        changed = _changed(job, row, pack)
    except PackError as error:
        changed = str(error)
    if changed:
        store.write_sync(lambda s: campaigns.finish(s, row.id, f"given up for a new one: {changed}"))


def _take_up(s: Session, row: CampaignRow, settings: Settings, target: Target) -> bool:
    """Whether it was paused by somebody. Under another toolchain it is paused until everything is checked again."""
    options = settings.model_dump(mode="json")
    campaigns.set_facts(
        s, row.id, minutes=settings.minutes, candidates_budget=settings.candidates, options=options,
        brain=title(settings), usd_budget=usd_limit(settings), tokens_budget=settings.tokens,
    )  # fmt: skip
    was_paused = row.state == "paused"
    if not settings.isolated:
        toolchain.start(s, row.id, target.fingerprint, was_paused=was_paused)
    change = toolchain.open_change(s, row.id)
    if change is not None:
        events.append(s, row.id, "campaign", row.pack, "taken up again, everything is re-checked first", state="paused")
        return change.was_paused
    if was_paused:
        events.append(s, row.id, "campaign", row.pack, "taken up again, still paused", state="paused")
    else:
        campaigns.set_state(s, row.id, "running", "resumed")
    return was_paused


def _source(settings: Settings, pack: Pack) -> str:
    """Where a later start finds the pack, from whichever folder."""
    return pack.name if settings.pack == pack.name else str(pack.folder)


def chosen_kernels(pack: Pack, names: tuple[str, ...]) -> list[KernelSpec]:
    """All of the pack, or the named ones, each once. Raises: UsageError that lists the kernels."""
    try:
        return [pack.kernel(name) for name in dict.fromkeys(names)] if names else list(pack.kernels)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _create(job: Job, store: Store, settings: Settings) -> Begun:
    pack = load_pack(settings.pack, job.workspace)
    kernels = chosen_kernels(pack, settings.kernels)
    target = get_target(settings.target, job.home / "cache", job.workspace, settings.compiler)
    seed = settings.seed if settings.seed is not None else secrets.randbits(48)
    settings = settings.model_copy(update={"pack": _source(settings, pack), "seed": seed})
    number = store.write_sync(lambda s: _made(s, job, _row(s, pack, kernels, target, settings, seed)))
    packmarks.keep(_folder(job, number), pack)
    return Begun(number, settings, pack, target, kernels)


def _made(s: Session, job: Job, number: int) -> int:
    if job.made is not None:
        job.made(s, number)
    return number


def _row(s: Session, pack: Pack, kernels: list[KernelSpec], target: Target, settings: Settings, seed: int) -> int:
    number = campaigns.create(
        s, pack=pack.name, pack_digest=pack.digest, target=target.name, fingerprint=target.fingerprint.id,
        kernels=[k.name for k in kernels], device=target.fingerprint.device, book=toolchain.book_text(s, target.name),
        toolchain=toolchain.toolchain_text(target.fingerprint),
        brain=title(settings), seed=seed, options=settings.model_dump(mode="json"), minutes=settings.minutes,
        candidates_budget=settings.candidates, usd=usd_limit(settings), tokens=settings.tokens,
    )  # fmt: skip
    for kernel in kernels:
        if kernel.reference != "numpy":
            kernel_states.update(s, number, kernel.name, reference=kernel.judge)
    return number
