"""What bounds a kernel as it is written, and what would bound it at its best on a machine, from syntax and chip facts.

    memory  = bytes that the contract makes a call move / read bandwidth
    compute = operations / rate of multiply-adds             steps = dependent steps in a row * latency of one

The longest of them bounds it. As written: one thread; at its best: all threads, and no dependent steps. What is not
measured is None, and says nothing. After: Williams, Waterman and Patterson, "Roofline", CACM 52(4), 2009.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from kernels.profiling.planned import whole_call
from kernels.values.kernel import KernelSpec
from kernels.values.machine import Machine
from knowledge.baselines.values import Character

Bound = Literal["memory", "compute", "dependent steps", "not known"]
FACTS: Final = ("read_dram_one", "read_dram_all", "read_llc", "read_l2", "fma_throughput", "fma_latency")
"""Chip facts that the analysis asks for: GB/s, Gflop/s of one thread, and ns."""
FITS: Final = 0.5  # of a cache that the arrays of a call may fill and still be found there


@dataclass(frozen=True, slots=True)
class Times:
    """Nanoseconds of a call by what it takes; None where a fact is missing."""

    memory: float | None
    compute: float | None
    steps: float | None = None

    @property
    def bound(self) -> Bound:
        """The longest; not known while the memory's or the arithmetic's part is not."""
        if self.memory is None or self.compute is None:
            return "not known"
        named: dict[Bound, float] = {"memory": self.memory, "compute": self.compute}
        named["dependent steps"] = self.steps or 0.0
        return max(named, key=lambda name: named[name])

    @property
    def ns(self) -> float | None:
        known = [ns for ns in (self.memory, self.compute, self.steps) if ns is not None]
        return max(known) if self.bound != "not known" else None


@dataclass(frozen=True, slots=True)
class Moved:
    """Bytes of one call by the contract. weights: at other addresses in every call, so never found in a cache. whole:
    every array once in each direction."""

    weights: int
    inputs: int
    outputs: int
    whole: int
    level: Literal["L2", "last-level cache", "memory"]


@dataclass(frozen=True, slots=True)
class Analysis:
    """One kernel's baseline. intensity: operations a byte. missing: facts that were asked for and are not measured."""

    character: Character
    moved: Moved
    intensity: float
    written: Times
    best: Times
    missing: tuple[str, ...]


def analysed(spec: KernelSpec, character: Character, machine: Machine, facts: Mapping[str, float]) -> Analysis:
    """facts: values by name, of this machine under the present toolchain."""
    moved = moved_by(spec, machine)
    compute = _over(character.operations, facts.get("fma_throughput"))
    latency = facts.get("fma_latency")
    written = Times(
        _memory(moved, facts, "read_dram_one"), compute, None if latency is None else character.steps * latency
    )
    threads = max(machine.threads, 1)
    best = Times(_memory(moved, facts, "read_dram_all"), None if compute is None else compute / threads)
    return Analysis(
        character, moved, character.operations / moved.whole if moved.whole else 0.0, written, best,
        tuple(name for name in FACTS if name not in facts),
    )  # fmt: skip


def moved_by(spec: KernelSpec, machine: Machine) -> Moved:
    arrays = [a for a in spec.arguments if a.shape]
    weights = spec.bytes_moved
    inputs = sum(a.nbytes for a in arrays if a.role in ("input", "inout"))
    outputs = sum(a.nbytes for a in arrays if a.writable)
    held = sum(a.nbytes for a in arrays)
    inside = "L2" if held <= FITS * machine.l2_bytes else "last-level cache"
    small = not weights and held <= FITS * machine.llc_bytes
    return Moved(weights, inputs, outputs, whole_call(spec), inside if small else "memory")


def _memory(moved: Moved, facts: Mapping[str, float], dram: str) -> float | None:
    """Weights come from memory, everything else from where all arrays of a call fit."""
    near = {"L2": "read_l2", "last-level cache": "read_llc", "memory": dram}[moved.level]
    rate, far = facts.get(near), facts.get(dram)
    others = moved.whole - moved.weights
    parts = [_over(moved.weights, far) if moved.weights else 0.0, _over(others, rate) if others else 0.0]
    known = [ns for ns in parts if ns is not None]
    return sum(known) if len(known) == len(parts) else None


def _over(amount: float, rate: float | None) -> float | None:
    """Nanoseconds: 1e9 a second is one a nanosecond."""
    return None if rate is None or rate <= 0 else amount / rate
