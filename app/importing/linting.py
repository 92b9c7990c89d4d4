"""The linter on a whole pack: its values, then each baseline as a campaign judges it, by the referee of a target.

The values need a confined process where the reference of a kernel is its own baseline.
"""

import asyncio
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from app.importing.baseline import Judged, judged
from kernels.device.report import DeviceUnhealthy
from kernels.device.strict import reference_outside
from kernels.packs.lint import Finding, lint_kernel, notes
from kernels.packs.toml import PackError
from kernels.targets.base import TargetError
from kernels.targets.cpu_c.target import CpuC
from kernels.targets.registry import get_target
from kernels.values.kernel import KernelSpec, Pack


@dataclass(frozen=True, slots=True)
class Linted:
    """findings: why to refuse the pack. baselines: the word on each by kernel. untried: why none was judged, or ""."""

    findings: list[Finding]
    notes: list[Finding]
    baselines: dict[str, Judged]
    untried: str = ""


def lint_pack(pack: Pack, cache: Path, target: str = "cpu-c", workspace: Path | None = None) -> Linted:
    """Baselines are judged where nothing else is found. cache: for what is built.

    Raises: TargetError without a compiler, where a reference needs one.
    """
    findings = [finding for spec in pack.kernels for finding in _values(spec, cache)]
    if findings:
        return Linted(findings, notes(pack), {}, "the findings come first")
    try:
        found = asyncio.run(judged(pack, list(pack.kernels), get_target(target, cache, workspace), cache))
    except PackError as error:
        return Linted([Finding(pack.name, "", "baseline", str(error))], notes(pack), {}, "one is missing")
    except (TargetError, DeviceUnhealthy) as error:
        return Linted([], notes(pack), {}, str(error))
    refused = [finding for one in found for finding in one.findings]
    near = [note for one in found for note in one.notes]
    return Linted(refused, [*notes(pack), *near], {one.kernel: one for one in found})


def _values(spec: KernelSpec, cache: Path) -> list[Finding]:
    if spec.reference == "numpy":
        return lint_kernel(spec)
    with ExitStack() as stack:
        work = Path(stack.enter_context(TemporaryDirectory(prefix="kernelwright-lint-")))
        try:
            reference = stack.enter_context(reference_outside(CpuC(cache), spec, work))
        except DeviceUnhealthy as failure:
            return [Finding(spec.name, "", "reference", str(failure))]
        return lint_kernel(spec, reference=reference)
