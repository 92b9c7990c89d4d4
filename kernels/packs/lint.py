"""Refuses packs on which a wrong kernel would pass: the onboarding gate of every pack.

Cases it is there for: a tolerance that lets zeros, a mean or another answer pass, an output with almost no spread (a
fill passes), weights of zeros (a no-op passes), an argument that changes nothing (leaving it out passes), a reference
that does not say the same twice. What only slows the baseline down, or keeps audits from looking, is a note.
"""

from dataclasses import dataclass

from typing_extensions import override

from kernels.packs.lint_reference import audit_notes
from kernels.packs.lint_trial import trial_of
from kernels.packs.lint_values import value_problems
from kernels.packs.loader import baseline
from kernels.packs.prototype import prototype_problems
from kernels.packs.reference import Reference, load_reference
from kernels.packs.sandbag import notes_on
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
    """As `lint`, for one kernel, at each of its shapes. reference: for a kernel whose own does not run by itself."""
    return [*_baseline(spec), *(finding for case in spec.cases for finding in _values(case, seed, reference))]


def _values(spec: KernelSpec, seed: int, reference: Reference | None) -> list[Finding]:
    try:
        problems = value_problems(spec, seed, reference or load_reference(spec))
        return [Finding(spec.name, subject, kind, _at(spec, text)) for subject, kind, text in problems]
    except PackError as error:
        return [Finding(spec.name, "", "reference", _at(spec, str(error)))]


def _at(spec: KernelSpec, text: str) -> str:
    return f"{spec.place}: {text}" if spec.place else text


def notes(pack: Pack) -> list[Finding]:
    """What a person should know of a pack that is fit for a campaign: baselines that may be slower than plain C has to
    be, and what audits cannot look at."""
    return [note for spec in pack.kernels for note in notes_on_kernel(spec)]


def notes_on_kernel(spec: KernelSpec) -> list[Finding]:
    """As `notes`, for one kernel."""
    try:
        seen = notes_on(spec, baseline(spec).source)
        found = [Finding(spec.name, subject, "baseline", text) for subject, text in seen]
        if spec.reference == "numpy":
            for case in spec.cases:
                trial = trial_of(case, 1, "generated", load_reference(case))
                found += [Finding(spec.name, subject, "audit", _at(case, text)) for subject, text in audit_notes(trial)]
    except PackError:
        return []  # which the linter itself says
    return found


def _baseline(spec: KernelSpec) -> list[Finding]:
    try:
        source = baseline(spec).source
    except PackError as error:
        return [Finding(spec.name, "", "baseline", str(error))]
    return [Finding(spec.name, subject, "prototype", text) for subject, text in prototype_problems(spec, source)]
