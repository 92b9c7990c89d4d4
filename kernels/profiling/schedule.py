"""The static schedule of a built candidate: its hot loops, their cycles by llvm-mca, and the time that they plan for.

    t_est = max(time to move the weights by the read probe, bytes x cycles per byte / (clock x threads)) + serial passes

The hot loops are the innermost loops that bring new memory with every turn; where some of them are in another loop,
those that are not are serial passes over the inputs. A loop with at most half of the bytes a turn of another like it is
a remainder, and left out. Hot loops share the bytes alike, as nothing in the object says how.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kernels.profiling.disassembly import functions
from kernels.profiling.loops import Loop, innermost
from kernels.profiling.mca import MOST_LOOPS, Mca, NoEstimate, find_mca
from kernels.profiling.streams import distinct_bytes, streaming
from kernels.targets.base import Artefact
from kernels.targets.cpu_c.object_scan import ScanFailed, dump
from kernels.targets.cpu_c.target import LIBRARY, OBJECT
from kernels.values.kernel import KernelSpec
from kernels.values.machine import Machine

REMAINDER: Final = 0.5
POOL: Final = ("kw_parallel_for", "GOMP_parallel")


@dataclass(frozen=True, slots=True)
class Streaming:
    """A loop with its new bytes a turn and the widest load among them."""

    loop: Loop
    bytes: int
    widest: int

    def is_remainder_of(self, other: "Streaming") -> bool:
        """It does what is left over: beside the other in one nest or in none, or by the same loads over fewer rows."""
        mine, its = self.loop, other.loop
        if mine.function.name != its.function.name or self.bytes > REMAINDER * other.bytes:
            return False
        beside = mine.outermost == its.outermost or mine.depth == its.depth == 1
        return beside or self.widest == other.widest


@dataclass(frozen=True, slots=True)
class HotLoop:
    """One loop, with its cycles and new bytes a turn. threads: that it runs on. serial: a pass over the inputs."""

    function: str
    address: int
    instructions: int
    cycles: float
    bytes: int
    threads: int
    serial: bool = False

    @property
    def cycles_per_byte(self) -> float:
        """Of all its threads together."""
        return self.cycles / self.bytes / self.threads

    def to_json(self) -> dict[str, Any]:
        return {"function": self.function, "address": f"0x{self.address:x}", "instructions": self.instructions,
                "cycles": self.cycles, "bytes": self.bytes, "threads": self.threads, "serial": self.serial}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Schedule:
    """Loops of one object under one model of a core. clock_ghz: cycles per ns."""

    loops: tuple[HotLoop, ...]
    model: str
    clock_ghz: float

    def compute_ns(self, weights: int) -> float:
        """Time for that many bytes when every load hits the first cache."""
        hot = [loop.cycles_per_byte for loop in self.loops if not loop.serial]
        return weights * sum(hot) / len(hot) / self.clock_ghz

    def serial_ns(self, inputs: int) -> float:
        """Time of the serial passes, each over that many bytes."""
        return inputs * sum(loop.cycles_per_byte for loop in self.loops if loop.serial) / self.clock_ghz

    def details(self) -> dict[str, Any]:
        """What is kept beside a candidate's planned time."""
        return {"loops": [loop.to_json() for loop in self.loops]}


class CpuScheduler:
    """For target cpu-c. llvm-mca is looked for at the first use."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._mca: Mca | None = None

    def schedule(self, artefact: Artefact, spec: KernelSpec) -> Schedule:
        """Blocks for about 0.1 s. Raises: NoEstimate."""
        folder = artefact.path.parent / "schedule"
        if self._machine.clock_ghz <= 0:
            raise NoEstimate("the machine does not say its clock")
        if not any(a.shape and a.role != "output" for a in spec.arguments):
            raise NoEstimate("the kernel reads no array: there are no bytes to plan by")
        self._mca = self._mca or find_mca(self._machine, folder)
        text = self._dump(artefact.path.with_name(OBJECT))
        chosen = hot_loops([loop for one in functions(text) for loop in innermost(one)])
        cycles = self._mca.cycles([loop.body for loop in chosen], folder)
        pool = any(name in text for name in POOL)
        deep = any(loop.depth > 1 for loop in chosen)
        loops = [self._told(loop, n, spec, pool=pool, deep=deep) for loop, n in zip(chosen, cycles, strict=True)]
        return Schedule(tuple(loops), self._mca.name, self._machine.clock_ghz)

    def built_in(self, folder: Path) -> Artefact | None:
        path = folder.absolute() / "build" / LIBRARY
        return Artefact(path, "", 0.0) if path.is_file() else None

    @staticmethod
    def _dump(path: Path) -> str:
        try:
            return dump(path)
        except (ScanFailed, OSError) as failure:
            raise NoEstimate(f"the object cannot be read: {failure}") from failure

    def _told(self, loop: Loop, cycles: float, spec: KernelSpec, *, pool: bool, deep: bool) -> HotLoop:
        """What the entry point itself does, it does on one thread."""
        name = loop.function.name
        serial = deep and loop.depth == 1
        threads = self._machine.threads if pool and not serial and name != spec.entry else 1
        return HotLoop(name, loop.address, len(loop.body), cycles, distinct_bytes(streaming(loop)), threads, serial)


def hot_loops(found: Sequence[Loop]) -> list[Loop]:
    """Those that the time goes to, at most `MOST_LOOPS`, nests first, then the ones with the most bytes a turn.

    Raises: NoEstimate when there is none, or when they call what the schedule cannot see.
    """
    streams = [(loop, streaming(loop)) for loop in found]
    moving = [Streaming(loop, distinct_bytes(new), max(one.width for one in new)) for loop, new in streams if new]
    if not moving:
        raise NoEstimate("no loop of the object brings new memory with its turns: no hot loop is found")
    clear = [one for one in moving if not any(step.opaque for step in one.loop.body)]
    if not clear:
        raise NoEstimate("the hot loop calls a function: its cycles cannot be told")
    kept = [one for one in clear if not any(one.is_remainder_of(other) for other in clear)]
    return [one.loop for one in sorted(kept, key=lambda one: (one.loop.depth == 1, -one.bytes))[:MOST_LOOPS]]
