"""What each sketch alone gives at its default knobs: every sketch of every kernel of a pack against its baseline.

All sketches of a kernel are read in turns, pair by pair with the baseline, so that a change of mode does not
favour one; the median of the pairs' ratios counts. Nothing is promoted.
"""

import asyncio
import statistics
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from app.home import workspace_folder
from app.text import table
from app.views import duration_ns
from kernels.device.building import build_under_lock
from kernels.device.client import Device
from kernels.levers import registry
from kernels.levers.base import Context, LeverDoesNotApply
from kernels.packs.loader import baseline, load_pack
from kernels.sandbox.runner import RunnerFailed
from kernels.targets.base import CompileFailed, Target
from kernels.targets.registry import get_target
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from kernels.values.params import params_text
from kernels.values.reading import Pair

ROUNDS: Final = 5
BASELINE: Final = "baseline"


@dataclass(slots=True)
class Row:
    """One sketch. problem: why it was not measured, "" when it was."""

    kernel: str
    sketch: str
    params: str
    problem: str = ""
    ratios: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    peak_ns: float = 0.0

    @property
    def figures(self) -> dict[str, Any]:
        found = {k: v for k, v in asdict(self).items() if k not in ("ratios", "times", "peak_ns")}
        if not self.times:
            return found
        ns = statistics.median(self.times)
        times_peak = ns / self.peak_ns if self.peak_ns else None
        return found | {"ns": ns, "against_baseline": statistics.median(self.ratios), "times_peak": times_peak}


def run(home: Path, pack_name: str, say: Callable[[str], None]) -> dict[str, Any]:
    """Raises: PackError, TargetError, DeviceUnhealthy."""
    return asyncio.run(_run(home, pack_name, say))


async def _run(home: Path, pack_name: str, say: Callable[[str], None]) -> dict[str, Any]:
    pack, target = load_pack(pack_name, workspace_folder()), get_target("cpu-c", home / "cache")
    device = await Device.start(target, pack, home / "cache")
    rows: list[Row] = []
    try:
        for spec in pack.kernels:
            say(f"{spec.name}: building and checking its sketches")
            rows += await _kernel(device, target, spec, home / "bench")
    finally:
        await device.close()
    return {"pack": pack.name, "rounds": ROUNDS, "rows": [row.figures for row in rows]}


async def _kernel(device: Device, target: Target, spec: KernelSpec, folder: Path) -> list[Row]:
    first = baseline(spec)
    await _admit(device, target, spec, first, folder)
    made = dict(_sketches(first, spec, target))
    rows = {key: Row(spec.name, name, params) for key, (name, params, _) in made.items()}
    for key, (_, _, candidate) in made.items():
        try:
            rows[key].problem = await _admit(device, target, spec, candidate, folder)
        except (CompileFailed, RunnerFailed) as failure:
            rows[key].problem = str(failure)
    await _measure(device, spec, first, {k: row for k, row in rows.items() if not row.problem})
    return list(rows.values())


def _sketches(first: Candidate, spec: KernelSpec, target: Target) -> Iterator[tuple[str, tuple[str, str, Candidate]]]:
    context = Context(spec, target.machine)
    for application in registry.applications(first, context):
        if application.family != "sketch":
            continue
        try:
            candidate = registry.apply(first, application, context)
        except LeverDoesNotApply:
            continue
        params = params_text(application.params)
        yield candidate.id, (application.lever, params, candidate)


async def _admit(device: Device, target: Target, spec: KernelSpec, candidate: Candidate, folder: Path) -> str:
    """Build, load, check; why it is refused, "" when it is right."""
    place = folder / candidate.id
    place.mkdir(parents=True, exist_ok=True)
    artefact = await build_under_lock(device, f"build {spec.name}", partial(target.compile, candidate, spec, place))
    await device.load(spec.name, candidate.id, artefact.path)
    report = await device.check(spec.name, candidate.id)
    return "" if report.ok else f"{report.kind}: {report.reason}"


async def _measure(device: Device, spec: KernelSpec, first: Candidate, rows: dict[str, Row]) -> None:
    tests = {key: await device.begin_test(spec.name, first.id, key) for key in rows}
    slow = 40e6
    for turn in range(ROUNDS):
        peak = await device.peak(spec.name)
        for key, row in rows.items():
            pair: Pair = await device.pair(tests[key], "head" if turn % 2 else "candidate", slow)
            if pair.valid:
                slow = pair.head.ns
                row.ratios.append(pair.head.ns / pair.candidate.ns)
                row.times.append(pair.candidate.ns)
                row.peak_ns = peak.ns
    for key, row in rows.items():
        report = await device.end_test(tests[key])
        row.problem = "" if report.ok else f"{report.kind}: {report.reason}"
        await device.unload(key)


def text(found: dict[str, Any]) -> str:
    header = ("kernel", "sketch", "parameters", "time", "x baseline", "x peak", "")
    rows = [
        [
            r["kernel"], r["sketch"], r["params"], duration_ns(r.get("ns")),
            f"{r['against_baseline']:.2f}x" if "against_baseline" in r else "-",
            f"{r['times_peak']:.2f}" if r.get("times_peak") is not None else "-", r["problem"][:60],
        ]
        for r in found["rows"]
    ]  # fmt: skip
    return f"{table(header, rows)}\nmedian of {found['rounds']} pairs each; the number of calls is the baseline's"
