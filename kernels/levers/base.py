"""What a lever is: applicability, parameters, application."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Literal, Protocol

from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from kernels.values.machine import Machine

Family = Literal["sketch", "structure", "tunable", "flags"]
Parameters = Mapping[str, str | int | float]


class LeverDoesNotApply(Exception):
    """The lever's pattern is not there, or the change would not be legal. `reason` is for the reader."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Context:
    """What a lever may know beside the source: the contract and the machine."""

    spec: KernelSpec
    machine: Machine


@dataclass(frozen=True, slots=True)
class Application:
    """One way to apply one lever at one place.

    site: where, in the source's own terms ("function/number" or the name of a define). reason: why it fits there.
    expects: what it should move, for the record of predicted against measured.
    """

    lever: str
    family: Family
    params: Parameters
    site: str
    reason: str
    expects: str

    def to_json(self) -> str:
        return json.dumps({**asdict(self), "params": dict(self.params)}, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> "Application":
        raw = json.loads(text)
        return cls(raw["lever"], raw["family"], raw["params"], raw["site"], raw["reason"], raw["expects"])


class Lever(Protocol):
    """One named change."""

    @property
    def name(self) -> str: ...

    @property
    def family(self) -> Family: ...

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        """Every way it fits this candidate; empty when its pattern is not there."""
        ...

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        """The changed candidate. Raises: LeverDoesNotApply."""
        ...


def with_source(candidate: Candidate, source: str) -> Candidate:
    """The candidate with another main file."""
    return replace(candidate, files={**candidate.files, candidate.main: source})
