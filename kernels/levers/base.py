"""What a lever is asked and what it answers."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from kernels.values.machine import Machine


@dataclass(frozen=True, slots=True)
class Context:
    """The kernel's contract and the machine it is made for."""

    spec: KernelSpec
    machine: Machine


@dataclass(frozen=True, slots=True)
class Application:
    """One way to pull one lever on one candidate.

    family: sketch, structure, tunable or flags. site: where in the source, in words that a reader finds again.
    reason: why it may help. expects: what the reading should show if it does.
    """

    lever: str
    family: str
    params: Mapping[str, str | int | float]
    site: str
    reason: str
    expects: str


class LeverDoesNotApply(Exception):
    """The pattern of the lever is not in this source, or not with these parameters."""


class Lever(Protocol):
    """A rewrite of sources. Stateless and deterministic."""

    @property
    def name(self) -> str: ...

    @property
    def family(self) -> str: ...

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        """Every way to pull it here; empty when its pattern does not fit. Never raises for a fault of the source."""
        ...

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        """The changed candidate. Raises: LeverDoesNotApply."""
        ...


def with_source(candidate: Candidate, source: str) -> Candidate:
    """The candidate with another main file. Raises: LeverDoesNotApply when that changes nothing."""
    if source == candidate.source:
        raise LeverDoesNotApply("the source would stay as it is")
    return replace(candidate, files={**candidate.files, candidate.main: source})
