"""Span logs of the device as a timeline a cluster: cycles, launch skew, the join with the static schedule.

Two shapes of lines were seen: tab-separated `SPAN, label#launch, begin, end, ?, name`, and `begin end text`. A span
begins when its command is issued to its queue, not when bytes move. Cycles of a launch are max(end) - min(begin); a
reading is that of the slower cluster. Toolchain 0.6.0 shows cluster 0 alone.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kernels.sandbox.spans import Span, Timeline
from kernels.values.timetable import Step, Timetable

NAMES: Final = ("Task", "DMA", "Renegade::TuExec", "StoVrf", "StoTrf", "StoTab", "Cluster")
_TABBED: Final = re.compile(
    r"^SPAN\t(?P<label>[^\t#]*)#(?P<launch>\d+)\t(?P<begin>\d+)\t(?P<end>\d+)\t(?P<other>[^\t]*)\t(?P<name>[^\t\n]+)$"
)
_PLAIN: Final = re.compile(r"^(?P<begin>\d+)\s+(?P<end>\d+)\s+(?P<name>\S.*)$")
_CLUSTER: Final = re.compile(r"\bcluster[ =_:]*(?P<cluster>[01])\b", re.IGNORECASE)
_CLASSES: Final = (
    ("dma", ("DMA",), ("DmaLoad", "DmaStore", "DmaStos", "DmaOther")),
    ("tensor unit", ("Renegade::TuExec", "StoVrf", "StoTrf", "StoTab"), ("Main", "Sub")),
    ("sync", ("Cluster", "Sync"), ("Core",)),
)
"""What is joined with what: names of spans, kinds of static instructions."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One span. begin, end: cycles; launch: of its process, from 0."""

    name: str
    begin: int
    end: int
    launch: int = 0
    cluster: int = 0


@dataclass(frozen=True, slots=True)
class Launched:
    """One launch. clusters: (begin, end) in cycles of each cluster that is shown."""

    clusters: tuple[tuple[int, int], ...]
    marks: tuple[Mark, ...]

    @property
    def cycles(self) -> int:
        """Of the slower cluster."""
        return max(end - begin for begin, end in self.clusters)

    @property
    def skew(self) -> int:
        """Cycles by which the last cluster began after the first; 0 where one alone is shown."""
        begins = [begin for begin, _ in self.clusters]
        return max(begins) - min(begins)

    @property
    def program(self) -> int:
        """Cycles without the wait of the cluster that began first for the one that began last: from the last begin. A
        cluster alone shows no skew."""
        return max(end for _, end in self.clusters) - max(begin for begin, _ in self.clusters)


def read_spans(text: str) -> list[Launched]:
    """By launch, in order. Raises: ValueError when no line is a span."""
    marks = [found for line in text.splitlines() if (found := _mark(line)) is not None]
    if not marks:
        raise ValueError("no span in the log: neither SPAN<TAB>label#launch.. nor `begin end text`")
    numbers = sorted({mark.launch for mark in marks})
    return [_launched([mark for mark in marks if mark.launch == number]) for number in numbers]


def _mark(line: str) -> Mark | None:
    found = _TABBED.match(line) or _PLAIN.match(line)
    if found is None or int(found["end"]) < int(found["begin"]):
        return None
    groups = found.groupdict()
    said = f"{groups.get('label') or ''} {groups.get('other') or ''} {found['name']}"
    cluster = _CLUSTER.search(said)
    launch = int(groups.get("launch") or 0)
    return Mark(
        found["name"].strip(), int(found["begin"]), int(found["end"]), launch, int(cluster[1]) if cluster else 0
    )


def _launched(marks: Sequence[Mark]) -> Launched:
    clusters = sorted({mark.cluster for mark in marks})
    ends = [
        (min(m.begin for m in marks if m.cluster == one), max(m.end for m in marks if m.cluster == one))
        for one in clusters
    ]
    return Launched(tuple(ends), tuple(sorted(marks, key=lambda mark: (mark.cluster, mark.begin))))


def timeline(launched: Launched, clock_ghz: float) -> Timeline:
    """Nanoseconds from the first begin; a thread a cluster."""
    start = min(begin for begin, _ in launched.clusters)
    spans = [
        Span(mark.cluster, mark.name, (mark.begin - start) / clock_ghz, (mark.end - start) / clock_ghz)
        for mark in launched.marks
    ]
    return Timeline(tuple(spans), int(max(span.end_ns for span in spans)))


def last_launch(text: str, clock_ghz: float) -> Timeline:
    """Raises: ValueError when no line is a span."""
    return timeline(read_spans(text)[-1], clock_ghz)


@dataclass(frozen=True, slots=True)
class Joined:
    """A span and the instruction that it is of."""

    mark: Mark
    step: Step


def join(launched: Launched, planned: Timetable, cluster: int = 0) -> tuple[list[Joined], dict[str, tuple[int, int]]]:
    """The k-th span of a class in a launch is the k-th static instruction of that class by begin.

    Returns the pairs, and by class how many spans and instructions there are where the counts differ: such a join says
    nothing from the first difference on.
    """
    pairs: list[Joined] = []
    uneven: dict[str, tuple[int, int]] = {}
    for name, spans, kinds in _CLASSES:
        marks = [m for m in launched.marks if m.cluster == cluster and m.name.split("(")[0].strip() in spans]
        steps = sorted((s for s in planned.steps if s.kind in kinds), key=lambda step: step.begin)
        if len(marks) != len(steps):
            uneven[name] = len(marks), len(steps)
        pairs += [Joined(mark, step) for mark, step in zip(marks, steps, strict=False)]
    return pairs, uneven


def comparable(a: Launched, b: Launched, share: float = 0.01) -> str:
    """Why two traces cannot be compared, "" when they can: their launch skews have to agree."""
    apart = abs(a.skew - b.skew)
    most = share * min(a.program, b.program)
    if len(a.clusters) != len(b.clusters):
        return f"one shows {len(a.clusters)} clusters, the other {len(b.clusters)}"
    return f"launch skews of {a.skew} and {b.skew} cycles differ by more than {share:.0%}" if apart > most else ""
