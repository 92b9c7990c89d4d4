"""What stands ready in the referee: stations and probes by kernel, candidates by key. Owns what must die with it.

A kernel with shapes has a station, probes, and of every candidate a process for each; any other has one of each.
"""

from collections.abc import Mapping
from pathlib import Path

from kernels.device.arena import Arena, memory_available
from kernels.device.contender import Contender, Launch
from kernels.device.gauge import Gauge
from kernels.device.memory import Memory
from kernels.device.report import DeviceUnhealthy
from kernels.device.station import SPARE_BYTES, Station
from kernels.values.kernel import Pack


class Floor:
    """epoch_s: seconds for which a station's weights stay."""

    def __init__(self, pack: Pack, arena: Arena, launch: Launch, memory: Memory, epoch_s: float) -> None:
        self.arena = arena
        self.launch = launch
        self.memory = memory
        self._pack = pack
        self._epoch_s = epoch_s
        self._stations: dict[str, tuple[Station, ...]] = {}
        self._gauges: dict[str, tuple[Gauge, ...]] = {}
        self._contenders: dict[str, tuple[Contender, ...]] = {}

    def close(self) -> None:
        for group in (self._contenders, self._gauges, self._stations):
            for one in (one for many in group.values() for one in many):
                one.close()
        self.arena.close()

    @property
    def running(self) -> int:
        """Runners of candidates that are alive."""
        return sum(contender.running for many in self._contenders.values() for contender in many)

    def stations(self, kernel: str, strict: Path | None = None) -> tuple[Station, ...]:
        """Made when they are first asked for. strict: the reference that is the kernel's baseline, if it is one."""
        if kernel not in self._stations:
            self._stations[kernel] = tuple(
                Station(self.arena, case, self._epoch_s, self.launch, strict)
                for case in self._pack.kernel(kernel).cases
            )
        return self._stations[kernel]

    def equip(self, kernel: str, probes: list[Mapping[str, str]], empty: str) -> None:
        """probes: artefacts of the probes at each shape, by style; empty: that of the kernel whose round trip is
        subtracted, "" for none."""
        stations = self.stations(kernel)
        self._gauges[kernel] = tuple(self._gauge(*one, empty) for one in zip(stations, probes, strict=True))

    def _gauge(self, station: Station, paths: Mapping[str, str], empty: str) -> Gauge:
        probes = {style: station.contender(f"probe {style}", Path(path), trusted=True) for style, path in paths.items()}
        nothing = station.contender("empty", Path(empty), trusted=True) if empty else None
        return Gauge(station, probes, nothing, self.memory)

    def gauges(self, kernel: str) -> tuple[Gauge, ...]:
        """Raises: DeviceUnhealthy."""
        if kernel not in self._gauges:
            raise DeviceUnhealthy(f"the probes of kernel {kernel} are not loaded")
        return self._gauges[kernel]

    def holds(self, kernel: str, key: str, artefact: Path) -> tuple[Contender, ...]:
        """The contenders of this key when they are of this kernel and build; () when they are not."""
        found = self._contenders.get(key, ())
        return found if found and (found[0].artefact, found[0].spec.name) == (artefact, kernel) else ()

    def add(self, kernel: str, key: str, artefact: Path) -> tuple[Contender, ...]:
        made = self._contenders[key] = tuple(one.contender(key, artefact) for one in self.stations(kernel))
        return made

    def contenders(self, kernel: str, key: str) -> tuple[Contender, ...]:
        """Raises: DeviceUnhealthy."""
        found = self._contenders.get(key, ())
        if not found or found[0].spec.name != kernel:
            raise DeviceUnhealthy(f"nothing is loaded as {key!r} for kernel {kernel}")
        return found

    def take_out(self, key: str) -> tuple[Contender, ...]:
        """They are no longer found by their key; whoever asked closes them."""
        return self._contenders.pop(key, ())

    def make_room(self, stations: tuple[Station, ...]) -> None:
        """Let the other kernels forget their decoded weights when memory is short."""
        if sum(station.room() for station in stations) > memory_available() - SPARE_BYTES:
            for other in (one for many in self._stations.values() for one in many):
                if other not in stations:
                    other.forget()
