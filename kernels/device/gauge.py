"""Measures the device itself on the ring of one kernel: read probes of several styles, and the empty kernel.

Probes and the empty kernel are trusted sources of the target; they run in the same runners, on the same weights and by
the same clock as candidates.
"""

import statistics
from collections.abc import Mapping
from typing import Final

from kernels.device.bench import Placement
from kernels.device.calls import Caller
from kernels.device.contender import Contender
from kernels.device.memory import Best, Memory
from kernels.device.modes import UNKNOWN
from kernels.device.reading import below_floor, quantile
from kernels.device.realtime import realtime
from kernels.device.report import DeviceUnhealthy, PeakReport
from kernels.device.station import Station
from kernels.sandbox.runner import RunnerFailed

ROUNDS: Final = 5
CALLS: Final = 5
QUICK_CALLS: Final = 4
TRIPS: Final = 16
TIMEOUT_S: Final = 10.0
VOID_BELOW: Final = 0.25  # of the round trip: a probe this short was lost in it


class Gauge:
    """probes: at least four contenders by style, none for a kernel without weights; empty: does nothing; None where a
    call has no round trip."""

    def __init__(
        self, station: Station, probes: Mapping[str, Contender], empty: Contender | None, memory: Memory
    ) -> None:
        self.station = station
        self.memory = memory
        self.name = f"{station.spec.pack}/{station.spec.name}/{station.spec.bytes_moved}"
        self.style = next(iter(probes), "")
        self.probes = dict(probes)
        self.empty = empty
        self._turn = 0

    def close(self) -> None:
        for contender in self.every:
            contender.close()

    @property
    def every(self) -> tuple[Contender, ...]:
        probes = tuple(self.probes.values())
        return probes if self.empty is None else (*probes, self.empty)

    @property
    def level(self) -> str:
        """Of isolation, "" where nothing of the target's own runs."""
        return self.empty.runner.level if self.empty is not None else ""

    @property
    def best_gbs(self) -> float:
        """GB/s of the best probe so far, in any mode; 0 when none was measured."""
        return self.memory.fastest_gbs(self.name)

    def fastest(self, *seen: float) -> float:
        """GB/s: the most that any probe read on this device, in any mode, these values included; 0 without one."""
        return max((self.best_gbs, *seen, *(mode.gbs for mode in self.memory.modes.known)))

    def unbelievable(self, ns: float, *seen: float, fifo: bool) -> str:
        """Why a call of the kernel that takes `ns` is too short to be true; "" when it is not. seen: GB/s just now.

        Before that is said of anybody all styles are measured anew: a few calls of one style may read far below what
        the device can do, the more so the shorter they are.

        Raises: DeviceUnhealthy.
        """
        why = below_floor(ns, self.station.spec.bytes_moved, self.fastest(*seen))
        if not why or not self.probes:
            return why
        found = self.peak(fifo=fifo)
        return below_floor(ns, self.station.spec.bytes_moved, self.fastest(*seen, *found.styles.values()))

    def _times(self, contender: Contender, calls: int, *, fifo: bool) -> list[float]:
        """ns of `calls` calls on successive slots, after one warm-up."""
        caller = Caller(contender, self.station.rng, TIMEOUT_S)
        _ = self.station.epoch
        times: list[float] = []
        try:
            with realtime(contender.runner, fifo):
                for _ in range(calls + 1):
                    self._turn = (self._turn + 1) % self.station.slots
                    times.append(float(caller.bare(Placement(self._turn, 0, 0, 0)).elapsed_ns))
        except RunnerFailed as failure:
            raise DeviceUnhealthy(f"probe {contender.key} failed: {failure.kind}: {failure.detail}") from failure
        return times[1:]

    def round_trip(self, *, fifo: bool) -> float:
        """ns of one call of the empty kernel, lower quartile; 0 without one.

        Raises: DeviceUnhealthy.
        """
        return 0.0 if self.empty is None else quantile(self._times(self.empty, TRIPS, fifo=fifo))

    def quick(self, round_trip_ns: float, *, fifo: bool) -> float:
        """GB/s that the best style reads just now; 0 for a kernel without weights.

        Raises: DeviceUnhealthy.
        """
        if not self.probes:
            return 0.0
        times = self._times(self.probes[self.style], QUICK_CALLS, fifo=fifo)
        return self._gbs(quantile(times), round_trip_ns)

    def _gbs(self, ns: float, round_trip_ns: float) -> float:
        """0 when the time lies within the round trip's own spread: such a probe says nothing."""
        net = ns - round_trip_ns
        return self.station.spec.bytes_moved / net if net > VOID_BELOW * round_trip_ns else 0.0

    def peak(self, *, fifo: bool) -> PeakReport:
        """All styles in rounds, in random order, so that a change of mode hits all of them alike.

        A kernel without weights, or with so few that reading them is lost in the round trip, has no peak: 0 GB/s, and
        the round trip as its time.

        Raises: DeviceUnhealthy; OSError when the cache folder cannot be written.
        """
        trip = self.round_trip(fifo=fifo)
        if not self.probes:
            return PeakReport(trip, 0.0, "none", {}, UNKNOWN)
        rounds = [self._round(trip, fifo=fifo) for _ in range(ROUNDS)]
        for found in rounds:
            self.memory.modes.observe(max(found.values()))
        modes = [self.memory.modes.name(max(found.values())) for found in rounds]
        mode = statistics.mode(modes)
        styles = {
            style: max(found[style] for found, seen in zip(rounds, modes, strict=True) if seen == mode)
            for style in self.probes
        }
        self.style = max(styles, key=lambda style: styles[style])
        gbs = styles[self.style]
        if gbs <= 0:
            return PeakReport(trip, 0.0, "none", styles, UNKNOWN)
        best = self.memory.offer(self.name, mode, Best(self.station.spec.bytes_moved / gbs, gbs, self.style))
        self.memory.save()
        return PeakReport(best.ns, best.gbs, best.style, styles, mode)

    def _round(self, trip: float, *, fifo: bool) -> dict[str, float]:
        order = [list(self.probes)[int(i)] for i in self.station.rng.permutation(len(self.probes))]
        return {s: self._gbs(quantile(self._times(self.probes[s], CALLS, fifo=fifo)), trip) for s in order}
