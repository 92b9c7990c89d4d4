"""Refuses packs on which a wrong kernel would pass: the onboarding gate of every pack.

Cases it is there for: a tolerance that lets zeros pass, an output with almost no spread (a fill passes), weights of
zeros (a no-op passes), an argument that changes nothing (leaving it out passes).
"""

from dataclasses import dataclass

from typing_extensions import override

from kernels.packs.lint_values import value_problems
from kernels.packs.loader import baseline
from kernels.packs.prototype import prototype_problems
from kernels.packs.reference import Reference, load_reference
from kernels.packs.toml import PackError
from kernels.values.kernel import KernelSpec, Pack


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason to refuse a pack. subject: the argument or output it is about, "" for the whole kernel."""

    kernel: str
    subject: str
    kind: str
    message: str

    @override
    def __str__(self) -> str:
        return f"{self.kernel}{': ' + self.subject if self.subject else ''}: {self.message}"


def lint(pack: Pack, seed: int = 1) -> list[Finding]:
    """Every reason to refuse the pack; empty when there is none. Runs the references: seconds on large weights."""
    return [finding for spec in pack.kernels for finding in lint_kernel(spec, seed)]


def lint_kernel(spec: KernelSpec, seed: int = 1, reference: Reference | None = None) -> list[Finding]:
    """As `lint`, for one kernel. reference: for a kernel whose own does not run by itself."""
    found = _baseline(spec)
    try:
        problems = value_problems(spec, seed, reference or load_reference(spec))
        found += [Finding(spec.name, subject, kind, text) for subject, kind, text in problems]
    except PackError as error:
        found.append(Finding(spec.name, "", "reference", str(error)))
    return found


def _baseline(spec: KernelSpec) -> list[Finding]:
    try:
        source = baseline(spec).source
    except PackError as error:
        return [Finding(spec.name, "", "baseline", str(error))]
    return [Finding(spec.name, subject, "prototype", text) for subject, text in prototype_problems(spec, source)]
