"""Gate `compile`: the target builds the candidate in a clean folder; the device loads it into a runner of its own."""

from collections.abc import Callable
from functools import partial

from kernels.device.building import Host, build_under_lock
from kernels.device.report import DeviceUnhealthy
from kernels.gates.base import UNCHANGED_CODE, Subject, passed, refused
from kernels.targets.base import Artefact, CompileFailed, Target, TargetError
from kernels.values.kernel import KernelSpec
from kernels.values.verdict import GateName, GateReport


class CompileGate:
    name: GateName = "compile"

    def __init__(self, target: Target, host: Host, also: Callable[[Artefact, KernelSpec], None] | None = None) -> None:
        """also: what is done with a build while the machine is still held; blocks."""
        self._target = target
        self._host = host
        self._also = also

    async def examine(self, subject: Subject) -> GateReport:
        """The machine stays held until the compiler has ended, also when the caller is cancelled meanwhile.

        Raises: DeviceUnhealthy when the toolchain is at fault.
        """
        subject.folder.mkdir(parents=True, exist_ok=True)
        job = partial(self._build, subject)
        try:
            artefact = await build_under_lock(self._host, f"build {subject.spec.name}", job)
        except CompileFailed as failure:
            reason = failure.root_cause or failure.diagnostics
            return refused("compile", failure.kind, reason, diagnostics=failure.diagnostics)
        except TargetError as failure:
            raise DeviceUnhealthy(str(failure)) from failure
        subject.artefact = artefact
        if self._same_code_as_head(subject):
            return refused("compile", UNCHANGED_CODE, "compiles to the head's machine code, byte for byte")
        return passed(
            "compile",
            *artefact.findings,
            seconds=artefact.seconds,
            machine_code=artefact.machine_code_sha256,
            warnings=artefact.warnings,
        )

    def _build(self, subject: Subject) -> Artefact:
        artefact = self._target.compile(subject.candidate, subject.spec, subject.folder)
        if self._also is not None:
            self._also(artefact, subject.spec)
        return artefact

    @staticmethod
    def _same_code_as_head(subject: Subject) -> bool:
        artefact = subject.artefact
        return (
            artefact is not None
            and not subject.exempt
            and bool(subject.head_machine_code)
            and artefact.machine_code_sha256 == subject.head_machine_code
        )
