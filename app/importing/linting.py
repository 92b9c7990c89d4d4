"""The linter on a whole pack, with a confined process where the reference of a kernel is its own baseline."""

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from kernels.device.report import DeviceUnhealthy
from kernels.device.strict import reference_outside
from kernels.packs.lint import Finding, lint_kernel
from kernels.targets.cpu_c.target import CpuC
from kernels.values.kernel import KernelSpec, Pack


def lint_pack(pack: Pack, cache: Path) -> list[Finding]:
    """cache: for what is built. Raises: TargetError without a compiler, where one is needed."""
    return [finding for spec in pack.kernels for finding in _kernel(spec, cache)]


def _kernel(spec: KernelSpec, cache: Path) -> list[Finding]:
    if spec.reference == "numpy":
        return lint_kernel(spec)
    with ExitStack() as stack:
        work = Path(stack.enter_context(TemporaryDirectory(prefix="kernelwright-lint-")))
        try:
            reference = stack.enter_context(reference_outside(CpuC(cache), spec, work))
        except DeviceUnhealthy as failure:
            return [Finding(spec.name, "", "reference", str(failure))]
        return lint_kernel(spec, reference=reference)
