"""`Device`: what the engine sees of one device."""

from typing_extensions import override

from kernels.device.executor import DeviceUse, Executor
from kernels.device.loading import Loading
from kernels.device.report import CheckReport, DeviceUnhealthy, HeadFailed, Health, LoadFailed, PeakReport
from kernels.sandbox.runner import RunnerFailed

__all__ = [
    "CheckReport", "Device", "DeviceUnhealthy", "HeadFailed", "Health", "LoadFailed", "PeakReport", "RunnerFailed",
]  # fmt: skip


class Device(Loading, Executor):
    """One exclusive executor of a target: `connection` starts and ends it, `loading` keeps its runners, `executor`
    and what it is made of say what is asked of it."""

    @override
    def uses(self) -> tuple[DeviceUse, ...]:
        return (DeviceUse(self.place.name, self.jobs, self.busy_seconds, self.spent.get("waiting", 0.0)),)
