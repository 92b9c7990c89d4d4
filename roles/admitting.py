"""How a baseline, or the head of an earlier run, is asked of the gates, and what is said when it is refused."""

from pathlib import Path

from kernels.gates.base import Subject
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from kernels.values.verdict import GateReport
from roles.timing import FIRST_GUESS_NS


def alone(candidate: Candidate, spec: KernelSpec, folder: Path) -> Subject:
    """What is to be the head and has none beside it. folder: where it is built."""
    return Subject(
        candidate, spec, candidate, candidate.id, FIRST_GUESS_NS, folder, one_lever=True, exempt=True
    )  # fmt: skip


def refusal_told(report: GateReport, file: str) -> str:
    """Why a baseline was refused and what to do. file: its name."""
    todo = f"mend {file}"
    if report.kind == "protocol":
        todo += ", or the file of its target where its command does not write what that says"
    if report.kind == "wrong_values":
        todo += ", or widen [tolerance] in kernel.toml where the rounding is honest"
    return f"gate {report.gate}: {report.kind}: {report.reason}; {todo}"
