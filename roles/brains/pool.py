"""The models of one campaign: which role asks which, and which of them are out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from roles.brains.metered import Meter
from roles.brains.registry import Spec, make
from roles.brains.talk import Wire


@dataclass(frozen=True, slots=True)
class Seat:
    """A model that may be asked."""

    spec: Spec
    wire: Wire


@dataclass(slots=True)
class Models:
    """by_role: in the order of preference. spent: why no request is sent any more, "" while some may be. infra: work
    that the infrastructure spoiled, in a row. served: (kernel, candidate) of suggestions that a model had. parked:
    (kernel, head) under which a model got stuck with an idea of its own."""

    meter: Meter
    by_role: Mapping[str, Sequence[Seat]]
    spent: str = ""
    infra: int = 0
    out: dict[str, str] = field(default_factory=dict)
    served: set[tuple[str, str]] = field(default_factory=set)
    parked: set[tuple[str, str]] = field(default_factory=set)

    @classmethod
    def opened(cls, meter: Meter, specs: Mapping[str, Sequence[Spec]]) -> "Models":
        """One wire a model, whoever asks it. Raises: Final for a bad script."""
        wires: dict[Spec, Wire] = {spec: make(spec) for spec in {s for many in specs.values() for s in many}}
        return cls(meter, {role: [Seat(spec, wires[spec]) for spec in many] for role, many in specs.items()})

    def seat(self, role: str, number: int) -> Seat | None:
        """For the number-th agent of a role, from 0: they are spread over the models that are not out."""
        left = [] if self.spent else [s for s in self.by_role.get(role, ()) if s.spec.words not in self.out]
        return left[number % len(left)] if left else None

    def serves(self, role: str) -> bool:
        """Whether the settings name a model for it."""
        return bool(self.by_role.get(role))

    def any_for(self, role: str) -> bool:
        return self.seat(role, 0) is not None

    def describe(self) -> str:
        """`worker: anthropic:m, openai:n; all other roles: offline`."""
        said = [f"{role}: {', '.join(s.spec.words for s in seats)}" for role, seats in self.by_role.items()]
        return "; ".join([*said, "all other roles: offline"])

    async def close(self) -> None:
        for wire in {id(s.wire): s.wire for seats in self.by_role.values() for s in seats}.values():
            await wire.close()
