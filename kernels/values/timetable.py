"""What a compiler plans when: instructions on the units of a device, with what they wait for.

Times are cycles of the compiler's model. `makespan` is the last end; it compares kernels of one release, shapes and
types, and is no value of its own. A diagnosis begins at the step that reaches the end and asks what it waited for:
data, a shared unit, or nothing (a gap).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

Waiting = Literal["data", "unit", "start", "gap"]
MOST_LINKS: Final = 4096


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction. units: what it occupies from begin to end; none for a marker. reads, writes: names of tensors.
    file, line, column: of the source, "" and 0 where the compiler does not say; text: that expression."""

    index: str
    kind: str
    units: tuple[str, ...]
    begin: int
    end: int
    operator: str = ""
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    file: str = ""
    line: int = 0
    column: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A step of the critical path, the last one first. waited: what held it back; slack: cycles between that and its
    begin."""

    step: Step
    waited: Waiting
    slack: int


@dataclass(frozen=True, slots=True)
class Timetable:
    """clock_ghz: model cycles per ns. model: who planned it, for points that are compared."""

    steps: tuple[Step, ...]
    clock_ghz: float
    model: str
    title: str = ""
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def makespan(self) -> int:
        return max((step.end for step in self.steps), default=0)

    @property
    def ns(self) -> float:
        return self.makespan / self.clock_ghz

    @property
    def units(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(unit for step in self.steps for unit in step.units))

    def busy(self) -> dict[str, int]:
        """Cycles in which each unit does something, overlaps once."""
        return {unit: sum(end - begin for begin, end in self._held(unit)) for unit in self.units}

    def gaps(self, unit: str, shortest: int = 1) -> list[tuple[int, int]]:
        """Idle stretches of a unit between cycle 0 and the makespan, as (begin, end)."""
        at, found = 0, list[tuple[int, int]]()
        for begin, end in [*self._held(unit), (self.makespan, self.makespan)]:
            if begin - at >= shortest:
                found.append((at, begin))
            at = end
        return found

    def _held(self, unit: str) -> list[tuple[int, int]]:
        return _joined((step.begin, step.end) for step in self.steps if unit in step.units)

    def by_line(self) -> dict[tuple[str, int], int]:
        """Cycles of all steps of a source line, the most first; they overlap, so that their sum is no time."""
        found: dict[tuple[str, int], int] = {}
        for step in self.steps:
            if step.file:
                found[step.file, step.line] = found.get((step.file, step.line), 0) + step.end - step.begin
        return dict(sorted(found.items(), key=lambda one: -one[1]))

    def critical_path(self) -> tuple[Link, ...]:
        """From the step that ends last back to one that nothing held up; what ended last before a step held it up."""
        found: list[Link] = []
        step = max(self.steps, key=lambda one: one.end, default=None)
        while step is not None and len(found) < MOST_LINKS:
            before, waited = self._before(step)
            slack = step.begin - (before.end if before is not None else 0)
            found.append(Link(step, "gap" if waited == "unit" and slack > 0 else waited, slack))
            step = before
        return tuple(found)

    def _before(self, step: Step) -> tuple[Step | None, Waiting]:
        earlier = [one for one in self.steps if one.end <= step.begin and one is not step]
        data = [one for one in earlier if set(one.writes) & set(step.reads)]
        shared = [one for one in earlier if set(one.units) & set(step.units)]
        last = max([*data, *shared], key=lambda one: (one.end, one in data), default=None)
        if last is None:
            return None, "start"
        return last, "data" if last in data else "unit"

    def compute_ns(self, weights: int) -> float:
        """The whole plan, whatever was moved."""
        return self.ns

    def serial_ns(self, inputs: int) -> float:
        """Stands in the plan already."""
        return 0.0

    def details(self) -> dict[str, Any]:
        """What is kept beside a candidate's planned time."""
        return {"makespan": self.makespan, "busy": self.busy(), "steps": len(self.steps), **self.facts}


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Without overlaps, in order."""
    found: list[tuple[int, int]] = []
    for begin, end in sorted(spans):
        if found and begin <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        elif end > begin:
            found.append((begin, end))
    return found
