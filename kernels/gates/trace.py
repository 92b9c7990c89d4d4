"""Gate `trace`: one profiled run against the head: the loops that the lever aimed at did shrink.

What it sees was written by the candidate's own process. So it refuses only what is clearly longer in every turn, never
promotes, and skips whatever it cannot compare.
"""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from typing import Protocol

from kernels.device.building import build_under_lock
from kernels.device.profiles import CALLS
from kernels.gates.base import Subject, one_of, passed, refused, skipped
from kernels.profiling.aim import aimed_at, words
from kernels.profiling.planned import flow_in
from kernels.profiling.shrink import TURNS, Growth, NotComparable, growth, refuse_incomparable
from kernels.profiling.trace import Trace
from kernels.targets.base import CompileFailed, Target
from kernels.values.candidate import Candidate
from kernels.values.verdict import GateName, GateReport


class ProfileDevice(Protocol):
    def host(self, holder: str) -> AbstractAsyncContextManager[None]: ...

    async def profile(
        self, kernel: str, sides: Mapping[str, Path], *, turns: int = TURNS, calls: int = CALLS
    ) -> dict[str, Trace]: ...


class TraceGate:
    name: GateName = "trace"

    def __init__(self, target: Target, device: ProfileDevice, *, on: bool = True) -> None:
        self._target = target
        self._device = device
        self._on = on
        self._built: dict[str, Path] = {}

    async def examine(self, subject: Subject) -> GateReport:
        if not self._on:
            return skipped("trace", "switched off by the setting")
        if subject.one_lever:
            return skipped("trace", "a one-lever change of the head goes straight to the acceptance test")
        if len(subject.spec.shapes) > 1:
            return skipped("trace", f"a profiled run is {one_of(subject.spec)}")
        base = subject.made_from or subject.head
        aim = aimed_at(subject.candidate, base, subject.spec)
        if not aim:
            return skipped("trace", "no span is aimed at: no parallel loop over a large array was changed")
        try:
            found = await self._grown(subject, aim)
        except CompileFailed as failure:
            return skipped("trace", f"no build with marks: {failure.root_cause}")
        except NotComparable as why:
            return skipped("trace", f"{words(aim)} cannot be compared with the head's: {why}")
        return self._said(found, aim)

    async def _grown(self, subject: Subject, aim: frozenset[str]) -> Growth:
        """Raises: CompileFailed, NotComparable, DeviceUnhealthy."""
        flows = flow_in(subject.head, subject.spec), flow_in(subject.candidate, subject.spec)
        if flows[0] is None or flows[1] is None:
            raise NotComparable("a source cannot be followed")
        for flow in (flows[0], flows[1]):
            refuse_incomparable(flow, subject.spec, aim)
        sides = {
            "head": await self._build(subject, subject.head),
            "candidate": await self._build(subject, subject.candidate),
        }
        traces = await self._device.profile(subject.spec.name, sides, turns=TURNS)
        for whose, trace in traces.items():
            kind, reason = trace.caught
            if kind:
                raise NotComparable(f"the profiled run of the {whose} failed: {kind}: {reason}")
        return growth(traces["head"], traces["candidate"], (flows[0], flows[1]), subject.spec, aim)

    async def _build(self, subject: Subject, one: Candidate) -> Path:
        """With marks; that of the head is kept."""
        known = self._built.get(one.id)
        if known is not None and known.is_file():
            return known
        folder = subject.folder.with_name(one.id)
        folder.mkdir(parents=True, exist_ok=True)
        job = partial(self._target.compile, one, subject.spec, folder, profile=True)
        made = await build_under_lock(self._device, f"build {subject.spec.name} with marks", job)
        if one.id == subject.head.id:
            self._built[one.id] = made.path
        return made.path

    @staticmethod
    def _said(found: Growth, aim: frozenset[str]) -> GateReport:
        facts = {
            "aim": sorted(aim), "head_ns": found.head_ns, "ns": found.ns, "ratios": list(found.spans),
            "call_ratios": list(found.calls),
        }  # fmt: skip
        said = (
            f"{words(aim)} took {found.ns / 1e3:.1f} us, the head's {found.head_ns / 1e3:.1f} us "
            f"({100 * (found.ratio - 1):+.1f} %)"
        )
        if found.clear:
            reason = f"{said}, longer in all {len(found.spans)} turns, and the whole call is no faster"
            return refused("trace", "longer_span", reason, **facts)
        return passed("trace", said, **facts)
