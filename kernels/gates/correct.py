"""Gate `correct`: fresh secret inputs of every regime, checked by the referee against its own expected values."""

from pathlib import Path
from typing import Protocol

from kernels.device.report import CheckReport
from kernels.gates.base import Subject, passed, refused
from kernels.sandbox.runner import RunnerFailed
from kernels.values.verdict import GateName, GateReport


class Checker(Protocol):
    async def load(self, kernel: str, key: str, artefact: Path) -> None: ...

    async def check(self, kernel: str, key: str, *, promotion: bool = False) -> CheckReport: ...


class CorrectGate:
    name: GateName = "correct"

    def __init__(self, device: Checker) -> None:
        self._device = device

    async def examine(self, subject: Subject) -> GateReport:
        if subject.artefact is None:
            return refused("correct", "not_built", "there is nothing to run: gate compile did not build it")
        try:
            subject.loaded = True  # also when a cancel comes in mid-load: there may be a runner to let go
            await self._device.load(subject.spec.name, subject.key, subject.artefact.path)
        except RunnerFailed as failure:
            return refused("correct", failure.kind, failure.detail)
        return await checked(self._device, subject)


async def checked(device: Checker, subject: Subject, *, promotion: bool = False) -> GateReport:
    """What the referee says of a subject that is loaded. promotion: by the last check before a promotion."""
    try:
        report = await device.check(subject.spec.name, subject.key, promotion=promotion)
    except RunnerFailed as failure:
        return refused("correct", failure.kind, failure.detail)
    facts = {**report.facts, "check_s": round(report.seconds, 3)}
    if not report.ok:
        return refused("correct", report.kind, report.reason, *report.findings, **facts)
    return passed("correct", *report.findings, **facts)
