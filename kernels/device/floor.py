"""What stands ready in the referee: a station and probes by kernel, candidates by key. Owns what must die with it."""

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
        self._stations: dict[str, Station] = {}
        self._gauges: dict[str, Gauge] = {}
        self._contenders: dict[str, Contender] = {}

    def close(self) -> None:
        for contender in self._contenders.values():
            contender.close()
        for gauge in self._gauges.values():
            gauge.close()
        for station in self._stations.values():
            station.close()
        self.arena.close()

    @property
    def running(self) -> int:
        """Runners of candidates that are alive."""
        return sum(contender.running for contender in self._contenders.values())

    def station(self, kernel: str, strict: Path | None = None) -> Station:
        """Made when it is first asked for. strict: the reference that is the kernel's baseline, if it is one."""
        if kernel not in self._stations:
            spec = self._pack.kernel(kernel)
            self._stations[kernel] = Station(self.arena, spec, self._epoch_s, self.launch, strict)
        return self._stations[kernel]

    def equip(self, kernel: str, probes: dict[str, Contender], empty: Contender | None) -> None:
        """The probes of a kernel, and the empty kernel whose round trip is subtracted."""
        self._gauges[kernel] = Gauge(self.station(kernel), probes, empty, self.memory)

    def gauge(self, kernel: str) -> Gauge:
        """Raises: DeviceUnhealthy."""
        if kernel not in self._gauges:
            raise DeviceUnhealthy(f"the probes of kernel {kernel} are not loaded")
        return self._gauges[kernel]

    def holds(self, kernel: str, key: str, artefact: Path) -> Contender | None:
        """The contender of this key when it is of this kernel and build."""
        found = self._contenders.get(key)
        return found if found is not None and (found.artefact, found.spec.name) == (artefact, kernel) else None

    def add(self, station: Station, key: str, artefact: Path) -> Contender:
        made = self._contenders[key] = station.contender(key, artefact)
        return made

    def contender(self, kernel: str, key: str) -> Contender:
        """Raises: DeviceUnhealthy."""
        contender = self._contenders.get(key)
        if contender is None or contender.spec.name != kernel:
            raise DeviceUnhealthy(f"nothing is loaded as {key!r} for kernel {kernel}")
        return contender

    def take_out(self, key: str) -> Contender | None:
        """It is no longer found by its key; whoever asked closes it."""
        return self._contenders.pop(key, None)

    def make_room(self, station: Station) -> None:
        """Let the other kernels forget their decoded weights when memory is short."""
        if station.room() > memory_available() - SPARE_BYTES:
            for other in self._stations.values():
                if other is not station:
                    other.forget()
