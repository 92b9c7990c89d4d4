"""Who plans a target's artefacts: its own compiler, llvm-mca, or nobody."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kernels.profiling.mca import NoEstimate
from kernels.profiling.planning import Scheduler
from kernels.profiling.schedule import CpuScheduler
from kernels.targets.base import Artefact, CompileFailed, Target, Timetabling
from kernels.values.kernel import KernelSpec
from kernels.values.machine import Machine
from kernels.values.timetable import Timetable


@dataclass(frozen=True, slots=True)
class PlannedByCompiler:
    """For a target whose compiler tells its plan."""

    target: Timetabling

    def schedule(self, artefact: Artefact, spec: KernelSpec) -> Timetable:
        """Blocks. Raises: NoEstimate."""
        try:
            return self.target.timetable(artefact, spec)
        except CompileFailed as failure:
            raise NoEstimate(failure.root_cause) from failure

    def built_in(self, folder: Path) -> Artefact | None:
        return self.target.built_in(folder)


SCHEDULERS: Final[Mapping[str, Callable[[Machine], Scheduler]]] = {"cpu-c": CpuScheduler}


def scheduler_of(target: Target) -> Scheduler | None:
    """None for a target without a static cost model."""
    if isinstance(target, Timetabling):
        return PlannedByCompiler(target) if target.has_timetables else None
    make = SCHEDULERS.get(target.name)
    return None if make is None else make(target.machine)
