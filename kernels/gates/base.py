"""What a gate is asked and what it answers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

from kernels.profiling.agreement import Point
from kernels.targets.base import Artefact
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from kernels.values.verdict import GateName, GateReport, GateState

UNCHANGED_CODE: Final = "unchanged_code"
"""The kind of a refusal of gate compile: the head's own machine code."""


@dataclass(slots=True)
class Subject:
    """One candidate on its way through the gates, with what the gates found out about it so far.

    head: the present head of the kernel; `head_key` names its runner on the device, `head_ns` its time in nanoseconds.
    one_lever: the candidate is a one-lever change of the head, which skips trace and batch.
    made_from: what the candidate was made from by its lever, None when nobody knows.
    forbidden_duplicates: content ids that were refused before by gates 1 to 4; such a refusal is final.
    peak_ns: the read probe's time for the weights, None while it is not known. points: what earlier candidates of this
    kernel were planned and measured at. head_folder: where the head was built, None when nobody knows.
    """

    candidate: Candidate
    spec: KernelSpec
    head: Candidate
    head_key: str
    head_ns: float
    folder: Path
    one_lever: bool = False
    exempt: bool = False  # a placebo: exempt from the unchanged and duplicate rules
    refused_before: str = ""
    head_machine_code: str = ""
    made_from: Candidate | None = None
    peak_ns: float | None = None
    points: tuple[Point, ...] = ()
    head_folder: Path | None = None
    artefact: Artefact | None = None
    loaded: bool = False
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Names the candidate's runner on the device."""
        return self.candidate.id


class Gate(Protocol):
    """One check. `examine` never raises for a fault of the candidate; it returns a refusal that names it."""

    @property
    def name(self) -> GateName: ...

    async def examine(self, subject: Subject) -> GateReport: ...


def passed(gate: GateName, *findings: str, **facts: Any) -> GateReport:
    return GateReport(gate, GateState.PASSED, facts=facts, findings=findings)


def refused(gate: GateName, kind: str, reason: str, *findings: str, **facts: Any) -> GateReport:
    return GateReport(gate, GateState.REFUSED, kind, reason, facts=facts, findings=findings)


def skipped(gate: GateName, why: str, **facts: Any) -> GateReport:
    return GateReport(gate, GateState.SKIPPED, "skipped", why, facts=facts)


def one_of(spec: KernelSpec) -> str:
    """What a look at one shape is worth: nobody is refused by it, who may win at another."""
    return f"at shape {spec.shapes[0].text} only, one of {len(spec.shapes)} that are judged"


Clock = Callable[[], float]
