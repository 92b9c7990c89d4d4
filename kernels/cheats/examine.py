"""Sends cases of the corpus the way of every candidate, and past the checks of source and object to those behind."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from kernels.cheats.registry import PASSED, SLOWER, Case, small_pack
from kernels.device.client import Device, DeviceUnhealthy
from kernels.gates.base import Subject
from kernels.gates.batch import BatchGate
from kernels.gates.correct import CorrectGate
from kernels.gates.sequence import GateSequence, OnReport
from kernels.packs.loader import baseline
from kernels.targets.base import Artefact, CompileFailed, Target
from kernels.targets.cpu_c.unscanned import build_unscanned
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from kernels.values.verdict import GATE_ORDER, GateName, GateReport, GateState

Door = Literal["all gates", "behind"]
Unscanned = Callable[[Candidate, KernelSpec, Path], Path]
DEVICE: Final = "device"
UNSCANNED: Final[Mapping[str, Unscanned]] = {"cpu-c": build_unscanned}


@dataclass(frozen=True, slots=True)
class Row:
    """What became of one case. gate: the one that refused it, "" for none; verdict: its kind, "passed" without one.

    ok: it was the right one. door "behind": the checks of source and object were left out.
    """

    case: str
    kind: str
    door: Door
    verdict: str
    gate: str
    seconds: float
    ok: bool
    reason: str = ""
    wanted: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """What the candidates are timed against: the baseline. ns: time of one call."""

    candidate: Candidate
    machine_code: str
    ns: float


@dataclass(slots=True)
class Examiner:
    """Made by `examiner`. gates: all gates of the target, in their order."""

    target: Target
    device: Device
    gates: GateSequence
    folder: Path
    heads: dict[str, Head] = field(default_factory=dict)

    async def rows(self, case: Case) -> list[Row]:
        """One row a door. Raises: DeviceUnhealthy when the baseline itself cannot run."""
        found = [await self.row(case, "all gates")]
        if case.behind and self.target.name in UNSCANNED:
            found.append(await self.row(case, "behind"))
        return found

    async def after(self) -> Row:
        """Whether the device is well, and nothing but the baselines is left running on it."""
        started = time.monotonic()
        health = await self.device.health()
        left = health.facts.get("runners", 0) - len(self.heads)
        ok = health.ok and left <= 0
        reason = health.detail if not health.ok or ok else f"{left} runners of candidates are left"
        verdict = "well" if ok else "unwell"
        seconds = time.monotonic() - started
        return Row("the_device_afterwards", DEVICE, "all gates", verdict, "", seconds, ok, reason, "well")

    async def row(self, case: Case, door: Door) -> Row:
        """Raises: DeviceUnhealthy when the baseline itself cannot run."""
        subject = await self._subject(case, door)
        started = self._clock()
        reports: list[GateReport] = []

        async def keep(report: GateReport) -> None:
            reports.append(report)

        try:
            await (self.gates.run(subject, keep) if door == "all gates" else self._behind(subject, keep))
        except DeviceUnhealthy as failure:
            return judged(case, door, reports, self._clock() - started, f"the device failed: {failure}")
        finally:
            if subject.loaded:
                await self.device.unload(subject.key)
        return judged(case, door, reports, self._clock() - started)

    def _clock(self) -> float:
        """Seconds, without those of waiting for others who use the machine."""
        return time.monotonic() - self.device.spent.get("waiting", 0.0)

    async def _behind(self, subject: Subject, keep: OnReport) -> None:
        build = UNSCANNED[self.target.name]
        try:
            path = await asyncio.to_thread(build, subject.candidate, subject.spec, subject.folder)
        except CompileFailed as failure:
            raise DeviceUnhealthy(f"the case itself does not compile: {failure.diagnostics}") from failure
        subject.artefact = Artefact(path, "", 0.0)
        for gate in (CorrectGate(self.device), BatchGate(self.device)):
            report = await gate.examine(subject)
            await keep(report)
            if report.state is GateState.REFUSED:
                return

    async def _subject(self, case: Case, door: Door) -> Subject:
        spec = small_pack().kernel(case.kernel)
        head = await self.head(spec)
        folder = self.folder / f"{case.id}{'' if door == 'all gates' else '-behind'}"
        return Subject(
            case.candidate(), spec, head.candidate, head.candidate.id, head.ns, folder,
            head_machine_code=head.machine_code,
        )  # fmt: skip

    async def head(self, spec: KernelSpec) -> Head:
        """The baseline, built, checked and loaded. Raises: DeviceUnhealthy when it fails."""
        if spec.name not in self.heads:
            first = baseline(spec)
            try:
                built = await asyncio.to_thread(self.target.compile, first, spec, self.folder / f"{spec.name}-head")
            except CompileFailed as failure:
                raise DeviceUnhealthy(f"the baseline of {spec.name} does not compile: {failure}") from failure
            await self.device.load(spec.name, first.id, built.path)
            report = await self.device.check(spec.name, first.id)
            if not report.ok:
                raise DeviceUnhealthy(f"the baseline of {spec.name} is refused: {report.kind}: {report.reason}")
            self.heads[spec.name] = Head(first, built.machine_code_sha256, float(report.facts["median_ns"]))
        return self.heads[spec.name]


def judged(case: Case, door: Door, reports: list[GateReport], seconds: float, broken: str = "") -> Row:
    """What the reports of one case come to. broken: why the device failed meanwhile."""
    last = next((r for r in reports if r.state is GateState.REFUSED), None)
    gate, verdict = (last.gate, last.kind) if last is not None else ("", PASSED)
    wanted = case.behind if door == "behind" else case.verdict or (PASSED, SLOWER)
    findings = [text for r in reports for text in r.findings]
    right = verdict in wanted and (door == "behind" or case.gate is None or _no_later(gate, case.gate))
    found = not case.finding or any(case.finding in text for text in findings)
    reason = broken or (last.reason if last is not None else "; ".join(findings))
    told = f"{case.gate or 'no gate'}: {' or '.join(wanted)}" if door == "all gates" else " or ".join(wanted)
    return Row(
        case.id, case.kind, door, "device" if broken else verdict, gate, seconds, right and found and not broken,
        reason, told,
    )  # fmt: skip


def _no_later(gate: str, wanted: GateName) -> bool:
    """At the gate that must refuse it, or an earlier one."""
    order: list[str] = list(GATE_ORDER)
    return bool(gate) and order.index(gate) <= order.index(wanted)


@asynccontextmanager
async def examiner(
    target: Target, folder: Path, gates_for: Callable[[Target, Device], GateSequence]
) -> AsyncGenerator[Examiner]:
    """A device of its own on the small pack until the block ends. Raises: DeviceUnhealthy."""
    device = await Device.start(target, small_pack(), folder / "device")
    try:
        yield Examiner(target, device, gates_for(target, device), folder)
    finally:
        await device.close()
