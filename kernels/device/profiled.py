"""Profiled calls of one or more builds with marks: on fresh inputs, in turns, each in new processes.

Nothing here is a reading: a build with marks is another program, and its marks are its own word. The outputs are not
verified; what is profiled has passed the gates before.
"""

import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from kernels.device.calls import Caller, Misconduct
from kernels.device.check import call_timeout_s
from kernels.device.contender import Contender, seat
from kernels.device.failures import named
from kernels.device.gauge import Gauge
from kernels.device.reading import pause
from kernels.device.realtime import Breath, realtime
from kernels.device.station import Station
from kernels.profiling.trace import Call, Trace, call_of
from kernels.sandbox.runner import RunnerFailed

ENOUGH_S: Final = 20.0  # no further turn begins after so long


@dataclass(slots=True)
class Profiled:
    """One profiled run. sides: by name, each built with marks; turns: how often each gets a new process; calls: that
    are kept in a turn, after one that warms up."""

    station: Station
    gauge: Gauge
    sides: Mapping[str, Contender]
    turns: int
    calls: int
    fifo: bool
    _kept: dict[str, list[Call]] = field(default_factory=dict)
    _caught: dict[str, tuple[str, str]] = field(default_factory=dict)
    _findings: dict[str, set[str]] = field(default_factory=dict)

    def run(self) -> dict[str, Any]:
        """By side a trace as JSON. A side that fails or misbehaves says so and is left out from then on; the others go
        on.

        Raises: DeviceUnhealthy.
        """
        self.station.turn()
        trip = self.gauge.round_trip(fifo=self.fifo)
        probes = [self.gauge.quick(trip, fifo=self.fifo)]
        started = time.monotonic()
        for turn in range(self.turns):
            names = [name for name in self.sides if name not in self._caught]
            self._turn(turn, names[::-1] if turn % 2 else names, trip)
            probes.append(self.gauge.quick(trip, fifo=self.fifo))
            if time.monotonic() - started > ENOUGH_S:
                break
        gbs = statistics.median(probes) or self.gauge.fastest()
        mode = self.gauge.memory.modes.observe(gbs)
        return {name: self._trace(name, gbs, mode, trip).to_json() for name in self.sides}

    def _turn(self, turn: int, names: Sequence[str], trip: float) -> None:
        seat([self.sides[name] for name in names])
        slots = self.station.path(self.calls + 1)
        inputs = [self.station.activations(str(self.station.rng.choice(self.station.spec.regimes))) for _ in slots]
        for name in names:
            try:
                self._side(turn, name, list(zip(slots, inputs, strict=True)), trip)
            except Misconduct as misconduct:
                self._caught[name] = misconduct.kind, misconduct.reason
            except RunnerFailed as failure:
                self._caught[name] = named(failure, self.station.layout)
            pause(self.fifo)

    def _side(self, turn: int, name: str, plan: Sequence[tuple[int, Any]], trip: float) -> None:
        """Raises: RunnerFailed, Misconduct, DeviceUnhealthy."""
        one = self.sides[name]
        caller = Caller(one, self.station.rng, call_timeout_s(self.station))
        with realtime(one.runner, self.fifo) as held:
            breath = Breath()
            for number, (slot, values) in enumerate(plan):
                if held:
                    breath.take()
                done = caller.call(self.station.epoch, caller.place(slot), values, f"profiled call {number}")
                if number:
                    self._keep(turn, name, float(done.elapsed_ns), trip)

    def _keep(self, turn: int, name: str, elapsed_ns: float, trip: float) -> None:
        one = self.sides[name]
        try:
            call = call_of(turn, max(elapsed_ns - trip, 1.0), one.runner.timeline(), one.threads)
        except ValueError as contradiction:
            self._findings.setdefault(name, set()).add(str(contradiction))
        else:
            self._kept.setdefault(name, []).append(call)

    def _trace(self, name: str, gbs: float, mode: str, trip: float) -> Trace:
        return Trace(
            tuple(self._kept.get(name, ())), gbs, mode, trip,
            self._caught.get(name, ("", "")), tuple(sorted(self._findings.get(name, ()))),
        )  # fmt: skip
