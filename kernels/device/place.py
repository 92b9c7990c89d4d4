"""Where the referee of a device runs: on this machine, or wherever a place brings a link from."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from kernels.device.hostlock import machine_lock
from kernels.device.link import Link
from kernels.targets.registry import hardware_of


class RefereeLink(Protocol):
    """One referee process and the way to it; methods as in `link.Link`. described: what the referee says of itself."""

    described: dict[str, Any]

    @property
    def alive(self) -> bool: ...

    async def configure(self, config: Mapping[str, Any]) -> None:
        """Raises: DeviceUnhealthy."""
        ...

    async def exchange(self, op: str, args: Mapping[str, Any], timeout_s: float) -> Any:
        """Raises: RunnerFailed, HeadFailed, DeviceUnhealthy."""
        ...

    def kill(self) -> None: ...

    async def close(self) -> None: ...


class Place(Protocol):
    """name: of the device, for people. lock: the file that programs of this machine lock while they use it."""

    @property
    def name(self) -> str: ...

    @property
    def lock(self) -> Path: ...

    async def link(self, log: Path) -> RefereeLink:
        """A referee that waits for `configure`. Raises: DeviceUnhealthy."""
        ...


@dataclass(frozen=True, slots=True)
class Here:
    """This machine's device of a target; other targets may run on the same one, and then share its lock."""

    target: str
    name: str = "local"

    @property
    def lock(self) -> Path:
        return machine_lock(hardware_of(self.target))

    async def link(self, log: Path) -> RefereeLink:
        return await Link.spawn(log)
