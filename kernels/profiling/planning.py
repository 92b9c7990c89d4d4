"""The time that a static schedule plans for, whoever made it, and what one is asked for."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from kernels.targets.base import Artefact
from kernels.values.kernel import KernelSpec


class Planning(Protocol):
    """A static schedule of any target. model: who made it; plans of other models are not compared."""

    @property
    def model(self) -> str: ...

    def compute_ns(self, weights: int) -> float: ...

    def serial_ns(self, inputs: int) -> float: ...

    def details(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class PlannedTime:
    """Nanoseconds. bandwidth_ns: to move the weights, 0 where no probe could tell."""

    compute_ns: float
    bandwidth_ns: float
    serial_ns: float

    @property
    def ns(self) -> float:
        return max(self.compute_ns, self.bandwidth_ns) + self.serial_ns

    @property
    def at_the_wall(self) -> bool:
        """The memory is what it waits for: the schedule says nothing of its time."""
        return self.bandwidth_ns >= self.compute_ns


def plan(schedule: Planning, spec: KernelSpec, peak_ns: float | None) -> PlannedTime:
    """peak_ns: the probe's time to read the weights; None where it has none."""
    arrays = [a for a in spec.arguments if a.shape]
    read = sum(a.nbytes for a in arrays if a.role != "output")
    inputs = sum(a.nbytes for a in arrays if a.role == "input")
    return PlannedTime(schedule.compute_ns(spec.bytes_moved or read), peak_ns or 0.0, schedule.serial_ns(inputs))


class Scheduler(Protocol):
    def schedule(self, artefact: Artefact, spec: KernelSpec) -> Planning:
        """Blocks. Raises: NoEstimate."""
        ...

    def built_in(self, folder: Path) -> Artefact | None:
        """What was built in this folder, None when it is not there."""
        ...
