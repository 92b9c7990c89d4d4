"""What a campaign sees of where its kernels run: one device, or a fleet of devices of one kind."""

from abc import abstractmethod
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

from kernels.device.evaluations import EvaluationRequests
from kernels.device.profiles import ProfileRequests
from kernels.device.races import RaceRequests
from kernels.device.report import DeviceUnhealthy, Health, PeakReport
from kernels.values.kernel import Pack


@dataclass(frozen=True, slots=True)
class DeviceUse:
    """What one device was used for since the start. jobs: requests; busy_s: seconds in readings; waited_s: for other
    programs. unhealthy: since which of its jobs and why, "" while it is well."""

    name: str
    jobs: int
    busy_s: float
    waited_s: float
    unhealthy: str = ""


class Executor(EvaluationRequests, RaceRequests, ProfileRequests):
    """Asynchronous; nothing here blocks the event loop.

    holder: what is being done now, "" when nothing is. queue: who waits, first come first. busy_seconds: in readings.
    last_hold_s: seconds that the request which has just returned took. spent: seconds by the first word of the holder.
    level: sandbox level that runners reached, "" before the first load.
    """

    @property
    @abstractmethod
    def pack(self) -> Pack: ...

    @property
    @abstractmethod
    def level(self) -> str: ...

    @property
    @abstractmethod
    def busy_seconds(self) -> float: ...

    @property
    @abstractmethod
    def holder(self) -> str: ...

    @property
    @abstractmethod
    def queue(self) -> tuple[str, ...]: ...

    @property
    @abstractmethod
    def last_hold_s(self) -> float: ...

    @property
    @abstractmethod
    def spent(self) -> Mapping[str, float]: ...

    @abstractmethod
    def uses(self) -> tuple[DeviceUse, ...]:
        """One a device."""

    @abstractmethod
    def loaded_kernel(self) -> str:
        """The kernel of something that is loaded, "" when nothing is."""

    @abstractmethod
    def host(self, holder: str) -> AbstractAsyncContextManager[None]:
        """Hold the machine that builds, for something that must not overlap with its readings."""

    @abstractmethod
    async def load(self, kernel: str, key: str, artefact: Path) -> None:
        """Start a runner for a candidate; the same key and artefact again does nothing. Raises: LoadFailed,
        DeviceUnhealthy; it is not loaded then."""

    @abstractmethod
    async def unload(self, key: str) -> None:
        """End the runner of a key; nothing happens when there is none. Raises: DeviceUnhealthy."""

    @abstractmethod
    async def restart(self, key: str) -> None:
        """A fresh process and fresh memory for what is loaded. Raises: LoadFailed, DeviceUnhealthy."""

    @abstractmethod
    async def kill_all(self) -> None:
        """SIGKILL to every runner now; the requests in flight fail at once with DeviceUnhealthy."""

    @abstractmethod
    async def close(self) -> None: ...

    async def peak(self, kernel: str) -> PeakReport:
        """Time to move the weights. Raises: DeviceUnhealthy."""
        return PeakReport.from_json(await self.request("peak", f"peak of {kernel}", kernel))

    async def round_trip(self, kernel: str = "") -> float:
        """ns of a call of the empty kernel, of the pack's first kernel by default. Raises: DeviceUnhealthy."""
        return float(await self.request("round_trip", "round trip", kernel or self.pack.kernels[0].name))

    async def health(self, kernel: str = "") -> Health:
        """A canary job on the ring of one kernel, one that is loaded by default. A fault is a report."""
        name = kernel or self.loaded_kernel() or min(self.pack.kernels, key=lambda k: k.bytes_moved).name
        try:
            facts = await self.request("health", "canary", name)
        except DeviceUnhealthy as failure:
            return Health(False, str(failure), {})
        return Health(True, f"probe {facts['probe_gbs']:.1f} GB/s, round trip {facts['round_trip_ns']:.0f} ns", facts)
