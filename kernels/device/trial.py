"""One test of a candidate against the head: pairs of readings, and the check of a secret sample of the timed calls.

Both sides of a pair get new processes and the same fresh inputs, in different orders, on the same slots. What was kept
of the timed calls is verified at the end of the test in one matrix product.
"""

import math
import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

import numpy as np

from kernels.device import environment
from kernels.device.calls import Caller, Misconduct
from kernels.device.contender import Contender, seat
from kernels.device.expected import Done, fault
from kernels.device.failures import named
from kernels.device.gauge import Gauge
from kernels.device.reading import Planned, Taken, below_floor, calls_for, pause, take
from kernels.device.redo import Redo
from kernels.device.report import CheckReport, HeadFailed
from kernels.device.station import Station
from kernels.sandbox.runner import RunnerFailed
from kernels.values.reading import First, Pair, Reading

Side = Literal["head", "candidate"]
SAMPLE: Final = 40  # timed calls verified at the end of a test
VOID: Final = Reading(math.nan, 0, math.nan, math.nan)


@dataclass(slots=True)
class Trial:
    """State of one running test on one device."""

    station: Station
    gauge: Gauge
    head: Contender
    candidate: Contender
    fifo: bool
    samples: list[tuple[Side, Done]] = field(default_factory=list)
    last: dict[Side, Done] = field(default_factory=dict)
    misconduct: tuple[str, str] | None = None
    findings: set[str] = field(default_factory=set)
    pairs: int = 0
    redo: Redo = field(init=False)

    def __post_init__(self) -> None:
        self.redo = Redo(bool(self.gauge.probes))

    def pair(self, first: First, head_ns: float) -> Pair:
        """One atomic pair, with probes before and after it.

        Raises: RunnerFailed for the candidate, HeadFailed for the head, DeviceUnhealthy for anything else that fails,
        ValueError for `head_ns`.
        """
        count = calls_for(head_ns)
        self.station.turn()
        for slot in range(self.station.slots):
            self.station.epoch.disturb(slot)
        order: tuple[Side, Side] = ("head", "candidate") if first == "head" else ("candidate", "head")
        self._start(order)
        watch = environment.Watch.start(self._processes())
        trip = self.gauge.round_trip(fifo=self.fifo)
        before = self.gauge.quick(trip, fifo=self.fifo)
        taken = self._sides(order, count, max(50 * head_ns * 1e-9, 2.0), trip)
        after = self.gauge.quick(trip, fifo=self.fifo)
        self.pairs += 1
        self._census()
        return self._result(taken, first, before, after, trip, watch)

    def _start(self, order: tuple[Side, Side]) -> None:
        """A new process for each side, in the order of the readings.

        Raises: RunnerFailed for the candidate, HeadFailed for the head.
        """
        first, second = (self._of(side) for side in order)
        seat(first, second)
        for side in order:
            with self._blaming(side):
                _ = self._of(side).runner

    def _of(self, side: Side) -> Contender:
        return self.head if side == "head" else self.candidate

    @contextmanager
    def _blaming(self, side: Side) -> Generator[None]:
        """Raises: HeadFailed for a RunnerFailed of the head."""
        try:
            yield
        except RunnerFailed as failure:
            if self._blames_head(side):
                raise HeadFailed(*named(failure, self.station.layout)) from failure
            raise

    def _processes(self) -> tuple[int, ...]:
        contenders = (self.head, self.candidate, self.gauge.empty, *self.gauge.probes.values())
        return (os.getpid(), *{c.runner.pid for c in contenders if c.running})

    def _sides(self, order: tuple[Side, Side], count: int, timeout_s: float, trip: float) -> dict[Side, Taken | None]:
        station = self.station
        regime = "random" if "random" in station.spec.regimes else station.spec.regimes[0]
        inputs = [station.activations(regime) for _ in range(count + 1)]
        lap = station.lap()
        taken: dict[Side, Taken | None] = {}
        for side in order:
            shuffled = [inputs[int(i)] for i in station.rng.permutation(len(inputs))]
            plan = [Planned(lap[i % len(lap)], values) for i, values in enumerate(shuffled)]
            taken[side] = self._side(side, plan, timeout_s, trip)
            pause(self.fifo)
        return taken

    def _side(self, side: Side, plan: list[Planned], timeout_s: float, trip: float) -> Taken | None:
        """None when the reading is void because the candidate misbehaved."""
        caller = Caller(self._of(side), self.station.rng, timeout_s)
        last = len(plan) - 1
        sample = frozenset({last, 1 + int(self.station.rng.integers(last))})
        try:
            with self._blaming(side):
                taken = take(caller, self.station.epoch, plan, sample, trip, fifo=self.fifo)
        except Misconduct as misconduct:
            if self._blames_head(side):
                raise HeadFailed(misconduct.kind, misconduct.reason) from misconduct
            self._note(misconduct.kind, misconduct.reason)
            return None
        self.findings |= {f"{side}: {text}" for text in caller.findings}
        self.samples += [(side, call) for call in taken.kept]
        self.last[side] = taken.kept[-1]
        return taken

    def _blames_head(self, side: Side) -> bool:
        """A head that is tested against itself answers as a candidate."""
        return side == "head" and self.head is not self.candidate

    def _note(self, kind: str, reason: str) -> None:
        self.misconduct = self.misconduct or (kind, reason)

    def _reading(self, side: Side, taken: Taken | None, gbs: float) -> tuple[Reading, str]:
        """The reading, and why it is in quarantine; such a reading is not a number."""
        if taken is None:
            return VOID, f"{side}: {self.misconduct}"
        reading = taken.reading
        why = below_floor(reading.ns, self.station.spec.bytes_moved, gbs)
        if not why:
            return reading, ""
        if side == "candidate":
            self._note("below_floor", why)
        return replace(reading, ns=math.nan), f"{side}: below_floor: {why}"

    def _result(
        self,
        taken: dict[Side, Taken | None],
        first: First,
        before: float,
        after: float,
        trip: float,
        watch: environment.Watch,
    ) -> Pair:
        fastest = self.gauge.fastest(before, after)
        head, head_why = self._reading("head", taken["head"], fastest)
        candidate, candidate_why = self._reading("candidate", taken["candidate"], fastest)
        fifo = all(t is not None and t.fifo for t in taken.values())
        facts = {
            "load": environment.load_average(),
            "foreign": f"{watch.foreign():.2f}",
            "realtime": "yes" if fifo else "no",
            "level": self.candidate.runner.level if self.candidate.running else "",
            "pages": self.station.pages,
            "clock_mhz": environment.clock_mhz(),
            "round_trip_ns": f"{trip:.0f}",
            "quarantine": "; ".join(why for why in (head_why, candidate_why) if why),
        }
        self.gauge.memory.modes.observe(before)
        mode = self.gauge.memory.modes.observe(after)
        pair = Pair(head, candidate, first, before, after, mode, "", {k: v for k, v in facts.items() if v})
        return replace(pair, redo_reason=self.redo.reason(pair))

    def end(self) -> CheckReport:
        """Verify the secret sample of both sides, the candidate's last call included.

        The fact "side" says whose fault it is. A wrong head takes precedence: such a test binds no candidate.
        """
        start = self.station.oracle.seconds
        chosen = self._chosen()
        head = self._verify(chosen)
        facts: dict[str, Any] = {"pairs": self.pairs, "timed_calls_verified": len(chosen)}
        kind, reason = head or self.misconduct or ("", "")
        if kind:
            facts["side"] = "head" if head else "candidate"
        seconds = self.station.oracle.seconds - start
        return CheckReport(not kind, kind, reason, facts, tuple(sorted(self.findings)), seconds)

    def _verify(self, chosen: list[tuple[Side, Done]]) -> tuple[str, str] | None:
        """(kind, reason) of the head's first wrong call; the candidate's is noted."""
        head: tuple[str, str] | None = None
        answers = self.station.oracle.answers([call for _, call in chosen])
        for (side, call), answer in zip(chosen, answers, strict=True):
            found = fault(self.station.spec, call, answer)
            if found is not None and self._blames_head(side):
                head = head or (found.kind, f"a timed call: {found.reason}")
            elif found is not None:
                self._note(found.kind, f"a timed call: {found.reason}")
        return head

    def _chosen(self) -> list[tuple[Side, Done]]:
        last: list[tuple[Side, Done]] = list(self.last.items())
        rest = [one for one in self.samples if one[1] not in self.last.values()]
        picks = self.station.rng.permutation(len(rest))[: SAMPLE - len(last)]
        return [rest[int(i)] for i in np.sort(picks)] + last

    def _census(self) -> None:
        """Threads of the candidate's own are misconduct; a runner that cannot be asked any more failed."""
        if not self.candidate.running:
            return
        try:
            processes = self.candidate.runner.census().processes
        except RunnerFailed as failure:
            self._note(*named(self.candidate.failed(failure), self.station.layout))
            return
        if processes > 1:
            self._note("own_threads", f"{processes} processes after the calls of a reading")
