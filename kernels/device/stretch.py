"""Readings back to back, of the same fresh inputs on the same slots: a pair of a test, or a block of a race.

A probe before and one after say in which mode the device was; the round trip is measured anew for every stretch.
"""

import os
import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from kernels.device import environment
from kernels.device.bench import Stored
from kernels.device.calls import Caller, Misconduct
from kernels.device.contender import Contender
from kernels.device.gauge import Gauge
from kernels.device.leftover import left_behind
from kernels.device.reading import QUARTILE_FROM, Planned, Taken, pause, take
from kernels.device.station import Station
from kernels.sandbox.runner import RunnerFailed

KEPT: Final = 3  # calls of a reading that are kept beside the last: a lower quartile of skipped ones is soon found


@dataclass(slots=True)
class Stretch:
    """One stretch under way. trip: ns of an empty call; before, after: GB/s by the probe."""

    station: Station
    gauge: Gauge
    fifo: bool
    inputs: list[Stored]
    decoy: Stored
    path: list[int]
    timeout_s: float
    watch: environment.Watch
    trip: float
    before: float
    after: float = 0.0
    mode: str = ""
    realtime: bool = True

    @classmethod
    def begin(
        cls, station: Station, gauge: Gauge, contenders: Collection[Contender], head_ns: float, *, fifo: bool
    ) -> "Stretch":
        """Probe, draw the inputs. contenders: their processes run; head_ns sets the number of calls.

        Raises: ValueError for `head_ns`, DeviceUnhealthy.
        """
        count = station.calls_for(head_ns)
        watch = environment.Watch.start(_processes(gauge, contenders))
        trip = gauge.round_trip(fifo=fifo)
        before = gauge.quick(trip, fifo=fifo)
        regime = "random" if "random" in station.spec.regimes else station.spec.regimes[0]
        inputs = [station.activations(regime) for _ in range(count + 1)]
        timeout_s = max(50 * head_ns * 1e-9, 2.0)
        decoy = station.activations(str(station.rng.choice(station.spec.regimes)))
        path = station.path(len(inputs) + 1)
        return cls(station, gauge, fifo, inputs, decoy, path, timeout_s, watch, trip, before)

    def take(self, contender: Contender) -> Taken:
        """One reading: the inputs in an order of its own, a warm-up first, a secret sample of the calls kept.

        Raises: Misconduct, RunnerFailed.
        """
        caller = Caller(contender, self.station.rng, self.timeout_s)
        threads = contender.runner.census().threads
        try:
            taken = take(caller, self.station.epoch, self._plan(), self.trip, fifo=self.fifo)
        except (Misconduct, RunnerFailed):
            pause(self.fifo)
            raise
        self._rest(contender, threads)
        self.realtime = self.realtime and taken.fifo
        return taken

    def _rest(self, contender: Contender, threads: int) -> None:
        """Leave the machine to others for a moment, and see whether the candidate does so too."""
        started = time.monotonic()
        try:
            left = left_behind(contender, threads)
        except RunnerFailed as failure:
            raise contender.failed(failure) from failure
        pause(self.fifo, time.monotonic() - started)
        if left:
            raise Misconduct("own_threads", left)

    def _plan(self) -> list[Planned]:
        """The last call is kept, some others, and a decoy. Where there are few calls the warm-up is the decoy."""
        rng = self.station.rng
        inputs = [self.inputs[int(i)] for i in rng.permutation(len(self.inputs))]
        few = len(inputs) <= QUARTILE_FROM
        decoy = 0 if few else 1 + int(rng.integers(len(inputs)))
        if few:
            inputs[0] = self.decoy
        else:
            inputs.insert(decoy, self.decoy)
        last = len(inputs) - 1
        kept = {decoy, last, *(1 + int(i) for i in rng.integers(last, size=1 if few else KEPT))}
        return [Planned(self.path[i], values, i in kept, i == decoy) for i, values in enumerate(inputs)]

    def end(self) -> None:
        """Probe again, and name the mode. Raises: DeviceUnhealthy."""
        self.after = self.gauge.quick(self.trip, fifo=self.fifo)
        modes = self.gauge.memory.modes
        modes.observe(self.before)
        self.mode = modes.observe(self.after)

    def unbelievable(self, ns: float) -> str:
        """Why a reading is too short to be true, "" when it is not, against all probes. Raises: DeviceUnhealthy."""
        return self.gauge.unbelievable(ns, self.before, self.after, fifo=self.fifo)

    def facts(self, quarantine: str, level: str) -> dict[str, str]:
        """What is kept with the readings. quarantine: why some are no numbers; level: the sandbox's."""
        facts = {
            "load": environment.load_average(),
            "foreign": f"{self.watch.foreign():.2f}",
            "realtime": "yes" if self.realtime else "no",
            "level": level,
            "pages": self.station.pages,
            "clock_mhz": environment.clock_mhz(),
            "governor": environment.governor(),
            "round_trip_ns": f"{self.trip:.0f}",
            "quarantine": quarantine,
            **self.station.told,
        }
        return {name: value for name, value in facts.items() if value}


def _processes(gauge: Gauge, contenders: Collection[Contender]) -> tuple[int, ...]:
    every = (*contenders, *gauge.every)
    return (os.getpid(), *{c.runner.pid for c in every if c.running})
