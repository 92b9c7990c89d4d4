"""What every target promises."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

from kernels.sandbox.starter import StarterCall, native
from kernels.values.candidate import Candidate
from kernels.values.fingerprint import Fingerprint
from kernels.values.kernel import KernelSpec
from kernels.values.machine import Machine
from kernels.values.timetable import Timetable

FailureKind = Literal["compile_error", "compile_timeout", "flag", "object_scan"]


class TargetError(Exception):
    """Something that the target needs is not here: what was asked, what was found, what to do."""

    def __init__(self, asked: str, found: str, todo: str) -> None:
        super().__init__(f"{asked}: {found}. {todo}")


class CompileFailed(Exception):
    """The candidate's own failure. root_cause: the first line that matters; diagnostics: all, cut head and tail."""

    def __init__(self, kind: FailureKind, root_cause: str, diagnostics: str = "") -> None:
        super().__init__(root_cause)
        self.kind = kind
        self.root_cause = root_cause
        self.diagnostics = diagnostics or root_cause


@dataclass(frozen=True, slots=True)
class Artefact:
    """A built candidate. machine_code_sha256: hash of code and constants, the same for sources that compile alike."""

    path: Path
    machine_code_sha256: str
    seconds: float
    warnings: str = ""
    findings: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Requirement:
    """Something that a target uses when it is there. lost: what goes without it."""

    name: str
    found: str
    lost: str
    needed: bool = False


class Target(Protocol):
    """A way to build and run kernels. Methods block; the engine calls them in threads."""

    name: str
    machine: Machine
    fingerprint: Fingerprint

    def compile(
        self, candidate: Candidate, spec: KernelSpec, folder: Path, *, profile: bool = False, sanitize: bool = False
    ) -> Artefact:
        """Build in a clean folder. Raises: CompileFailed, TargetError when the toolchain is at fault."""
        ...

    def compile_strict(self, candidate: Candidate, spec: KernelSpec, folder: Path) -> Artefact:
        """Build it as it is written, without any optimisation: a reference where there is no other.

        Raises: CompileFailed.
        """
        ...

    def runner_binary(self) -> Path:
        """Of the confined process that loads shared objects, built once a fingerprint. Raises: TargetError; also of a
        target whose kernels run in another way, see `StartsRunners`."""
        ...

    def probes(self, spec: KernelSpec) -> dict[str, Candidate]:
        """At least four trusted sources that only read every weight argument, by style."""
        ...

    def empty(self, spec: KernelSpec) -> Candidate | None:
        """A trusted source that does nothing: for the round trip. None where a call's time has none in it."""
        ...

    def requirements(self) -> list[Requirement]: ...


@runtime_checkable
class StartsRunners(Protocol):
    """A target whose candidates do not run as shared objects in the confined process of `sandbox.runner`."""

    def starter(self) -> StarterCall:
        """What the referee starts them by. Blocks; raises: TargetError, CompileFailed."""
        ...


@runtime_checkable
class Timetabling(Protocol):
    """A target whose compiler can say when it plans what. has_timetables: this one does."""

    @property
    def has_timetables(self) -> bool: ...

    def timetable(self, artefact: Artefact, spec: KernelSpec) -> Timetable:
        """Blocks. Raises: CompileFailed when there is none of this artefact, TargetError."""
        ...

    def built_in(self, folder: Path) -> Artefact | None:
        """What was built in this folder, None when it is not there."""
        ...


@runtime_checkable
class Slow(Protocol):
    """A target whose calls are jobs of their own. patience: times as long as usual that a request may take."""

    @property
    def patience(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Filed:
    """What a board said of a submission. log: head and tail of what it wrote."""

    score: str
    log: str


@runtime_checkable
class Boarded(Protocol):
    """A target with a public board to which heads can be submitted. has_board: this one has one."""

    @property
    def has_board(self) -> bool: ...

    def submit(self, candidate: Candidate, spec: KernelSpec, folder: Path) -> Filed:
        """Blocks until the board is done. Raises: TargetError for whatever it refuses, CompileFailed."""
        ...


def starter_of(target: Target) -> StarterCall:
    """Raises: TargetError, CompileFailed."""
    return target.starter() if isinstance(target, StartsRunners) else native(target.runner_binary())


@runtime_checkable
class Watched(Protocol):
    """A target that sees cheaply whether its toolchain on disk is still the one that it was made with."""

    def present(self) -> Fingerprint:
        """As it would be if the target were made now; without reading a file when nothing was touched.

        Raises: TargetError while there is no toolchain that works.
        """
        ...
