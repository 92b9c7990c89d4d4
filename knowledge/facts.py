"""Chip facts: what microbenchmarks measured of a target, with spread, unit and toolchain fingerprint."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from kernels.targets.base import Target
from knowledge.holding import one_by_one
from knowledge.probes.catalogue import lacking
from knowledge.probes.definition import Definition
from knowledge.probes.measure import READINGS, measure
from knowledge.probes.readings import Spread
from knowledge.probes.rig import ProbeFailed

HOLDER: Final = "measuring facts"


@dataclass(frozen=True, slots=True)
class ChipFact:
    """value: median of the readings in `unit`; low, high: their quartiles. probe: hash of definition and source.
    readings of a fact about modes are GB/s, its value the ratio of the highest level to the lowest."""

    name: str
    target: str
    title: str
    value: float
    low: float
    high: float
    unit: str
    fingerprint: str
    probe: str
    readings: tuple[float, ...] = ()
    points: tuple[tuple[Any, float], ...] = ()
    fit: dict[str, float] = field(default_factory=dict)
    environment: dict[str, Any] = field(default_factory=dict)

    @property
    def spread(self) -> Spread:
        return Spread(self.value, self.low, self.high)


@dataclass(frozen=True, slots=True)
class Unmeasured:
    """A fact that was not measured, and why. lacks: features that the processor does not have, which is no failure."""

    name: str
    why: str
    lacks: tuple[str, ...] = ()


Outcome = ChipFact | Unmeasured


def measure_one(definition: Definition, target: Target, folder: Path, readings: int = READINGS) -> Outcome:
    """Blocks; holds nothing. A probe that cannot run says why and stops nobody else."""
    missing = lacking(definition, target.machine)
    if missing:
        return Unmeasured(definition.name, f"this processor has no {', '.join(missing)}", missing)
    try:
        found = measure(definition, target, folder, readings)
    except ProbeFailed as failure:
        return Unmeasured(definition.name, str(failure))
    return ChipFact(
        definition.name, target.name, definition.title, found.spread.value, found.spread.low, found.spread.high,
        definition.unit, target.fingerprint.id, definition.digest, found.readings, found.points, found.fit,
        found.environment,
    )  # fmt: skip


async def measure_all(
    target: Target, wanted: Sequence[Definition], folder: Path, on_outcome: Callable[[Outcome], None],
    readings: int = READINGS,
) -> list[ChipFact]:  # fmt: skip
    """One after the other; the machine is held for four seconds at a time, so that a campaign gets its turns."""
    found: list[ChipFact] = []
    work = partial(measure_one, target=target, folder=folder, readings=readings)
    async for _, outcome in one_by_one(target.name, HOLDER, wanted, work):
        on_outcome(outcome)
        if isinstance(outcome, ChipFact):
            found.append(outcome)
    return found
