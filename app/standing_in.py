"""`doctor --stand-in NAME`: a workspace in which commands play a device that is not here, tried step by step."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from app.settings import UsageError
from kernels.device.client import Device
from kernels.packs.loader import baseline, load_pack
from kernels.packs.new import new_pack
from kernels.profiling.planning import plan
from kernels.profiling.schedulers import scheduler_of
from kernels.targets.base import Target
from kernels.targets.registry import get_target, plugin
from kernels.targets.rngd.stand_in.setup import set_up
from kernels.values.kernel import KernelSpec, Pack

PACK: Final = "stand_in_matvec"
SETUPS: Final[dict[str, Callable[[Path], Path]]] = {"rngd": set_up}
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Tried:
    """One step. found: what came of it, in words."""

    step: str
    ok: bool
    found: str


def stand_in(name: str, workspace: Path, home: Path, say: Say) -> list[Tried]:
    """Writes target and pack into the workspace, and tries each thing that a target does. Raises: UsageError."""
    if name not in SETUPS:
        raise UsageError(f"stand-in {name!r}: there is none of that name; known: {', '.join(SETUPS)}")
    file = SETUPS[name](workspace)
    if not (workspace / "packs" / PACK).exists():
        new_pack(PACK, workspace / "packs")
    say(f"stand-in: {file} plays {name}; no number of it is measured on the device")
    target = get_target(name, home / "cache", workspace)
    return asyncio.run(_tried(target, load_pack(PACK, workspace), home / "cache" / "stand-in", say))


async def _tried(target: Target, pack: Pack, folder: Path, say: Say) -> list[Tried]:
    spec, found = pack.kernels[0], list[Tried]()

    def keep(step: str, ok: bool, text: str) -> None:
        found.append(Tried(step, ok, text))
        say(f"stand-in: {step:<9} {'ok' if ok else 'NO':<3} {text}")

    started = time.monotonic()
    one = baseline(spec)
    built = target.compile(one, spec, folder / one.id)
    keep("build", True, f"{built.machine_code_sha256[:12]}, {target.fingerprint.compiler_version}")
    scheduler = scheduler_of(target)
    if scheduler is not None:
        planned = plan(scheduler.schedule(built, spec), spec, None)
        keep("schedule", planned.ns > 0, f"{planned.ns / 1e3:.1f} us planned")
    device = await Device.start(target, pack, folder / "device")
    try:
        health = await device.health()
        keep("health", health.ok, health.detail)
        await device.load(spec.name, one.id, built.path)
        report = await device.check(spec.name, one.id)
        keep("check", report.ok, report.reason or f"{report.facts['calls']} jobs, right by the referee")
        await _pair(device, spec, one.id, keep)
    finally:
        await device.close()
    say(f"stand-in: {time.monotonic() - started:.0f} s")
    return found


async def _pair(device: Device, spec: KernelSpec, key: str, keep: Callable[[str, bool, str], None]) -> None:
    """Head against itself."""
    test = await device.begin_test(spec.name, key, key)
    pair = await device.pair(test, "head", 1e6)
    await device.end_test(test)
    text = f"{pair.head.ns / 1e3:.1f} and {pair.candidate.ns / 1e3:.1f} us of one kernel twice"
    keep("pair", pair.valid, f"{text}, {pair.environment.get('trust', '')}, {pair.environment.get('launches', '')}")


def next_steps(name: str, workspace: Path) -> str:
    title = plugin(name, workspace).title
    return f"{title}: from {workspace}, run --target {name} --pack {PACK} starts a campaign on it"


def to_json(name: str, found: list[Tried]) -> dict[str, Any]:
    rows = [{"step": one.step, "ok": one.ok, "found": one.found} for one in found]
    return {"stand_in": name, "ok": all(one.ok for one in found), "steps": rows}
