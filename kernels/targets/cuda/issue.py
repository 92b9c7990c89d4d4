"""The time that a call's instructions take to be issued, from PTX whose loops have a known number of turns.

    cycles of a launch = ceil(blocks / multiprocessors) x warps of a block x max over units of (instructions x cycles)

It is a lower bound: no latency, no memory, no cache, no register moves that ptxas adds or leaves out. Gate `estimate`
compares such plans only after it has learnt their errors. Cycles of a warp's instruction on a multiprocessor: four
schedulers issue one each a cycle; for units 32 over the results a cycle of the CUDA C++ Programming Guide, table
"Throughput of Native Arithmetic Instructions": fp32 128 (64 on 7.5 and 8.0), fp64 64 (8.0: 32; parts for graphics: 2),
special functions 16, integers 64. Loads and stores: 32 lanes a cycle.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kernels.targets.cuda.architecture import Architecture
from kernels.targets.cuda.listing import Function, Loop
from kernels.targets.cuda.opcodes import Kind
from kernels.values.timetable import Step, Timetable

SCHEDULERS: Final = 4
UNIT: Final = "multiprocessors"
_LARGE: Final = frozenset({(8, 0), (9, 0), (10, 0)})
_MEMORY: Final[tuple[Kind, ...]] = (
    "global load", "global store", "shared load", "shared store", "local", "async copy", "atomic",
)  # fmt: skip


class NoCount(Exception):
    """How often something is executed cannot be told."""


@dataclass(frozen=True, slots=True)
class Launched:
    """A launch, as the container says it."""

    function: str
    blocks: int
    threads: int


def launched(head: bytes) -> list[Launched]:
    """head: of a container, for one shape."""
    lines = (line.split() for line in head.partition(b"\ncubin ")[0].decode(errors="replace").splitlines())
    return [Launched(words[1], int(words[2]), int(words[3])) for words in lines if words[:1] == ["launch"]]


def executed(one: Function) -> dict[Kind, int]:
    """Instructions of a warp that takes every branch forward. Raises: NoCount for a loop without a known number."""
    found: Counter[Kind] = Counter()
    for i, step in enumerate(one.body):
        times = 1
        for loop in one.loops:
            if loop.begin <= i < loop.end:
                times *= _turns(one, loop)
        found[step.kind] += times
    return dict(found)


def _turns(one: Function, loop: Loop) -> int:
    if loop.turns is None:
        raise NoCount(f"a loop of {one.name} turns a number of times that is no constant of its PTX")
    return loop.turns


def cycles(chip: Architecture, counts: Mapping[Kind, int]) -> float:
    """Of one warp, alone on a multiprocessor whose units it keeps busy."""
    fp32 = 64 if chip.capability in {(7, 5), (8, 0)} else 128
    fp64 = 32 if chip.capability == (8, 0) else 64 if chip.capability in _LARGE else 2
    units = {
        "issue": sum(counts.values()) / SCHEDULERS, "fp32": counts.get("fp32", 0) * 32 / fp32,
        "fp64": counts.get("fp64", 0) * 32 / fp64, "special": counts.get("special", 0) * 32 / 16,
        "integer": counts.get("integer", 0) * 32 / 64, "memory": float(sum(counts.get(kind, 0) for kind in _MEMORY)),
    }  # fmt: skip
    return max(units.values())


def timetable(
    chip: Architecture, multiprocessors: int, clock_ghz: float, calls: Sequence[Launched], known: Mapping[str, Function]
) -> Timetable:
    """Launches one after the other. Raises: NoCount."""
    steps: list[Step] = []
    at = 0
    for i, one in enumerate(calls):
        warps, rounds = -(-one.threads // 32), -(-one.blocks // multiprocessors)
        took = max(1, round(rounds * warps * cycles(chip, executed(known[one.function]))))
        steps.append(Step(str(i), "launch", (UNIT,), at, at + took, one.function))
        at += took
    return Timetable(tuple(steps), clock_ghz, f"issue slots of PTX, {chip.name}", "launches")
