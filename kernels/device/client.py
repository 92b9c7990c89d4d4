"""`Device`: what the engine sees of one device. Asynchronous; nothing here blocks the event loop."""

from kernels.device.evaluations import EvaluationRequests
from kernels.device.loading import Loading
from kernels.device.profiles import ProfileRequests
from kernels.device.races import RaceRequests
from kernels.device.report import CheckReport, DeviceUnhealthy, HeadFailed, Health, LoadFailed, PeakReport
from kernels.sandbox.runner import RunnerFailed

__all__ = [
    "CheckReport", "Device", "DeviceUnhealthy", "HeadFailed", "Health", "LoadFailed", "PeakReport", "RunnerFailed",
]  # fmt: skip


class Device(Loading, EvaluationRequests, RaceRequests, ProfileRequests):
    """One exclusive executor of a target: `connection` starts and ends it, `loading` keeps its runners, `evaluations`,
    `races` and `profiles` say what is asked of it."""

    async def peak(self, kernel: str) -> PeakReport:
        """Time to move the weights. Raises: DeviceUnhealthy."""
        return PeakReport.from_json(await self._request("peak", f"peak of {kernel}", kernel))

    async def round_trip(self, kernel: str = "") -> float:
        """ns of a call of the empty kernel, of the pack's first kernel by default. Raises: DeviceUnhealthy."""
        return float(await self._request("round_trip", "round trip", kernel or self._pack.kernels[0].name))

    async def health(self, kernel: str = "") -> Health:
        """A canary job on the ring of one kernel, one that is loaded by default. A fault is a report."""
        loaded = [one.kernel for one in self._loads.values()]
        name = kernel or (loaded[0] if loaded else min(self._pack.kernels, key=lambda k: k.bytes_moved).name)
        try:
            facts = await self._request("health", "canary", name)
        except DeviceUnhealthy as failure:
            return Health(False, str(failure), {})
        return Health(True, f"probe {facts['probe_gbs']:.1f} GB/s, round trip {facts['round_trip_ns']:.0f} ns", facts)
