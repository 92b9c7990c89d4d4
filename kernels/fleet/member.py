"""One device of a fleet: what it has loaded for whom, and whether it is trusted with more."""

import time
from dataclasses import dataclass, field, replace
from typing import Final

from kernels.device.client import Device
from kernels.device.executor import DeviceUse

RETRY_S: Final = 60.0
"""After which an unhealthy device is asked again."""


@dataclass(slots=True)
class Member:
    """homes: keys that live here. pinned: tests and races that run here. unhealthy_since: number of its job after which
    it failed its canary, None while it is well; why: what was said then. tried_at: monotonic seconds of that canary."""

    device: Device
    homes: set[str] = field(default_factory=set)
    pinned: set[str] = field(default_factory=set)
    unhealthy_since: int | None = None
    why: str = ""
    tried_at: float = 0.0

    @property
    def name(self) -> str:
        return self.device.place.name

    @property
    def well(self) -> bool:
        return self.unhealthy_since is None

    @property
    def load(self) -> tuple[int, int]:
        """How much waits here: requests first, then what lives here."""
        return len(self.device.queue) + bool(self.device.holder), len(self.homes)

    @property
    def due(self) -> bool:
        """Unhealthy for so long that it is asked again."""
        return not self.well and time.monotonic() - self.tried_at > RETRY_S

    @property
    def use(self) -> DeviceUse:
        (own,) = self.device.uses()
        return own if self.well else replace(own, unhealthy=f"since job {self.unhealthy_since}: {self.why}")

    def fell_ill(self, why: str) -> None:
        self.unhealthy_since, self.why, self.tried_at = self.device.jobs, why, time.monotonic()

    def recovered(self) -> None:
        self.unhealthy_since, self.why = None, ""
