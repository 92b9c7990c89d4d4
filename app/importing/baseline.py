"""The baseline of a kernel through the gates of a campaign, by the referee: what a campaign would say of it."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from app.gates import gates_for
from kernels.device.client import Device
from kernels.gates.correct import checked
from kernels.packs.lint import Finding
from kernels.packs.loader import baseline
from kernels.targets.base import Target
from kernels.targets.registry import dialect_of
from kernels.values.kernel import KernelSpec, Pack
from kernels.values.verdict import GateReport, GateState
from roles.admitting import alone, refusal_told

NEAR: Final = 0.5  # of a tolerance, by the baseline itself


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of a baseline. file: its name. report: of the last check before a promotion, or of the gate before it
    that refused."""

    kernel: str
    file: str
    report: GateReport

    @property
    def passed(self) -> bool:
        return self.report.state is not GateState.REFUSED

    @property
    def findings(self) -> list[Finding]:
        if self.passed:
            return []
        told = refusal_told(self.report, self.file)
        return [Finding(self.kernel, self.file, "baseline", f"a campaign would refuse it by {told}")]

    @property
    def notes(self) -> list[Finding]:
        """Outputs whose tolerance only just holds, on the inputs that were drawn here."""
        text = "the baseline itself uses {:.0%} of the tolerance, and other inputs may need more; widen [tolerance.{}]"
        near = {name: share for name, share in self.used.items() if self.passed and share > NEAR}
        return [Finding(self.kernel, name, "tolerance", text.format(share, name)) for name, share in near.items()]

    @property
    def used(self) -> dict[str, float]:
        """The share of its tolerance that the baseline used up in the worst call, by output."""
        return dict(self.report.facts.get("tolerance_used", {}))


async def judged(pack: Pack, kernels: list[KernelSpec], target: Target, cache: Path) -> list[Judged]:
    """cache: for the runner and the referee. Raises: DeviceUnhealthy, PackError without a baseline for the target."""
    with TemporaryDirectory(prefix="kernelwright-baseline-") as work:
        device = await Device.start(target, pack, cache)
        try:
            return [await _judged(spec, target, device, Path(work)) for spec in kernels]
        finally:
            await device.close()


async def _judged(spec: KernelSpec, target: Target, device: Device, work: Path) -> Judged:
    dialect = dialect_of(target.name)
    candidate = baseline(spec, dialect)
    subject = alone(candidate, spec, work / candidate.id)
    reports: list[GateReport] = []

    async def keep(report: GateReport) -> None:
        reports.append(report)

    try:
        if await gates_for(target, device).run(subject, keep, until="correct") is None:
            reports.append(await checked(device, subject, promotion=True))
    finally:
        if subject.loaded:
            await device.unload(subject.key)
    return Judged(spec.name, dialect.baseline, reports[-1])
