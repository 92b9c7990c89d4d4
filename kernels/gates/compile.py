"""Gate `compile`: the target builds the candidate in a clean folder; the device loads it into a runner of its own."""

import asyncio
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from kernels.gates.base import Subject, passed, refused
from kernels.targets.base import CompileFailed, Target
from kernels.values.verdict import GateName, GateReport


class BuildHost(Protocol):
    """Whoever holds the host while a build runs: on cpu-c builds, checks and readings never overlap."""

    def host(self, holder: str) -> AbstractAsyncContextManager[None]: ...


class CompileGate:
    name: GateName = "compile"

    def __init__(self, target: Target, host: BuildHost) -> None:
        self._target = target
        self._host = host

    async def examine(self, subject: Subject) -> GateReport:
        subject.folder.mkdir(parents=True, exist_ok=True)
        try:
            async with self._host.host(f"build {subject.spec.name}"):
                artefact = await asyncio.to_thread(
                    self._target.compile, subject.candidate, subject.spec, subject.folder
                )
        except CompileFailed as failure:
            reason = failure.root_cause or failure.diagnostics
            return refused("compile", failure.kind, reason, diagnostics=failure.diagnostics)
        subject.artefact = artefact
        if self._same_code_as_head(subject):
            return refused("compile", "unchanged_code", "compiles to the head's machine code, byte for byte")
        return passed(
            "compile",
            *artefact.findings,
            seconds=artefact.seconds,
            machine_code=artefact.machine_code_sha256,
            warnings=artefact.warnings,
        )

    @staticmethod
    def _same_code_as_head(subject: Subject) -> bool:
        artefact = subject.artefact
        return (
            artefact is not None
            and not subject.exempt
            and bool(subject.head_machine_code)
            and artefact.machine_code_sha256 == subject.head_machine_code
        )
