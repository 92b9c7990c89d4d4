"""Gate `estimate`: the static schedule of a candidate against the head's; a filter, never the objective.

It refuses only what is clearly slower by plans whose errors are known, from the candidates that were judged before.
Otherwise it keeps the plan, for planned and real to be compared later, and says why it does not decide.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final, Literal

from kernels.device.building import Host, build_under_lock
from kernels.gates.base import Subject, one_of, passed, refused, skipped
from kernels.profiling.agreement import NEEDED, filtered_from
from kernels.profiling.mca import NoEstimate
from kernels.profiling.planning import PlannedTime, Planning, Scheduler, plan
from kernels.targets.base import Artefact
from kernels.values.kernel import KernelSpec
from kernels.values.verdict import GateName, GateReport

Filter = Literal["band", "gain", "record"]
"""What to refuse. band: the clearly slower. gain: whatever does not promise `GAIN`. record: nothing."""

GAIN: Final = 0.03
"""What a plan has to promise under `gain`. Source: the agents of arXiv 2610.38329."""
WALL: Final = 1.25
"""Times peak below which a head waits for its memory, whatever its plan says."""
COVERED: Final = 0.25
"""Share of the head's measured time that its plan has to explain. A plan counts how often a loop runs from the bytes
that the call moves once; where loops go over the same bytes again and again it explains a few per mille, and the ratio
of two such plans is that of their shortest loops. Streaming kernels measured 0.6 to 3.5, nests over small arrays 0 to
0.15."""
WAITING: Final = 64
"""Builds whose schedules wait for their candidate to come to this gate, at most."""


class EstimateGate:
    """Schedules are kept by candidate: the head mostly came through here before; else its build is read."""

    name: GateName = "estimate"

    def __init__(self, find: Callable[[], Scheduler | None], host: Host, rule: Filter = "band") -> None:
        """find: the scheduler of the target, None without one; asked for at the first candidate."""
        self._find = find
        self._host = host
        self._rule: Filter = rule
        self._schedules: dict[str, Planning | str] = {}
        self._built: dict[Path, Planning | str] = {}

    def look_at(self, artefact: Artefact, spec: KernelSpec) -> None:
        """Make the schedule while whoever built it still holds the machine; blocks."""
        if len(self._built) >= WAITING:
            self._built.clear()  # builds that did not come here: gate compile refused them
        if self._scheduler is not None:
            self._built[artefact.path] = _scheduled(self._scheduler, artefact, spec)

    async def examine(self, subject: Subject) -> GateReport:
        found = await self._schedule(subject)
        if isinstance(found, str):
            return skipped("estimate", found)
        mine = plan(found, subject.spec, subject.peak_ns)
        facts: dict[str, Any] = {**_told(mine), "model": found.model, **found.details()}
        facts |= {"head_ns": subject.head_ns}
        if subject.candidate.id == subject.head.id:
            return skipped("estimate", "it is the head itself: its plan is kept for those that come after", **facts)
        known = await self._head(subject)
        if isinstance(known, str):
            return skipped("estimate", f"the head has no plan: {known}", **facts)
        head = plan(known, subject.spec, subject.peak_ns)
        wall = _wall(subject, mine, head)
        facts |= {"head_planned_ns": head.ns, "ratio": mine.ns / head.ns, "wall": wall}
        if len(subject.spec.shapes) > 1:
            said = f"planned {mine.ns / head.ns:.2f} x the head's time {one_of(subject.spec)}"
            return skipped("estimate", said, **facts)
        return self._decided(subject, mine.ns / head.ns, facts)

    def _decided(self, subject: Subject, ratio: float, facts: dict[str, Any]) -> GateReport:
        """Facts go with every answer."""
        if facts["wall"]:
            return skipped("estimate", f"at the wall: {facts['wall']}", **facts)
        count, band = filtered_from(subject.points, facts["model"])
        facts |= {"points": count, "tolerance": band}
        said = f"planned {ratio:.2f} x the head's time"
        if (covered := facts["head_planned_ns"] / subject.head_ns) < COVERED:
            why = f"the head's plan explains {covered:.1%} of its measured time, and {COVERED:.0%} are needed"
            return skipped("estimate", f"{why}; {said}", **facts)
        if band is None:
            why = f"not calibrated yet, {count} of {NEEDED} planned candidates were measured"
            return skipped("estimate", f"{why}; {said}", **facts)
        if self._rule == "record":
            return skipped("estimate", f"only kept, by the setting; {said}", **facts)
        limit = 1 - GAIN if self._rule == "gain" else band
        facts |= {"limit": limit}
        if ratio > limit:
            reason = f"{said}; up to {limit:.2f} x goes on, by the errors of {count} plans"
            return refused("estimate", "clearly_slower", reason, **facts)
        return replace(passed("estimate", **facts), reason=f"{said}; up to {limit:.2f} x goes on")

    @cached_property
    def _scheduler(self) -> Scheduler | None:
        return self._find()

    async def _schedule(self, subject: Subject) -> Planning | str:
        """Or why there is none."""
        if self._scheduler is None:
            return "there is no static cost model of this target"
        if subject.artefact is None:
            return "there is nothing to read: gate compile did not build it"
        return await self._kept(self._scheduler, subject.candidate.id, subject.artefact, subject.spec)

    async def _head(self, subject: Subject) -> Planning | str:
        """Of a head that did not come through here: it was built before a restart, or moved back to."""
        known, scheduler, folder = self._schedules.get(subject.head.id), self._scheduler, subject.head_folder
        if known is not None:
            return known
        artefact = None if scheduler is None or folder is None else scheduler.built_in(folder)
        if scheduler is None or artefact is None:
            return "it did not come through this gate, and its build is gone"
        return await self._kept(scheduler, subject.head.id, artefact, subject.spec)

    async def _kept(self, scheduler: Scheduler, key: str, artefact: Artefact, spec: KernelSpec) -> Planning | str:
        known = self._schedules.get(key) or self._built.pop(artefact.path, None)
        if known is None:
            job = partial(_scheduled, scheduler, artefact, spec)
            known = await build_under_lock(self._host, f"build plan of {spec.name}", job)
        self._schedules[key] = known
        return known


def _scheduled(scheduler: Scheduler, artefact: Artefact, spec: KernelSpec) -> Planning | str:
    try:
        return scheduler.schedule(artefact, spec)
    except NoEstimate as why:
        return str(why)


def _told(planned: PlannedTime) -> dict[str, float]:
    return {
        "planned_ns": planned.ns, "compute_ns": planned.compute_ns, "bandwidth_ns": planned.bandwidth_ns,
        "serial_ns": planned.serial_ns,
    }  # fmt: skip


def _wall(subject: Subject, mine: PlannedTime, head: PlannedTime) -> str:
    """Why the plan says nothing of who is faster; "" when it may."""
    if subject.peak_ns is not None and subject.head_ns <= WALL * subject.peak_ns:
        return f"the head takes {subject.head_ns / subject.peak_ns:.2f} x the time of the read probe"
    if head.at_the_wall:
        return "the head's plan is the time of the read probe"
    return "the plan is the time of the read probe" if mine.at_the_wall else ""
